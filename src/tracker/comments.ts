/**
 * What was said about an issue: `## Comments`, with a heading of its own for each. What is added here is quoted, so that
 * whoever says it can say anything, and it stays a comment.
 */
import { asQuote, COMMENTS, oneLine } from './inert.ts'
import { type MarkdownHeading, type MarkdownOutline, outlineOf } from './markdown-outline.ts'
import { bareLine, isBlank, spliced } from './text-lines.ts'

export interface IssueComment {
  /** As it stands there: `2026-05-08 13:02 UTC`; empty where it does not say. */
  readonly at: string
  readonly by: string
  readonly text: string
}

export function commentsIn(lines: readonly string[], outline: MarkdownOutline): IssueComment[] {
  const section = commentsSection(outline)
  if (section === null) return []
  const begins = outline.headings.filter(
    ({ at, level }) => level === 3 && section.at < at && at < section.end,
  )
  const first = begins[0]?.at ?? section.end
  const said = begins.map(({ at, title }, index) => ({
    ...whoAndWhen(title),
    text: unquoted(lines.slice(at + 1, begins[index + 1]?.at ?? section.end)),
  }))
  const before = unquoted(lines.slice(section.at + 1, first))
  return before === '' ? said : [{ at: '', by: '', text: before }, ...said]
}

export function withComment(
  lines: readonly string[],
  { comment, bodyAt }: { readonly comment: IssueComment; readonly bodyAt: number },
): string[] {
  const outline = outlineOf(lines, bodyAt)
  const section = commentsSection(outline)
  const said = [`### ${comment.at}, ${nameOf(comment.by)}`, '', ...asQuote(comment.text)]
  if (section !== null) return insertedAtEnd(lines, { section, outline, by: ['', ...said] })
  return appended(lines, outline, ['## Comments', '', ...said])
}

/** The last one: a text that speaks of comments stands before it. */
export const commentsSection = ({ headings }: MarkdownOutline): MarkdownHeading | null =>
  headings.findLast(({ level, title }) => level === 2 && COMMENTS.test(title)) ?? null

/** At the end of a section, before the blank lines that part it from the next. */
export function insertedAtEnd(
  lines: readonly string[],
  {
    section,
    outline,
    by,
  }: { readonly section: MarkdownHeading; readonly outline: MarkdownOutline; readonly by: readonly string[] },
): string[] {
  const isLast = section.end === lines.length
  if (isLast && outline.leftOpen !== null)
    return spliced(lines, { at: lines.length, by: [outline.leftOpen, ...by] })
  let at = section.end
  while (at > section.at + 1 && isBlank(lines[at - 1])) at--
  const isParted = isLast || at < section.end
  return spliced(lines, { at, by: isParted ? by : [...by, ''] })
}

/** A section of its own at the end of all, whatever the text before it left open. */
export function appended(
  lines: readonly string[],
  { leftOpen }: MarkdownOutline,
  by: readonly string[],
): string[] {
  const gap = lines.length === 0 || isBlank(lines.at(-1)) ? [] : ['']
  return spliced(lines, { at: lines.length, by: [...(leftOpen === null ? [] : [leftOpen]), ...gap, ...by] })
}

const nameOf = (by: string): string =>
  oneLine(by)
    .replace(/[\s#]+$/, '')
    .slice(0, 100) || 'unnamed'

function whoAndWhen(title: string): Pick<IssueComment, 'at' | 'by'> {
  const found =
    /^(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?)?)(?:[\s,:·|—–-]+(.*))?$/.exec(
      title,
    )
  return found === null ? { at: '', by: title } : { at: found[1] ?? '', by: found[2] ?? '' }
}

function unquoted(lines: readonly string[]): string {
  const bare = lines.map((line) => bareLine(line))
  const isQuote = bare.every((line) => isBlank(line) || line.startsWith('>'))
  return (isQuote ? bare.map((line) => line.replace(/^> ?/, '')) : bare).join('\n').trim()
}
