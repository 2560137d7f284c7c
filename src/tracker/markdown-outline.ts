/**
 * Where the headings of a Markdown text are, and which of its lines are text at all: what stands in a fenced block or in a
 * remark (`<!-- … -->`) is neither a heading nor a checkbox nor a mark of ours.
 */
import { bareLine, isBlank } from './text-lines.ts'

export interface MarkdownOutline {
  readonly headings: readonly MarkdownHeading[]
  /** By line: it is text, or a heading. */
  readonly isText: readonly boolean[]
  /** What would close that in which the text ends; null where all is closed. */
  readonly leftOpen: string | null
}

export interface MarkdownHeading {
  readonly at: number
  readonly level: number
  readonly title: string
  /** The first line that is no longer its section's. */
  readonly end: number
}

/** Indented further than this, a block is part of an item of a list, or none that ends later than the next line of text. */
const INNER = 3

interface Fence {
  readonly mark: string
  readonly indent: number
}

export function outlineOf(lines: readonly string[], from = 0): MarkdownOutline {
  const found: { at: number; level: number; title: string }[] = []
  const isText: boolean[] = lines.map(() => false)
  let fence: Fence | null = null
  let isRemark = false
  for (let at = from; at < lines.length; at++) {
    const line = bareLine(lines[at] ?? '')
    if (isRemark) isRemark = !line.includes('-->')
    else if (fence !== null && (!endsByIndent(line, fence) || isBlank(line))) {
      if (closes(line, fence)) fence = null
    } else {
      fence = fenceOf(line)
      isRemark = fence === null && /^ {0,3}<!--/.test(line) && !line.includes('-->', line.indexOf('<!--') + 4)
      isText[at] = fence === null && !isRemark
      const heading = isText[at] === true ? headingOf(line) : null
      if (heading !== null) found.push({ at, ...heading })
    }
  }
  return {
    headings: withEnds(found, lines.length),
    isText,
    leftOpen: isRemark ? '-->' : fence === null || fence.indent > INNER ? null : fence.mark,
  }
}

const fenceOf = (line: string): Fence | null => {
  const [, indent = '', mark = ''] = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  return mark === '' ? null : { mark, indent: indent.length }
}

const closes = (line: string, { mark }: Fence): boolean => {
  const bare = line.trim()
  return bare.length >= mark.length && bare === (mark[0] ?? '').repeat(bare.length)
}

/** A block in an item of a list is over with the item. */
const endsByIndent = (line: string, { indent }: Fence): boolean =>
  indent > INNER && (/^\s*/.exec(line)?.[0].length ?? 0) < indent

function headingOf(line: string): { level: number; title: string } | null {
  const found = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line)
  if (found === null) return null
  const title = (found[2] ?? '')
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim()
  return { level: (found[1] ?? '').length, title }
}

/** A section goes to the next heading of its level, or of one above it. */
function withEnds(
  found: readonly { at: number; level: number; title: string }[],
  length: number,
): MarkdownHeading[] {
  const nextAt = Array.from({ length: 7 }, () => length)
  return found
    .toReversed()
    .map((heading) => {
      const end = Math.min(...nextAt.slice(1, heading.level + 1))
      nextAt[heading.level] = heading.at
      return { ...heading, end }
    })
    .toReversed()
}
