/**
 * A run's work brought into a branch of the user's, because a person says so. What they would get is made first, in the
 * host's store; the flow's gates judge that very commit on a clean checkout; only then is the branch moved.
 */
import type { StoredEvent } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { Landing, LandOrder } from '../../model/api/course.ts'
import type { EventOf, RunEvent } from '../../model/event.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import { redefinedBy } from '../duty/judgement.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { BroughtChanges } from '../tracker/issue-places.ts'
import { changesBetween } from '../workspace/changes.ts'
import { someNames } from '../workspace/file-name.ts'
import { problemOf } from '../workspace/git.ts'
import type { Ground } from '../workspace/ground.ts'
import { type LandPlan, type LandRequest, moveUserBranch, planLanding } from '../workspace/land.ts'
import type { Problem } from '../workspace/problem.ts'
import { gatesOf, passedAt, putGate } from './gates.ts'
import { settle, settleEarlier } from './settle-landings.ts'

export interface LandedRun {
  readonly loaded: LoadedRun
  readonly ground: Ground
  readonly events: readonly StoredEvent[]
  readonly by: Actor
}

export async function landRun(
  needs: DutyNeeds,
  about: LandedRun,
  order: LandOrder,
): Promise<Landing | Rejection> {
  const { loaded, ground } = about
  const { run, commit, placed } = loaded
  const into = order.into ?? placed.placement.base
  const unfit = whyNot(loaded, into, order)
  if (unfit !== null) return unfit
  const unsettled = await settleEarlier(needs, loaded)
  if (unsettled !== null) return notLanded(unsettled.problem)
  const place = await needs.workplaces.ensure(loaded)
  if ('problem' in place) return notLanded(place.problem)
  const message = order.message === '' ? messageOf(loaded, order) : order.message
  const request = { ground, into, commit, way: order.how, message: withTrailer(message, run) }
  const plan = await planLanding(request).catch(problemOf)
  if ('problem' in plan) return notLanded(plan.problem)
  if ('conflicts' in plan) return notLanded(conflictText(loaded, into, plan.conflicts))
  const judged = await judgeLanding(needs, about, { plan, order })
  if (typeof judged !== 'number') return judged
  const landing = { into, work: commit, by: about.by, gates: judged }
  const moved = await moveWithIssues(needs, loaded, { request, plan, landing })
  if ('problem' in moved) return notLanded(moved.problem)
  const { commit: after, count: issues, waiting } = moved
  const { before, how, checkout } = plan
  return {
    ...{ state: 'landed', into, commit: after, before, how, gates: judged, checkout, issues },
    redefined: await redefinedGates(about, plan),
    issuesWait: waiting,
  }
}

/** Told also where no gate was run: the next one runs what they say now. */
async function redefinedGates({ loaded, ground }: LandedRun, { before, after }: LandPlan) {
  const changed = (await changesBetween(ground, before, after)).map(({ name }) => name)
  return gatesOf(loaded).flatMap(({ command }) => {
    const files = redefinedBy(command, changed)
    return files.length === 0 ? [] : [{ gate: command, files }]
  })
}

interface Move {
  readonly request: LandRequest
  readonly plan: LandPlan
  readonly landing: Pick<EventOf<'landing.begun'>, 'by' | 'into' | 'work' | 'gates'>
}

/** Its changes of issues go on top of the work that was judged, whatever becomes of that: they touch nothing else. */
const moveWithIssues = (
  needs: DutyNeeds,
  loaded: LoadedRun,
  { request, plan, landing }: Move,
): Promise<BroughtChanges | Problem> => {
  const { issues } = needs.workplaces
  return issues.inTurn(loaded, async () => {
    const from = { from: plan.before, work: plan.after }
    const brought = await issues.bring(loaded, from)
    if ('problem' in brought) return brought
    const { before, how, checkout } = plan
    const { commit, count } = brought
    const at = needs.clock.now()
    const begun: EventOf<'landing.begun'> = {
      type: 'landing.begun',
      at,
      ...{ ...landing, before, commit, how, checkout },
      ...(count === 0 ? {} : { issues: count }),
    }
    // Before anything of the user's is moved: what a crash leaves is then known, and settled.
    if (before !== commit) await needs.runs.execute(loaded.run, [{ type: 'run.record', at, facts: [begun] }])
    const moved = await moveUserBranch(request, { ...plan, after: commit }).catch(problemOf)
    const end = await settle(needs, loaded, {
      landing: begun,
      ...(moved === undefined ? {} : { why: moved.problem }),
    })
    if ('problem' in end) return end
    if ('undone' in end) return { problem: moved?.problem ?? end.undone }
    if (request.into === loaded.placed.placement.base)
      await issues.tellLanded(loaded, { ...from, to: commit }).catch(problemOf)
    return brought
  })
}

const notLanded = (problem: string): Rejection => ({ code: 'not-landed', problem })

function whyNot(loaded: LoadedRun, into: string, { unfinished }: LandOrder): Rejection | null {
  const { run, state, discarded } = loaded
  if (discarded)
    return { code: 'gone', problem: `Run ${run} is discarded: its commits are not kept any more.` }
  if (into.startsWith('signalbox/') || into.startsWith('-'))
    return notLanded(`${into} is no branch of yours to land in. Name one: --into BRANCH`)
  if (state.status !== 'ended' && !unfinished)
    return notLanded(
      `Run ${run} still goes on. Wait for its end, or land what is committed so far: signalbox land ${run} --unfinished`,
    )
  return null
}

/** How many gates it passed; or why not. */
async function judgeLanding(
  needs: DutyNeeds,
  { loaded, events }: LandedRun,
  { plan, order }: { readonly plan: LandPlan; readonly order: LandOrder },
): Promise<number | Rejection> {
  if (order.gates === 'skip' || plan.how === 'nothing') return 0
  const passed = passedAt(
    events.map(({ data }) => data as RunEvent),
    plan.after,
  )
  const gates = gatesOf(loaded)
  for (const gate of gates) {
    if (passed.has(gate.step)) continue
    const result = await putGate(needs, { loaded: { ...loaded, commit: plan.after }, gate })
    if ('problem' in result) return notLanded(result.problem)
    if (result.exitCode !== 0)
      return notLanded(
        [
          `The gate of ${gate.step} failed on what would be landed (exit code ${result.exitCode ?? 'none'}), so nothing was moved: ${gate.command}`,
          result.output.trimEnd(),
          'Mend it (signalbox update RUN brings the branch into a run that goes on), or land it all the same with --no-gate.',
        ]
          .filter((line) => line !== '')
          .join('\n'),
      )
  }
  return gates.length
}

const conflictText = (
  { run, placed, state }: LoadedRun,
  into: string,
  conflicts: readonly string[],
): string =>
  [
    `It does not merge into ${into}: both changed ${someNames(conflicts)}. Nothing was moved.`,
    state.status === 'ended'
      ? `Merge it by hand (git merge ${placed.placement.branch}).`
      : `Bring ${into} into the run, where its agent resolves it: signalbox update ${run}`,
  ].join(' ')

function messageOf({ program, placed, run }: LoadedRun, { how }: LandOrder): string {
  const title = placed.issue?.title ?? program.name
  return how === 'squash' ? title : `Merge ${placed.placement.branch}: ${title} (run ${run})`
}

const withTrailer = (message: string, run: string): string =>
  `${message.replaceAll('\0', '').trim()}\n\nSignalbox-Run: ${run}\n`
