/** Why something cannot be done with issues: a code that scripts can hold to, and a sentence. */

export type IssueRefusalCode =
  | 'tracker-missing'
  | 'issue-not-found'
  | 'issue-malformed'
  | 'dependency-unmet'
  | 'dependency-missing'
  | 'dependency-cycle'
  | 'parent-cycle'
  | 'criterion-not-found'
  | 'status-unknown'
  | 'text-empty'
  | 'text-too-long'
  | 'tasks-malformed'
  | 'cannot-read'
  | 'cannot-write'
  | 'no-repository'
  | 'bare-repository'
  | 'detached-head'
  | 'no-own-branch'
  | 'not-clean'
  | 'both-changed'
  | 'issues-lost'

export interface IssueRefusal {
  readonly code: IssueRefusalCode
  readonly problem: string
}

export const refuse = (code: IssueRefusalCode, problem: string): IssueRefusal => ({ code, problem })

export const isRefused = (value: object): value is IssueRefusal => 'problem' in value && 'code' in value
