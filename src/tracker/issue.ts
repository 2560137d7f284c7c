/** An issue: one Markdown file, of which this is what it says. */
import { commentsIn, commentsSection, type IssueComment } from './comments.ts'
import { criteriaIn, type IssueCriterion } from './criteria.ts'
import { parseFrontMatter } from './front-matter.ts'
import { itemsOf } from './front-matter-edit.ts'
import { SUB_ISSUES } from './inert.ts'
import { type MarkdownHeading, type MarkdownOutline, outlineOf } from './markdown-outline.ts'
import { bareLine, linesOf } from './text-lines.ts'

export interface Issue {
  readonly id: string
  readonly title: string
  /** As written; `Todo` when it says nothing. */
  readonly status: string
  readonly dependsOn: readonly string[]
  /** The issue it is a part of; empty for none. */
  readonly parent: string
  readonly labels: readonly string[]
  /** Under which it stands in the index; empty for none. */
  readonly category: string
  /** All that stands below the front matter. */
  readonly body: string
  /** The body without comments and without the list of sub-issues. */
  readonly description: string
  readonly criteria: readonly IssueCriterion[]
  readonly comments: readonly IssueComment[]
  /** Relative to the repository. */
  readonly path: string
}

export const DEPENDS_ON = ['depends-on', 'depends_on'] as const
export const LABELS = ['labels', 'label'] as const

export const STATUSES = ['Todo', 'In Progress', 'Done'] as const
export type IssueStatus = (typeof STATUSES)[number]

export function parseIssue({
  id,
  path,
  text,
}: {
  readonly id: string
  readonly path: string
  readonly text: string
}): Issue | { readonly problem: string } {
  const lines = linesOf(text)
  const head = parseFrontMatter(lines)
  if ('problem' in head) return { problem: `${path}, ${head.problem}` }
  const one = (key: string): string => {
    const value = head.fields.get(key)?.value ?? ''
    return typeof value === 'string' ? value : value.join(', ')
  }
  const several = ([key, other]: readonly [string, string]): string[] =>
    itemsOf(head.fields.get(key)?.value ?? head.fields.get(other)?.value ?? [])
  const own = one('id')
  if (own !== '' && own !== id)
    return {
      problem: `${path} says that its id is ${own.slice(0, 80)}. An id is the name of its file: rename one of them.`,
    }
  const outline = outlineOf(lines, head.bodyAt)
  return {
    id,
    title: one('title') || titleIn(outline) || id,
    status: one('status') || 'Todo',
    dependsOn: several(DEPENDS_ON),
    parent: one('parent'),
    labels: several(LABELS),
    category: one('category'),
    body: textOf(lines.slice(head.bodyAt)),
    description: textOf(without(lines.slice(head.bodyAt), ourSections(outline), head.bodyAt)),
    criteria: criteriaIn(lines, outline),
    comments: commentsIn(lines, outline),
    path,
  }
}

/** Nothing that could lead out of the folder or be taken for an option. */
export const isIssueId = (id: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(id) && !id.includes('..') && !id.endsWith('.')

/** Numbers in ids are compared as numbers. */
export const byIssueId = (a: { readonly id: string }, b: { readonly id: string }): number => {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(a.id, b.id)
}

/** Made for the first that are compared: it is slow to make, and much hangs on this page that compares none. */
let collator: Intl.Collator | null = null

/** However it is spelled: `in progress`, `in-progress`, `INPROGRESS`; null for one of somebody's own. */
export const statusOf = (text: string): IssueStatus | null =>
  STATUSES.find((status) => letters(status) === letters(text)) ?? null

export const letters = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '')

export const isDone = ({ status }: Pick<Issue, 'status'>): boolean => statusOf(status) === 'Done'

/** Comments, and the list of sub-issues, in their order. */
export function ourSections(outline: MarkdownOutline): MarkdownHeading[] {
  const comments = commentsSection(outline)
  return outline.headings.filter(
    (heading) => heading.at === comments?.at || (heading.level === 2 && SUB_ISSUES.test(heading.title)),
  )
}

/** Lines that begin at `from` of the file, but for some sections of it. */
function without(lines: readonly string[], sections: readonly MarkdownHeading[], from: number): string[] {
  const left: string[] = []
  let at = from
  for (const { at: begin, end } of sections) {
    for (; at < begin; at++) left.push(lines[at - from] ?? '')
    at = end
  }
  for (; at - from < lines.length; at++) left.push(lines[at - from] ?? '')
  return left
}

const titleIn = ({ headings }: MarkdownOutline): string =>
  headings.find(({ level, title }) => level === 1 && title !== '')?.title ?? ''

const textOf = (lines: readonly string[]): string => lines.map(bareLine).join('\n').trim()
