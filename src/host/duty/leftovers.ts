/**
 * What an agent left that did not come to an answer: it crashed, was stopped, or the run moved on without it. It is
 * held to that agent's own boundary and kept, before anybody else begins: nobody is blamed for, or loses, another's work.
 */
import { visitNumber } from '../../engine/index.ts'
import type { Fact } from '../../model/fact.ts'
import type { LoadedRun } from '../loaded-run.ts'
import type { Work } from '../workplace.ts'
import { boundaryNow, boundaryOfAbandoned } from './boundary.ts'
import { standing, type Tools } from './duty.ts'
import { judgesAt } from './patch-judge.ts'
import { type Fell, faulted, type Prompting } from './prompting.ts'

/**
 * The ground for a visit: whoever was there before is gone, and what they left is in the record. Null: the run has
 * moved on meanwhile.
 */
export async function clearGround(
  tools: Tools,
  work: Parameters<typeof standing>[1],
  loaded: LoadedRun,
): Promise<LoadedRun | null> {
  const { run, state, abandoned } = loaded
  const { step, number: visit, members } = state.current!
  await tools.seats.sweep(run, (seat) => seat.step === step && seat.visit === visit)
  const begun = members.some(
    ({ runningSince, session, status }) => runningSince !== null || session !== null || status !== 'working',
  )
  if (begun) return loaded
  // The first member of a panel clears the ground for all: after that, somebody is at work there.
  await tools.workplaces.once(`${run}/${step}#${visit}`, async () => {
    if (abandoned !== null) await takeInLeftovers(tools, run)
    await tools.workplaces.renewRepository(loaded)
  })
  return standing(tools, work)
}

/** Where nobody is at work any more. */
export async function takeInLeftovers(tools: Tools, run: string): Promise<void> {
  const loaded = await tools.runs.load(run)
  if (loaded === null || loaded.abandoned === null) return
  const { step } = loaded.abandoned
  const boundary = boundaryOfAbandoned(loaded, loaded.abandoned)
  const address = { step, visit: visitNumber(loaded.state, step) || 1, member: 0 }
  const facts = await leftBy(tools, loaded, { ...address, boundary })
  if (facts.length > 0) await tools.runs.tell(run, [{ type: 'run.record', at: tools.clock.now(), facts }])
}

/** The end of an agent that gave no answer; it is gone already. */
export async function brokenOff(tools: Tools, work: Prompting, fell: Omit<Fell, 'facts'>): Promise<void> {
  const loaded = await standing(tools, work)
  if (loaded === null) return
  const { step, visit, member } = work.duty
  const facts = await leftBy(tools, loaded, { step, visit, member, boundary: boundaryNow(loaded) })
  await faulted(tools, work, { ...fell, facts })
}

async function leftBy(
  tools: Tools,
  loaded: LoadedRun,
  who: Pick<Work, 'step' | 'visit' | 'member' | 'boundary'>,
): Promise<readonly Fact[]> {
  const { step } = who
  const message = `${step}: work that was broken off`
  const signal = new AbortController().signal
  const judges = judgesAt(tools, loaded, { step, visit: who.visit, signal })
  const left = await tools.workplaces.takeIn({ loaded, ...who, judges, message })
  if (!('problem' in left)) return left.facts
  const text = `What ${step} left could not be taken in: ${left.problem}`
  return [{ type: 'host.noted', at: tools.clock.now(), text }]
}
