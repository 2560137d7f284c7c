/**
 * What an agent left that did not come to an answer: it crashed, was stopped, or the run moved on without it. It is
 * held to that agent's own boundary and kept, before anybody else begins: nobody is blamed for, or loses, another's work.
 */
import type { Fact } from '../../model/fact.ts'
import { stepOf } from '../../model/program.ts'
import type { LoadedRun } from '../loaded-run.ts'
import { standing, type Tools } from './duty.ts'
import { type Fell, faulted, type Prompting, writesOf } from './prompting.ts'

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
  if (begun || abandoned === null) return loaded
  // The first member of a panel clears the ground for all: after that, somebody is at work there.
  await tools.workplaces.once(`${run}/${step}#${visit}`, () => takeInLeftovers(tools, run))
  return standing(tools, work)
}

/** Where nobody is at work any more. */
export async function takeInLeftovers(tools: Tools, run: string): Promise<void> {
  const loaded = await tools.runs.load(run)
  if (loaded === null || loaded.abandoned === null) return
  const { abandoned: step } = loaded
  const facts = await leftBy(tools, loaded, { step, visit: loaded.state.visits[step] ?? 1, member: 0 })
  if (facts.length > 0) await tools.runs.tell(run, [{ type: 'run.record', at: tools.clock.now(), facts }])
}

/** The end of an agent that gave no answer; it is gone already. */
export async function brokenOff(tools: Tools, work: Prompting, fell: Omit<Fell, 'facts'>): Promise<void> {
  const loaded = await standing(tools, work)
  if (loaded === null) return
  await faulted(tools, work, { ...fell, facts: await leftBy(tools, loaded, work.duty) })
}

async function leftBy(
  tools: Tools,
  loaded: LoadedRun,
  { step, visit, member }: { readonly step: string; readonly visit: number; readonly member: number },
): Promise<readonly Fact[]> {
  const { kind } = stepOf(loaded.program, step)
  const writes = kind === 'agent' || kind === 'panel' ? writesOf(loaded, step) : null
  const message = `${step}: work that was broken off`
  const left = await tools.workplaces.takeIn({ loaded, step, visit, member, writes, message })
  if (!('problem' in left)) return left.facts
  const text = `What ${step} left could not be taken in: ${left.problem}`
  return [{ type: 'host.noted', at: tools.clock.now(), text }]
}
