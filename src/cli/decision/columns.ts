/** Text in the columns of a terminal: letters that take two places, cuts and line breaks that keep a letter whole. */

let segmenter: Intl.Segmenter | null = null

/** Made for the first text that is not plain: making it takes longer than all else here, and few commands meet one. */
function letters(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter
}

const WIDE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]/u

/** How many columns it takes. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (const letter of lettersOf(text)) columns += widthOf(letter)
  return columns
}

/** A window at a time: what the segmenter takes grows with the square of the text. */
function* lettersOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const window = text.slice(at, at + WINDOW)
    const found = PLAIN.test(window)
      ? window.split('')
      : Array.from(letters().segment(window), ({ segment }) => segment)
    // The last letter of a window may go on after it.
    if (at + WINDOW < text.length && found.length > 1) found.pop()
    for (const letter of found) {
      at += letter.length
      yield letter
    }
  }
}

const WINDOW = 256
const PLAIN = /^[\x20-\x7E]*$/
const widthOf = (letter: string): number => (WIDE.test(letter) ? 2 : 1)

/** At most so many columns; what is cut off is marked. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  return `${head(text, columns - 1)}…`
}

export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)))

function head(text: string, columns: number): string {
  let [taken, used] = ['', 0]
  for (const letter of lettersOf(text)) {
    used += widthOf(letter)
    if (used > columns) break
    taken += letter
  }
  return taken
}

/** Lines of at most so many columns: broken between words, within one only where it fits no line. */
export function wrapped(text: string, columns: number): string[] {
  const width = Math.max(8, columns)
  return text.split('\n').flatMap((line) => wrapLine(line, width))
}

function wrapLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<= )/)) {
    if (columnsOf(current + word.trimEnd()) > width && current !== '') {
      lines.push(current.trimEnd())
      current = ''
    }
    current += word
    if (columnsOf(current.trimEnd()) <= width) continue
    const parts = broken(current, width)
    current = parts.pop()!
    lines.push(...parts.map((part) => part.trimEnd()))
  }
  lines.push(current.trimEnd())
  return lines
}

/** One word in pieces of that width, looked at once: it may be a whole file without a break. */
function broken(text: string, width: number): string[] {
  const parts: string[] = []
  let [part, used] = ['', 0]
  for (const letter of lettersOf(text)) {
    const columns = widthOf(letter)
    if (used + columns > width && letter !== ' ') {
      parts.push(part)
      part = ''
      used = 0
    }
    part += letter
    used += columns
  }
  return [...parts, part]
}
