/** Which issue can be worked on, and what keeps it from that. */
import { nearest } from '../model/nearest.ts'
import { byIssueId, type Issue, isDone, isIssueId, statusOf } from './issue.ts'
import { circleFrom } from './order.ts'
import { type IssueRefusal, refuse } from './refusal.ts'
import type { IssueTracker } from './tracker.ts'

/** The issue of an id, or why there is none. */
export function issueIn(tracker: IssueTracker, id: string): Issue | IssueRefusal {
  const found = tracker.byId.get(id)
  if (found !== undefined) return found
  if (!isIssueId(id))
    return refuse(
      'issue-not-found',
      `"${id.slice(0, 80)}" is not the id of an issue. Ids are letters, digits, ".", "_" and "-".`,
    )
  const wrong = tracker.problems.find((each) => each.id === id)
  if (wrong !== undefined) return refuse('issue-malformed', wrong.problem)
  const near = nearest(id, tracker.byId.keys())
  return refuse(
    'issue-not-found',
    `There is no issue ${id} in ${tracker.folder}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  )
}

/** Those of its dependencies that keep it from starting, each with why. */
export const unmetDependencies = (
  issue: Pick<Issue, 'dependsOn'>,
  { byId }: Pick<IssueTracker, 'byId'>,
): { readonly id: string; readonly why: string }[] =>
  issue.dependsOn.flatMap((id) => {
    const needed = byId.get(id)
    if (needed === undefined) return [{ id, why: `${id} has no file that can be read` }]
    return isDone(needed) ? [] : [{ id, why: `${id} is ${needed.status}` }]
  })

/** All that its dependencies have against it, the worst first. */
export function dependencyRefusals({ id, dependsOn }: Issue, tracker: IssueTracker): IssueRefusal[] {
  const circle = circleFrom(id, (each) => tracker.byId.get(each)?.dependsOn ?? [])
  const missing = dependsOn.filter((each) => !tracker.byId.has(each))
  const unmet = dependsOn.flatMap((each) => {
    const needed = tracker.byId.get(each)
    return needed === undefined || isDone(needed) ? [] : [`${each} is ${needed.status}`]
  })
  return [
    ...(circle === null
      ? []
      : [
          refuse(
            'dependency-cycle',
            `The dependencies of ${id} go in a circle: ${circle.join(' → ')}. Take one of them out of depends-on.`,
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [
          refuse(
            'dependency-missing',
            `${id} depends on ${missing.join(', ')}, which ${missing.length === 1 ? 'does' : 'do'} not exist in ${tracker.folder} or cannot be read.`,
          ),
        ]),
    ...(unmet.length === 0
      ? []
      : [refuse('dependency-unmet', `${id} depends on what is not done: ${unmet.join('; ')}.`)]),
  ]
}

export interface NextIssues {
  /** All that could be begun now, the best first. */
  readonly ready: readonly Issue[]
  /** Begun and not done. */
  readonly underWay: readonly Issue[]
  /** Not begun, and not to be begun yet. */
  readonly waiting: readonly Issue[]
}

/**
 * Ready is what nobody has begun and what waits for nothing: all it depends on is done, and so are its sub-issues. Parts of
 * an issue that is under way come first, so that what was begun is finished.
 */
export function nextIssues(tracker: IssueTracker): NextIssues {
  const { issues, byId } = tracker
  const open = issues.filter((issue) => !isDone(issue))
  const withOpenParts = new Set(open.map(({ parent }) => parent))
  const isBegun = ({ status }: Issue): boolean => statusOf(status) !== 'Todo'
  const todo = open.filter((issue) => !isBegun(issue))
  const isReady = (issue: Issue): boolean =>
    !withOpenParts.has(issue.id) && unmetDependencies(issue, tracker).length === 0
  const goesOn = ({ parent }: Issue): number => {
    const whole = byId.get(parent)
    return whole !== undefined && !isDone(whole) && isBegun(whole) ? 0 : 1
  }
  return {
    ready: todo.filter(isReady).toSorted((a, b) => goesOn(a) - goesOn(b) || byIssueId(a, b)),
    underWay: open.filter(isBegun),
    waiting: todo.filter((issue) => !isReady(issue)),
  }
}
