/** The status that an issue's criteria give it. */
import { type Issue, type IssueStatus, isDone } from './issue.ts'
import type { IssueTracker } from './tracker.ts'

/** Done when every criterion is met. One that has no criteria is done by its sub-issues: when none of them is open. */
export function statusByCriteria({ id, criteria }: Issue, { issues }: IssueTracker): IssueStatus {
  const isOver =
    criteria.length > 0
      ? criteria.every(({ isMet }) => isMet)
      : !issues.some((issue) => issue.parent === id && !isDone(issue))
  return isOver ? 'Done' : 'In Progress'
}
