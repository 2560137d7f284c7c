/**
 * A check that changes issues. Its command works on a clean checkout in which the issues are as they are now; what it changed
 * of them is committed on the branch that keeps such changes, and nothing else that it wrote is kept. What ends as a fault
 * changed nothing, so that it can be tried again.
 */
import type { ShellResult } from '../../drivers/index.ts'
import { checkOutcome } from '../../engine/index.ts'
import type { Fact } from '../../model/fact.ts'
import { isFault } from '../../model/fault.ts'
import type { CheckStep } from '../../model/program.ts'
import type { IssueChange } from '../tracker/issue-change.ts'
import type { Problem } from '../workspace/problem.ts'
import { runCommand } from './command.ts'
import type { DutyNeeds } from './duty.ts'
import { failedBy, type Judging, onCleanCheckout, placeOf } from './judgement.ts'

export interface ChangedIssues {
  readonly result: ShellResult
  readonly facts: readonly Fact[]
}

export function changeIssues(
  needs: DutyNeeds,
  judging: Judging,
  check: CheckStep,
): Promise<ChangedIssues | Problem> {
  const { loaded, step, visit } = judging
  const { issues } = needs.workplaces
  const by = { run: loaded.run, step, visit }
  return issues.inTurn(loaded, async () => {
    const left = await issues.unfinished(loaded, by)
    let outdated = ''
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const worked = tries === 1 && left !== null ? left : await work(needs, judging, check)
      if ('problem' in worked) return worked
      const { change, result, facts } = worked
      if (change.length === 0) return { result, facts }
      if (worked !== left) await issues.keepUnfinished(loaded, { by, change, result, facts })
      const committed = await issues.commit(loaded, by, change)
      if ('problem' in committed) return committed
      if ('commit' in committed) {
        const at = needs.clock.now()
        const { commit, issues: ids, comments } = committed
        const changed: Fact = {
          ...{ type: 'issues.changed', at, step, visit, issues: ids, commit },
          ...(comments.length === 0 ? {} : { comments }),
        }
        return { result, facts: [...facts, changed] }
      }
      await issues.forgetUnfinished(loaded)
      outdated = committed.outdated
    }
    return { problem: `No change of an issue was kept. ${outdated}` }
  })
}

/** Once more where what it was made of has changed meanwhile; and after a crash, what was left counts as one. */
const MOST_TRIES = 3

interface Worked extends ChangedIssues {
  readonly change: IssueChange
}

async function work(needs: DutyNeeds, judging: Judging, check: CheckStep): Promise<Worked | Problem> {
  const { workplaces } = needs
  const { issues } = workplaces
  const { loaded } = judging
  const tracker = await issues.now(loaded)
  if ('problem' in tracker) return tracker
  const worked = await onCleanCheckout(needs, judging, async (checkout): Promise<Worked | Problem> => {
    const problem = await issues.lay(loaded, tracker, checkout)
    if (problem !== null) return problem
    const result = await runCommand(needs, { ...judging, place: placeOf(checkout), issues: 'in place' })
    if (result.aborted) return { result, facts: [], change: [] }
    const facts = await workplaces.keepFrom(checkout, judging)
    if (isFault(outcomeOf(check, result))) return { result, facts, change: [] }
    const change = await issues.collect(loaded, tracker, checkout)
    return 'problem' in change ? change : { result, facts, change }
  })
  if (!('unprepared' in worked)) return worked
  return { ...failedBy(worked.unprepared), change: [] }
}

const outcomeOf = (check: CheckStep, { exitCode, output, stdout, timedOut }: ShellResult): string =>
  checkOutcome(check, { exitCode, output: check.answers === 'json' ? stdout : output, timedOut }).outcome
