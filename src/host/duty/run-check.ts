/**
 * A check step: a command answers. One that says what it writes works in the worktree, and that is
 * committed; one that changes issues does nothing else; any other judges.
 */
import type { ShellResult } from '../../drivers/index.ts'
import type { Fact } from '../../model/fact.ts'
import { type CheckStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { lookupOf } from '../runs/world.ts'
import type { Problem } from '../workspace/problem.ts'
import { changeIssues } from './change-issues.ts'
import { runCommand } from './command.ts'
import { type DutyNeeds, type DutyOf, settle, standing, type Work } from './duty.ts'
import { type Judging, judge } from './judgement.ts'
import { type OtherSeats, prepareWorkspace } from './leftovers.ts'
import { throwForNoRoom, untilRoom } from './patience.ts'
import { setUp, setupOf } from './setup.ts'

type Checking = Work<DutyOf<'run-check'>>

export async function runCheck(
  needs: DutyNeeds & { readonly others: OtherSeats },
  work: Checking,
): Promise<void> {
  const found = await standing(needs, work)
  if (found === null) return
  const { step, visit } = work.duty
  const report = { type: 'check.report', step, visit } as const
  const failed = (output: string) =>
    settle(needs, work, { ...report, at: needs.clock.now(), exitCode: null, output, timedOut: false })

  const place = await needs.workplaces.ensure(found)
  if ('problem' in place) {
    await failed(place.problem)
    return
  }
  const loaded = await prepareWorkspace(needs, work, found)
  if (loaded === null) return
  const check = stepOf(loaded.program, step) as CheckStep
  await untilRoom(needs, loaded)
  const checked = await checkedBy(needs, work, { loaded, check })
  if ('problem' in checked) {
    throwForNoRoom(needs, loaded, { exitCode: null, output: checked.problem })
    await failed(checked.problem)
    return
  }
  const { result, facts, commit, beside, redefined } = checked
  if (result.aborted) return
  throwForNoRoom(needs, loaded, result)
  const at = needs.clock.now()
  const { exitCode, timedOut } = result
  const output = check.answers === 'json' ? result.stdout : result.output
  await settle(
    needs,
    work,
    { type: 'run.record', at, facts },
    {
      ...report,
      at,
      exitCode,
      output,
      timedOut,
      commit,
      ...(beside.length === 0 ? {} : { beside }),
      ...(redefined.length === 0 ? {} : { redefined }),
    },
  )
  if (check.issues === 'write') await needs.workplaces.issues.forgetUnfinished(loaded)
}

interface Checked {
  readonly result: ShellResult
  readonly facts: readonly Fact[]
  /** The commit it speaks of, or made. */
  readonly commit: string
  readonly beside: readonly string[]
  readonly redefined: readonly string[]
}

async function checkedBy(
  needs: DutyNeeds,
  { duty: { step, visit }, signal }: Checking,
  { loaded, check }: { readonly loaded: LoadedRun; readonly check: CheckStep },
): Promise<Checked | Problem> {
  const command = renderCommand(check.run, lookupOf(loaded))
  const { timeLimitMs, writes } = check
  const judging: Judging = { loaded, step, visit, who: 'check', command, timeLimitMs, signal }
  if (check.issues === 'write') {
    const changed = await changeIssues(needs, judging, check)
    return 'problem' in changed ? changed : { ...changed, commit: loaded.commit, beside: [], redefined: [] }
  }
  const isSetup = setupOf(loaded)?.name === step
  if (!isSetup && writes === undefined) {
    const judged = await judge(needs, judging)
    return 'problem' in judged ? judged : { ...judged, commit: loaded.commit }
  }
  const result = isSetup ? await setUp(needs, judging) : await runCommand(needs, judging)
  if ('problem' in result) return result
  if (result.aborted) return { result, facts: [], commit: loaded.commit, beside: [], redefined: [] }
  const boundary = writes === undefined ? null : [writes]
  const message = `${step}: check`
  const left = await needs.workplaces.collectWork({ loaded, step, visit, member: 0, boundary, message })
  return 'problem' in left
    ? left
    : { result, facts: left.facts, commit: left.commit, beside: [], redefined: [] }
}
