/** Landings that were begun and have no recorded end, after a crash or a failing disk: the end is found and recorded. */
import type { Journal } from '../../journal/index.ts'
import type { EventOf } from '../../model/event.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { apart, type Tell } from '../streams/apart.ts'
import { problemOf } from '../workspace/git.ts'
import { groundAt } from '../workspace/ground.ts'
import type { Problem } from '../workspace/problem.ts'
import { type LandingEnd, settleLanding } from '../workspace/settle-landing.ts'
import { endStaleGit } from '../workspace/stale-git.ts'
import { LANDINGS, UNSETTLED } from './landing-rows.ts'

type Begun = EventOf<'landing.begun'>
type Needs = Pick<DutyNeeds, 'processEnvironment' | 'runs' | 'clock'>

/** Records how a landing ended. A problem: that cannot be found out now, and the landing stays open. */
export async function settle(
  { processEnvironment, runs, clock }: Needs,
  { run, placed }: LoadedRun,
  { landing, why = '' }: { readonly landing: Begun; readonly why?: string },
): Promise<LandingEnd | Problem> {
  const end = await settleLanding(groundAt(processEnvironment.home, placed.placement), landing).catch(
    problemOf,
  )
  if ('problem' in end) return end
  const at = clock.now()
  const { by, into, before, commit, work, how, gates, issues } = landing
  const landed = { type: 'run.landed', by, into, before, commit, work, how, gates } as const
  const fact =
    'landed' in end
      ? ({ ...landed, at, ...(issues === undefined ? {} : { issues }) } as const)
      : ({ type: 'landing.dropped', at, reason: why === '' ? end.undone : `${why} ${end.undone}` } as const)
  await runs.execute(run, [{ type: 'run.record', at, facts: [fact] }])
  return end
}

/** That of an earlier request for this run. A problem: it is not settled, so nothing else may be landed. */
export const settleEarlier = (
  needs: Needs & Pick<DutyNeeds, 'workplaces'>,
  loaded: LoadedRun,
): Promise<Problem | null> =>
  needs.workplaces.issues.inTurn(loaded, async () => {
    const landing = (await needs.runs.load(loaded.run))?.landing ?? null
    const end = landing === null ? null : await settle(needs, loaded, { landing })
    return end !== null && 'problem' in end ? end : null
  })

/** Those that another host left. A git of that host is ended first. */
export async function settleLandings(
  needs: Needs & { readonly journal: Journal; readonly onBug: Tell },
): Promise<void> {
  const rows = await needs.journal.list({ model: LANDINGS, facet: UNSETTLED, before: null, limit: MAX_ROWS })
  const settleOne = async (run: string): Promise<void> => {
    const loaded = await needs.runs.load(run)
    if (loaded === null || loaded.landing === null) return
    const { landing } = loaded
    if (landing.checkout !== null) await endStaleGit([landing.checkout])
    await settle(needs, loaded, { landing, why: 'The host was ended meanwhile.' })
  }
  await apart(rows, ({ key }) => settleOne(key), needs.onBug)
}

const MAX_ROWS = 1000
