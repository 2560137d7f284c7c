/** `signalbox issue new|list|show`: the issues of the repository that the user stands in. */
import { resolve } from 'node:path'
import { text as allOf } from 'node:stream/consumers'
import { type Issue, issueIds, listIssues, readIssue, unmetDependencies } from '../../host/issue/issue.ts'
import { newIssue } from '../../host/issue/new-issue.ts'
import { codeOf } from '../../host/workspace/file-error.ts'
import type { Problem } from '../../host/workspace/problem.ts'
import { nearest } from '../../model/nearest.ts'
import { EXIT } from '../exit.ts'
import { readBytes } from '../files.ts'
import { complain } from '../terminal/complaint.ts'
import { type Terminal, table, visible } from '../terminal/terminal.ts'
import { findRepository } from './repository.ts'

export interface IssueNewOptions {
  /** What is to be done, and how one can see that it is done. */
  readonly body?: string
  /** The body in a file; `-` is standard input. */
  readonly file?: string
  readonly json?: boolean
}

export interface IssueReadOptions {
  readonly json?: boolean
}

export interface IssueSetting {
  /** Where the user stands, unless it is here. */
  readonly dir?: string
  readonly input?: NodeJS.ReadableStream
}

export async function issueNew(
  title: string,
  options: IssueNewOptions,
  { terminal, ...setting }: IssueSetting & { readonly terminal: Terminal },
): Promise<number> {
  if (options.body !== undefined && options.file !== undefined)
    return complain(terminal, 'The body comes from --body or from --file, not from both.', EXIT.usage)
  return inRepository(terminal, setting, async (repo) => {
    const body = await bodyOf(options, setting)
    if ('problem' in body) return complain(terminal, body.problem, EXIT.failed)
    const issue = await newIssue({ repo, title, body: body.text })
    if ('problem' in issue) return complain(terminal, issue.problem, EXIT.failed)
    if (options.json === true) terminal.write(JSON.stringify(issue, null, 2))
    else
      terminal.write(
        `${terminal.paint('green', '✓')} ${terminal.paint('bold', issue.id)}  ${visible(issue.title)}  ${terminal.paint('dim', issue.path)}`,
      )
    return EXIT.ok
  })
}

export function issueList(
  options: IssueReadOptions,
  terminal: Terminal,
  setting: IssueSetting = {},
): Promise<number> {
  return inRepository(terminal, setting, async (repo) => {
    const { issues, problems } = await listIssues({ repo })
    if (options.json === true)
      terminal.write(
        JSON.stringify({ issues: issues.map((each) => withWaiting(each, issues)), problems }, null, 2),
      )
    else terminal.write(listText(issues, problems, terminal))
    return problems.length > 0 ? EXIT.failed : EXIT.ok
  })
}

export function issueShow(
  id: string,
  options: IssueReadOptions,
  { terminal, ...setting }: IssueSetting & { readonly terminal: Terminal },
): Promise<number> {
  return inRepository(terminal, setting, async (repo) => {
    const issue = await readIssue({ repo, id })
    if ('problem' in issue) {
      const near = nearest(id, await issueIds(repo))
      const hint = near === undefined || near === id ? '' : ` Did you mean ${near}?`
      return complain(terminal, `${issue.problem}${hint}`, EXIT.usage)
    }
    const { issues } = await listIssues({ repo })
    if (options.json === true) terminal.write(JSON.stringify(withWaiting(issue, issues), null, 2))
    else terminal.write(issueText(issue, issues, terminal))
    return EXIT.ok
  })
}

/** At the border: what the file system said becomes a sentence. */
async function inRepository(
  terminal: Terminal,
  { dir = process.cwd() }: IssueSetting,
  act: (repo: string) => Promise<number>,
): Promise<number> {
  const found = await findRepository(dir)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.failed)
  try {
    return await act(found.repo)
  } catch (error) {
    if (codeOf(error) === '') throw error
    return complain(terminal, `The issues cannot be used: ${(error as Error).message}`, EXIT.failed)
  }
}

async function bodyOf(
  { body, file }: IssueNewOptions,
  { dir = process.cwd(), input = process.stdin }: IssueSetting,
): Promise<{ readonly text: string } | Problem> {
  if (file === undefined) return { text: body ?? '' }
  if (file === '-') return { text: await allOf(input) }
  const read = readBytes(resolve(dir, file))
  return read.kind === 'bytes'
    ? { text: new TextDecoder().decode(read.bytes) }
    : { problem: `${file} ${read.why}.` }
}

/** With what keeps it from starting. */
const withWaiting = (issue: Issue, all: readonly Issue[]) => ({
  ...issue,
  waitsFor: unmetDependencies(issue, all),
})

function listText(issues: readonly Issue[], problems: readonly Problem[], { paint }: Terminal): string {
  const rows = issues.map((issue) => [
    issue.id,
    visible(issue.status),
    unmetDependencies(issue, issues)
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
    { head: 'WAITS FOR', paint: (cell: string) => paint(cell === '·' ? 'dim' : 'yellow', cell) },
    { head: 'TITLE' },
  ]
  return [
    rows.length === 0 ? 'No issues yet. signalbox issue new "TITLE" writes one.' : table(columns, rows, ''),
    problems.map(({ problem }) => `${paint('red', '✗')} ${visible(problem)}`).join('\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function issueText(issue: Issue, all: readonly Issue[], { paint }: Terminal): string {
  const unmet = unmetDependencies(issue, all).map(({ why }) => why)
  const facts = [
    ['status', issue.status],
    ['depends on', issue.dependsOn.join(', ')],
    ['waits', unmet.join('; ')],
    ['part of', issue.parent],
    ['labels', issue.labels.join(', ')],
    ['file', issue.path],
  ].filter(([, text]) => text !== '')
  return [
    `${paint('bold', issue.id)}  ${paint('bold', visible(issue.title))}`,
    ...facts.map(([name = '', text = '']) => `  ${paint('dim', name.padEnd(12))}${visible(text)}`),
    ...(issue.body === '' ? [] : ['', harmless(issue.body)]),
  ].join('\n')
}

/** All lines of it, and nothing that could move the cursor. */
const harmless = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, ' ')
