/**
 * Text that somebody outside wrote (an issue, a comment), as it is put before an agent: between fences of backticks that
 * are longer than any run of them in it. So whatever it says, it cannot end where it is not over, and what it looks
 * like (a heading, an answer, another fence) is seen to be in it.
 */

/** On lines of its own, `about` saying what it is. */
export function fencedBlock(text: string, about: string): string {
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longestRun(text) + 1))
  return `${fence}${about}\n${text}\n${fence}`
}

/** Within a sentence, where it is short and of one line; else on lines of its own. */
export function fencedInline(text: string, about: string): string {
  if (text.length > LONGEST_INLINE || BREAKS.test(text)) return `\n\n${fencedBlock(text, about)}\n\n`
  const fence = '`'.repeat(longestRun(text) + 1)
  const pad = text === '' || text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

const SHORTEST_FENCE = 3
const LONGEST_INLINE = 300

/** Whatever somebody might take for the end of a line. */
const BREAKS = /[\p{Cc}\u2028\u2029]/u

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
