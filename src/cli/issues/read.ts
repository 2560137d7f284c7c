/** `signalbox issue list|show|next`. */
import { type Issue, letters } from '../../tracker/issue.ts'
import { issueIn, nextIssues } from '../../tracker/readiness.ts'
import { isRefused } from '../../tracker/refusal.ts'
import type { IssueTracker } from '../../tracker/tracker.ts'
import { EXIT } from '../exit.ts'
import { plural, visible } from '../terminal/terminal.ts'
import { issuesData, issueText, listText } from './issue-view.ts'
import { deny, type IssueSetting, withIssues, withTracker } from './setting.ts'
import { waitingText } from './sync.ts'

export interface IssueReadOptions {
  readonly json?: boolean
}

export interface IssueListOptions extends IssueReadOptions {
  readonly status?: string
  readonly label?: readonly string[]
  readonly parent?: string
}

export const issueList = (options: IssueListOptions, setting: IssueSetting): Promise<number> =>
  withTracker(setting, async (tracker, place) => {
    const { terminal } = setting
    const parent = options.parent === undefined ? null : issueIn(tracker, options.parent)
    if (parent !== null && isRefused(parent)) return deny(terminal, parent)
    const issues = tracker.issues.filter((issue) => fits(issue, options))
    const problems = tracker.problems.map(({ problem }) => ({ problem }))
    if (options.json === true)
      terminal.write(JSON.stringify({ issues: issuesData(issues, tracker), problems }, null, 2))
    else
      terminal.write(
        [
          issues.length > 0 ? listText(issues, { tracker, terminal }) : noneText(tracker),
          problems.map(({ problem }) => `${terminal.paint('red', '✗')} ${visible(problem)}`).join('\n'),
          await waitingText(place, setting),
        ]
          .filter((text) => text !== '')
          .join('\n\n'),
      )
    return problems.length > 0 ? EXIT.failed : EXIT.ok
  })

const fits = (issue: Issue, { status, label = [], parent }: IssueListOptions): boolean =>
  (status === undefined || letters(issue.status) === letters(status)) &&
  (parent === undefined || issue.parent === parent) &&
  label.every((each) => issue.labels.includes(each))

const noneText = ({ issues }: IssueTracker): string =>
  issues.length === 0
    ? 'No issues yet. signalbox issue new "TITLE" writes one.'
    : `None of ${plural(issues.length, 'issue')} is like that.`

export const issueShow = (id: string, options: IssueReadOptions, setting: IssueSetting): Promise<number> =>
  withIssues(setting, async (tracker, place) => {
    const { terminal } = setting
    const issue = issueIn(tracker, id)
    const waits = options.json === true ? '' : await waitingText(place, setting, id)
    if (isRefused(issue))
      return deny(terminal, waits === '' ? issue : { ...issue, problem: `${issue.problem} ${waits}` })
    const [data] = issuesData([issue], tracker)
    const text =
      options.json === true ? JSON.stringify(data, null, 2) : issueText(issue, { tracker, terminal })
    terminal.write([text, waits].filter((part) => part !== '').join('\n\n'))
    return EXIT.ok
  })

/** Ends with 3 where nothing can be begun now. */
export const issueNext = (options: IssueReadOptions, setting: IssueSetting): Promise<number> =>
  withTracker(setting, (tracker) => {
    const { terminal } = setting
    const { ready, underWay, waiting } = nextIssues(tracker)
    const [first] = ready
    const ids = (issues: readonly Issue[]): string[] => issues.map(({ id }) => id)
    if (options.json === true) {
      const [next = null] = issuesData(ready.slice(0, 1), tracker)
      terminal.write(
        JSON.stringify({ next, ready: ids(ready), underWay: ids(underWay), waiting: ids(waiting) }, null, 2),
      )
    } else if (first !== undefined)
      terminal.write(
        `${terminal.paint('bold', first.id)}  ${visible(first.title)}${ready.length > 1 ? `  ${terminal.paint('dim', `${ready.length - 1} more could be begun`)}` : ''}`,
      )
    else
      terminal.write(
        `Nothing can be begun: ${plural(underWay.length, 'issue')} under way, ${waiting.length} waiting for others.`,
      )
    return first === undefined ? EXIT.waiting : EXIT.ok
  })

/** The status alone, for scripts. */
export const issueStatusTold = (
  id: string,
  options: IssueReadOptions,
  setting: IssueSetting,
): Promise<number> =>
  withIssues(setting, (tracker) => {
    const { terminal } = setting
    const issue = issueIn(tracker, id)
    if (isRefused(issue)) return deny(terminal, issue)
    const [data] = issuesData([issue], tracker)
    terminal.write(options.json === true ? JSON.stringify(data, null, 2) : visible(issue.status))
    return EXIT.ok
  })
