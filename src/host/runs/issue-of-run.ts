/** The issue that a run is to be about: as it is now, with what runs changed of it, or why no work on it can begin. */
import type { CapturedIssue } from '../../model/fact.ts'
import { dependencyRefusals, issueIn } from '../../tracker/readiness.ts'
import { type IssueRefusal, isRefused } from '../../tracker/refusal.ts'
import { trackerMissing } from '../issue/issues.ts'
import { issuesNow } from '../tracker/issues-now.ts'
import { problemOf } from '../workspace/git.ts'

export interface IssueRequest {
  readonly repo: string
  readonly configured: string | null
  /** The commit that the run would begin with. */
  readonly base: string
  readonly id: string
}

/** By the words of `issue preflight`, each with its code. */
export async function issueOfRun({
  id,
  ...place
}: IssueRequest): Promise<CapturedIssue | { readonly problems: readonly string[] }> {
  const tracker = await issuesNow(place).catch(problemOf)
  if (tracker !== null && 'problem' in tracker) return { problems: [tracker.problem] }
  if (tracker === null) return { problems: [told(trackerMissing(place))] }
  const issue = issueIn(tracker, id)
  if (isRefused(issue)) return { problems: [told(issue)] }
  const refusals = dependencyRefusals(issue, tracker)
  if (refusals.length > 0) return { problems: refusals.map(told) }
  const { title, status, body, path } = issue
  return { id, title, status, body, path, parent: issue.parent, labels: issue.labels.join(', ') }
}

const told = ({ code, problem }: IssueRefusal): string => `${problem} (${code})`
