/**
 * Texts that people and agents give, made such that they say what they say and nothing else: no heading in them becomes a
 * section of ours, no mark a mark of ours, and nothing that they leave open swallows what stands after them.
 */
import { outlineOf } from './markdown-outline.ts'
import { linesOf } from './text-lines.ts'

/** On one line: a title, a name, a label. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** In lines, as an editor would write them. */
export const plainText = (text: string): string =>
  text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()

/** The body of an issue. It may bring its criteria; comments and the list of sub-issues it may not. */
export const asBody = (text: string): string =>
  closed(text, ({ level, title }, line) => (OURS.test(title) ? `\\${'#'.repeat(level)} ${title}` : line))

/** What stands in a section of its own, below whose heading nothing is one of the same rank. */
export const asSection = (text: string): string =>
  closed(text, ({ level, title }, line) => {
    if (OURS.test(title) || CRITERIA.test(title)) return `\\${'#'.repeat(level)} ${title}`
    return level < 3 ? `### ${title}` : line
  })

/** Each line behind a mark: within it, nothing means anything to whoever reads the rest. */
export const asQuote = (text: string): string[] =>
  plainText(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))

/** A title in a list of ours, where only its words may be read. */
export const asLinkText = (text: string): string => oneLine(text).replaceAll(/[\\[\]<]/g, String.raw`\$&`)

/** Sections that this program writes. */
export const COMMENTS = /^comments:?$/i
export const SUB_ISSUES = /^sub-?issues:?$/i
export const CRITERIA = /^acceptance criteria:?$/i
const OURS = new RegExp(`${COMMENTS.source}|${SUB_ISSUES.source}`, 'i')

function closed(
  text: string,
  heading: (found: { readonly level: number; readonly title: string }, line: string) => string,
): string {
  const plain = plainText(text)
  const lines = linesOf(plain)
  const { headings, isText, leftOpen } = outlineOf(lines)
  const headingAt = new Map(headings.map((each) => [each.at, each]))
  const safe = plain.split('\n').map((line, at) => {
    const found = headingAt.get(at)
    if (found !== undefined) return heading(found, line)
    return isText[at] === true ? line.replace(/^(\s*)<!--(?=\s*\/?signalbox:)/, '$1\\<!--') : line
  })
  return [...safe, ...(leftOpen === null ? [] : [leftOpen])].join('\n')
}
