/** What an issue is done by: the checkboxes under `## Acceptance criteria`, and those alone. */
import { COMMENTS, CRITERIA, SUB_ISSUES } from './inert.ts'
import { type MarkdownHeading, type MarkdownOutline, outlineOf } from './markdown-outline.ts'
import { bareLine, isBlank } from './text-lines.ts'

export interface IssueCriterion {
  /** Counted from 1, through the file. */
  readonly number: number
  readonly text: string
  readonly isMet: boolean
}

interface PlacedCriterion extends IssueCriterion {
  readonly at: number
}

export const criteriaIn = (lines: readonly string[], outline: MarkdownOutline): IssueCriterion[] =>
  placed(lines, outline).map(({ at: _, ...criterion }) => criterion)

/** With some of them checked or not; `numbers` are known to be there. */
export function withChecks(
  lines: readonly string[],
  { numbers, isMet, bodyAt }: { numbers: readonly number[]; isMet: boolean; bodyAt: number },
): string[] {
  const wanted = new Set(numbers)
  const places = placed(lines, outlineOf(lines, bodyAt)).filter(({ number }) => wanted.has(number))
  const changed = new Set(places.filter((each) => each.isMet !== isMet).map(({ at }) => at))
  return lines.map((line, at) => (changed.has(at) ? line.replace(/\[[ xX]\]/, isMet ? '[x]' : '[ ]') : line))
}

/** Sections called so, wherever they stand but among comments. */
export function criteriaSections({ headings }: MarkdownOutline): MarkdownHeading[] {
  const sections: MarkdownHeading[] = []
  let [free, isOurs] = [0, false]
  for (const heading of headings) {
    const endsOther = heading.level === 2 && (COMMENTS.test(heading.title) || SUB_ISSUES.test(heading.title))
    const last = sections.at(-1)
    // Below a heading of the first level, they would be parts of it.
    if (endsOther && last !== undefined && heading.at < last.end && !isOurs)
      sections[sections.length - 1] = { ...last, end: heading.at }
    if (endsOther) [free, isOurs] = [heading.end, true]
    else if (heading.at >= free && CRITERIA.test(heading.title)) {
      ;[free, isOurs] = [heading.end, false]
      sections.push(heading)
    }
  }
  return sections
}

const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\](?:\s+(.*))?$/

function placed(lines: readonly string[], outline: MarkdownOutline): PlacedCriterion[] {
  const found: PlacedCriterion[] = []
  for (const { at: from, end } of criteriaSections(outline))
    for (let at = from + 1; at < end; at++) {
      const box = outline.isText[at] === true ? BOX.exec(bareLine(lines[at] ?? '')) : null
      if (box === null) continue
      const text = [box[2] ?? '', ...continued(lines, { at: at + 1, end })].join(' ').trim()
      found.push({ at, number: found.length + 1, text, isMet: box[1] !== ' ' })
    }
  return found
}

/** Lines that go on with an item of a list stand further in than it begins. */
function continued(lines: readonly string[], { at: from, end }: { at: number; end: number }): string[] {
  const more: string[] = []
  for (let at = from; at < end; at++) {
    const line = bareLine(lines[at] ?? '')
    if (
      isBlank(line) ||
      !/^\s{2,}/.test(line) ||
      /^\s*(?:[-*+]|\d{1,9}[.)]|```|~~~|<!--)(?:\s|$|`|~)/.test(line)
    )
      break
    more.push(line.trim())
  }
  return more
}
