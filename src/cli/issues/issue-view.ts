/** Issues as they are told: on paper, and as data. */
import { type Issue, isDone } from '../../tracker/issue.ts'
import { partsByParent } from '../../tracker/lists.ts'
import { unmetDependencies } from '../../tracker/readiness.ts'
import type { IssueTracker } from '../../tracker/tracker.ts'
import { type Terminal, table, visible } from '../terminal/terminal.ts'

export function listText(
  issues: readonly Issue[],
  { tracker, terminal }: { readonly tracker: IssueTracker; readonly terminal: Terminal },
): string {
  const { paint } = terminal
  const hasCriteria = issues.some(({ criteria }) => criteria.length > 0)
  const rows = issues.map((issue) => [
    issue.id,
    visible(issue.status),
    ...(hasCriteria ? [metText(issue)] : []),
    unmetDependencies(issue, tracker)
      .map(({ id }) => visible(id))
      .join(', ') || '·',
    visible(issue.title),
  ])
  const columns = [
    { head: 'ISSUE', paint: (cell: string) => paint('bold', cell) },
    {
      head: 'STATUS',
      paint: (cell: string) => paint(cell.toLowerCase() === 'done' ? 'green' : 'cyan', cell),
    },
    ...(hasCriteria
      ? [{ head: 'MET', paint: (cell: string) => (cell === '·' ? paint('dim', cell) : cell) }]
      : []),
    { head: 'WAITS FOR', paint: (cell: string) => paint(cell === '·' ? 'dim' : 'yellow', cell) },
    { head: 'TITLE' },
  ]
  return table(columns, rows, '')
}

const metText = ({ criteria }: Issue): string =>
  criteria.length === 0 ? '·' : `${criteria.filter(({ isMet }) => isMet).length}/${criteria.length}`

export function issueText(
  issue: Issue,
  { tracker, terminal }: { tracker: IssueTracker; terminal: Terminal },
): string {
  const { paint } = terminal
  const parts = partsOf(issue, tracker)
  const met = issue.criteria.filter(({ isMet }) => isMet).length
  const facts = [
    ['status', issue.status],
    ['criteria', issue.criteria.length === 0 ? '' : `${met} of ${issue.criteria.length} met`],
    ['depends on', issue.dependsOn.join(', ')],
    [
      'waits',
      unmetDependencies(issue, tracker)
        .map(({ why }) => why)
        .join('; '),
    ],
    ['part of', issue.parent],
    ['sub-issues', parts.length === 0 ? '' : `${parts.filter(isDone).length} of ${parts.length} done`],
    ['labels', issue.labels.join(', ')],
    ['category', issue.category],
    ['file', issue.path],
  ].filter(([, text]) => text !== '')
  return [
    `${paint('bold', issue.id)}  ${paint('bold', visible(issue.title))}`,
    ...facts.map(([name = '', text = '']) => `  ${paint('dim', name.padEnd(12))}${visible(text)}`),
    ...(issue.body === '' ? [] : ['', harmless(issue.body)]),
  ].join('\n')
}

/** With what keeps each from starting, and its parts. */
export function issuesData(issues: readonly Issue[], tracker: IssueTracker) {
  const parts = partsByParent(tracker)
  return issues.map((issue) => ({
    ...issue,
    waitsFor: unmetDependencies(issue, tracker),
    subIssues: (parts.get(issue.id) ?? []).map(({ id, title, status }) => ({ id, title, status })),
  }))
}

const partsOf = ({ id }: Issue, { issues }: IssueTracker): Issue[] =>
  issues.filter(({ parent }) => parent === id)

/** All lines of it, and nothing that could move the cursor. */
const harmless = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, ' ')
