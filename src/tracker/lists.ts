/**
 * The lists that follow from the issues: the index in the folder's README, by category, and in each issue that has parts the
 * list of them. What this program writes stands between two remarks and is made anew with every change; all around it stays.
 */
import { appended, commentsSection, insertedAtEnd } from './comments.ts'
import { parseFrontMatter } from './front-matter.ts'
import { asLinkText, oneLine, SUB_ISSUES } from './inert.ts'
import type { Issue } from './issue.ts'
import { type MarkdownOutline, outlineOf } from './markdown-outline.ts'
import { inDependencyOrder } from './order.ts'
import { bareLine, linesOf, spliced } from './text-lines.ts'
import { hasMoreLines, INDEX, type IssueTracker, MAX_ISSUE_LINES } from './tracker.ts'

/** The files whose lists are not as they should be, as they should be. Stops after each issue, as reading does. */
export function* findingOutdatedLists(
  tracker: IssueTracker,
): Generator<void, ReadonlyMap<string, string>, void> {
  const parts = partsByParent(tracker)
  const changed = new Map<string, string>()
  for (const { id } of tracker.issues) {
    const text = tracker.files.get(`${id}.md`) ?? ''
    const made = withParts(text, parts.get(id) ?? [])
    if (made !== text) changed.set(`${id}.md`, made)
    yield
  }
  const index = tracker.files.get(INDEX)
  // One that is too long to be read stays as it is.
  if (index !== undefined && hasMoreLines(index, MAX_ISSUE_LINES)) return changed
  const made = withIndex(index ?? NEW_INDEX, topLevel(tracker))
  if (made !== index && (index !== undefined || tracker.issues.length > 0)) changed.set(INDEX, made)
  return changed
}

/** A text with its lists empty. What only looks like one, in a block of code or within a line, is somebody's own. */
export const withoutLists = (text: string): string =>
  (['index', 'sub-issues'] as const).reduce((rest, name) => {
    const lines = linesOf(rest)
    const head = parseFrontMatter(lines)
    const outline = outlineOf(lines, 'problem' in head ? 0 : head.bodyAt)
    const standing = standingBlock(lines, outline, name)
    return standing === null || standing.count === 1 ? rest : withBlock(lines, standing, blockOf(name, []))
  }, text)

const NEW_INDEX = `# Issues

What stands between the two remarks is written by \`signalbox issue\`, anew with every change. The rest is yours.
`

const INDENTED_MOST = 8

export function partsByParent({ issues }: Pick<IssueTracker, 'issues'>): Map<string, Issue[]> {
  const parts = new Map<string, Issue[]>()
  for (const issue of issues) {
    if (issue.parent === '') continue
    const others = parts.get(issue.parent)
    if (others === undefined) parts.set(issue.parent, [issue])
    else others.push(issue)
  }
  return parts
}

function withParts(text: string, parts: readonly Issue[]): string {
  if (parts.length === 0 && !text.includes(beginOf('sub-issues'))) return text
  const lines = linesOf(text)
  const head = parseFrontMatter(lines)
  const outline = outlineOf(lines, 'problem' in head ? 0 : head.bodyAt)
  const block = blockOf('sub-issues', itemLines(parts))
  const standing = standingBlock(lines, outline, 'sub-issues')
  if (standing !== null) return withBlock(lines, standing, block)
  if (parts.length === 0) return text
  const section = outline.headings.find(({ level, title }) => level === 2 && SUB_ISSUES.test(title))
  if (section !== undefined) return insertedAtEnd(lines, { section, outline, by: ['', ...block] }).join('')
  const made = ['## Sub-issues', '', ...block]
  const comments = commentsSection(outline)
  if (comments !== null) return spliced(lines, { at: comments.at, by: [...made, ''] }).join('')
  return appended(lines, outline, made).join('')
}

function withIndex(text: string, issues: readonly Issue[]): string {
  const lines = linesOf(text)
  const outline = outlineOf(lines)
  if (lines.some((line, at) => outline.isText[at] === true && bareLine(line).trim() === NO_INDEX)) return text
  const block = blockOf('index', indexLines(issues))
  const standing = standingBlock(lines, outline, 'index')
  if (standing !== null) return withBlock(lines, standing, block)
  return appended(lines, outline, block).join('')
}

/** In a README that has this line nothing is written. */
const NO_INDEX = '<!-- signalbox:no-index -->'

/** Those that are part of nothing that is there. Parts that go in a circle are told, rather than lost. */
function topLevel({ issues, byId }: IssueTracker): Issue[] {
  const known = new Map<string, boolean>()
  const isReached = (issue: Issue): boolean => {
    const way = new Set<string>()
    let at: Issue | undefined = issue
    while (at !== undefined && !known.has(at.id) && !way.has(at.id)) {
      way.add(at.id)
      at = at.parent === '' ? undefined : byId.get(at.parent)
    }
    const reached = at === undefined || known.get(at.id) === true
    for (const id of way) known.set(id, reached)
    return reached
  }
  return issues.filter((issue) => !byId.has(issue.parent) || !isReached(issue))
}

function indexLines(issues: readonly Issue[]): string[] {
  const groups = new Map<string, Issue[]>()
  for (const issue of issues) {
    const category = oneLine(issue.category)
    const others = groups.get(category)
    if (others === undefined) groups.set(category, [issue])
    else others.push(issue)
  }
  const names = [...groups.keys()].filter((name) => name !== '').toSorted((a, b) => a.localeCompare(b, 'en'))
  const others = groups.get('') ?? []
  return [
    ...names.flatMap((name) => [`## ${asLinkText(name)}`, '', ...itemLines(groups.get(name) ?? []), '']),
    ...(names.length > 0 && others.length > 0 ? ['## Without a category', ''] : []),
    ...(others.length > 0 ? [...itemLines(others), ''] : []),
  ].slice(0, -1)
}

const itemLines = (issues: readonly Issue[]): string[] =>
  inDependencyOrder(issues).map(({ issue, depth, isInCircle }) => {
    const { id, title, status } = issue
    const indent = '  '.repeat(Math.min(depth, INDENTED_MOST))
    const mark = depth > 0 ? '↳ ' : isInCircle ? '↻ ' : ''
    return `${indent}- ${mark}[${id}](${id}.md) ${asLinkText(title)} · ${asLinkText(status)}`
  })

const beginOf = (name: string): string => `<!-- signalbox:${name} -->`
const endOf = (name: string): string => `<!-- /signalbox:${name} -->`

const blockOf = (name: string, inside: readonly string[]): string[] => [
  beginOf(name),
  ...(inside.length === 0 ? [] : ['', ...inside, '']),
  endOf(name),
]

/** One that says the same already stays, however its lines end. */
function withBlock(
  lines: readonly string[],
  standing: { readonly at: number; readonly count: number },
  block: readonly string[],
): string {
  const old = lines.slice(standing.at, standing.at + standing.count).map(bareLine)
  const isSame = old.length === block.length && old.every((line, at) => line === block[at])
  return (isSame ? lines : spliced(lines, { ...standing, by: block })).join('')
}

/** From its beginning to its end. Where that is lost, or anything else stands between, only its beginning is ours to replace. */
function standingBlock(
  lines: readonly string[],
  outline: MarkdownOutline,
  name: 'index' | 'sub-issues',
): { readonly at: number; readonly count: number } | null {
  const comments = name === 'index' ? null : commentsSection(outline)
  const isSaid = (at: number): boolean => comments !== null && comments.at < at && at < comments.end
  const find = (mark: string, from: number): number =>
    lines.findIndex(
      (line, at) =>
        at >= from && outline.isText[at] === true && bareLine(line).trim() === mark && !isSaid(at),
    )
  const at = find(beginOf(name), 0)
  if (at < 0) return null
  const end = find(endOf(name), at)
  const isMade = (line: string): boolean => MADE.test(line) || (name === 'index' && line.startsWith('## '))
  const isOurs = end >= 0 && lines.slice(at + 1, end).every((line) => isMade(bareLine(line)))
  return { at, count: isOurs ? end - at + 1 : 1 }
}

/** A line that we write, or that git puts there when two branches wrote some. */
const MADE = /^\s*$|^\s*- (?:[↳↻] )?\[[^\]]*\]\([^)]*\.md\) |^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/
