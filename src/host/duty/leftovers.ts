/**
 * What an agent left that did not come to an answer: it crashed, was stopped, or the run moved on without it. It is
 * held to that agent's own boundary and kept, before anybody else begins: nobody is blamed for, or loses, another's work.
 */
import { visitNumber } from '../../engine/index.ts'
import type { Fact } from '../../model/fact.ts'
import { bringNow, tellBrought } from '../course/bring-asked.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { type FaultReport, faulted, type Prompting } from '../session/prompting.ts'
import type { WorkToCollect } from '../workspace/take-in-work.ts'
import { boundaryNow, boundaryOfAbandoned } from './boundary.ts'
import { type DutyNeeds, standing } from './duty.ts'
import { enterRole } from './enter-role.ts'
import { judgesAt } from './patch-judge.ts'

/** Who else is at work in a run. */
export interface OtherSeats {
  /** Ends all of the run but those of one visit, and waits until that and whoever was leaving already is gone. */
  leaveOthers(run: string, visit: { readonly step: string; readonly visit: number } | null): Promise<void>
}

/**
 * The workspace for a visit: whoever was there before is gone, and what they left is in the record. Null: the run has
 * moved on meanwhile.
 */
export async function prepareWorkspace(
  needs: DutyNeeds & { readonly others: OtherSeats },
  work: Parameters<typeof standing>[1],
  loaded: LoadedRun,
): Promise<LoadedRun | null> {
  const { run, state, abandoned } = loaded
  const { step, number: visit, members } = state.current!
  await needs.others.leaveOthers(run, { step, visit })
  const begun = members.some(
    ({ runningSince, session, status }) => runningSince !== null || session !== null || status !== 'working',
  )
  if (begun) return loaded
  // The first member of a panel prepares it for all: after that, somebody is at work there.
  await needs.workplaces.once(`${run}/${step}#${visit}`, async () => {
    if (abandoned !== null) await collectLeftovers(needs, run)
    const left = await needs.runs.load(run)
    if (left !== null) await bringNow(needs, left)
    await needs.workplaces.renewRepository(loaded)
    const now = (await needs.runs.load(run)) ?? loaded
    await enterRole(needs, { loaded: now, step, visit, signal: work.signal })
  })
  return standing(needs, work)
}

/** Where nobody is at work any more. */
export async function collectLeftovers(needs: DutyNeeds, run: string): Promise<void> {
  const loaded = await needs.runs.load(run)
  if (loaded === null || loaded.abandoned === null) return
  const { step } = loaded.abandoned
  const boundary = boundaryOfAbandoned(loaded, loaded.abandoned)
  const address = { step, visit: visitNumber(loaded.state, step) || 1, member: 0 }
  const facts = await leftBy(needs, loaded, { ...address, boundary })
  if (facts.length > 0) await needs.runs.execute(run, [{ type: 'run.record', at: needs.clock.now(), facts }])
}

/** What agents left that a person took the run from. */
export async function collectBroken(
  needs: DutyNeeds,
  loaded: LoadedRun,
  who: Pick<WorkToCollect, 'step' | 'visit' | 'member' | 'boundary'>,
): Promise<void> {
  const facts = await leftBy(needs, loaded, who)
  if (facts.length > 0)
    await needs.runs.execute(loaded.run, [{ type: 'run.record', at: needs.clock.now(), facts }])
}

/** The end of an agent that gave no answer; it is gone already. */
export async function brokenOff(
  needs: DutyNeeds,
  work: Prompting,
  report: Omit<FaultReport, 'facts'>,
): Promise<void> {
  const loaded = await standing(needs, work)
  if (loaded === null) return
  const { step, visit, member } = work.duty
  const facts = await leftBy(needs, loaded, { step, visit, member, boundary: boundaryNow(loaded) })
  await faulted(needs, work, { ...report, facts })
}

/** What is still to be recorded of it. */
async function leftBy(
  needs: DutyNeeds,
  loaded: LoadedRun,
  who: Pick<WorkToCollect, 'step' | 'visit' | 'member' | 'boundary'>,
): Promise<readonly Fact[]> {
  const { step } = who
  const message = `${step}: work that was broken off`
  const signal = new AbortController().signal
  const judges = judgesAt(needs, loaded, { step, visit: who.visit, signal })
  const left = await needs.workplaces.collectWork({ loaded, ...who, judges, message })
  if (!('problem' in left)) return (await tellBrought(needs, loaded, left.facts)) ? [] : left.facts
  const text = `What ${step} left could not be taken in: ${left.problem}`
  return [{ type: 'host.noted', at: needs.clock.now(), text }]
}
