/**
 * A text in double quotes. It ends on its own line: a forgotten quote then costs one line of the file and not the
 * rest of it.
 */
import { type Stretch, spanAt, type TextFault } from './span.ts'

export interface ReadText {
  readonly value: string
  readonly end: number
  readonly faults: readonly TextFault[]
}

export interface QuotedText extends ReadText {
  /** A `${` of it was never closed: look for no others on this line. */
  readonly open: boolean
}

/** From the opening quote to the end of its line. */
export interface QuotedStretch extends Stretch {
  /** `literal` once a `${` of this line was found never to close. */
  readonly interpolation: 'followed' | 'literal'
}

const PLAIN = /[^"\\$%\n]+/y

export function readQuoted({ source, start, limit, interpolation }: QuotedStretch): QuotedText {
  const faults: TextFault[] = []
  let follows = interpolation === 'followed'
  const pieces: string[] = []
  let offset = start + 1
  while (offset < limit) {
    PLAIN.lastIndex = offset
    const plain = PLAIN.exec(source)
    if (plain !== null) {
      pieces.push(plain[0])
      offset = PLAIN.lastIndex
      continue
    }
    const char = source[offset]!
    if (char === '"') return { value: pieces.join(''), end: offset + 1, faults, open: !follows }
    if (char === '\\') {
      const escaped = readEscape(source, offset)
      if (escaped.fault !== undefined) faults.push(escaped.fault)
      pieces.push(guarded(pieces.at(-1) ?? '', escaped.value, source[escaped.end]))
      offset = escaped.end
    } else if (follows) {
      const span = spanAt({ source, start: offset, limit })
      if (span.fault !== undefined) faults.push(span.fault)
      if (span.open === true) follows = false
      pieces.push(span.value)
      offset = span.end
    } else {
      pieces.push(char)
      offset += 1
    }
  }
  // An open `${` has been reported and may well have eaten the closing quote.
  if (follows || interpolation === 'literal') faults.push(neverClosed(start))
  return { value: pieces.join(''), end: limit, faults, open: !follows }
}

/** A `$` or `{` written as an escape is text: it must not become a look-up for those who read the value later. */
function guarded(before: string, char: string, after: string | undefined): string {
  if (char === '{' && before.endsWith('$')) return '${'
  return char === '$' && after === '{' ? '$$' : char
}

const SINGLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['"', '"'],
  ['\\', '\\'],
])

const UNICODE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y

function readEscape(source: string, offset: number): { value: string; end: number; fault?: TextFault } {
  const letter = source[offset + 1]
  const single = SINGLE.get(letter ?? '')
  if (single !== undefined) return { value: single, end: offset + 2 }
  UNICODE.lastIndex = offset
  const unicode = UNICODE.exec(source)
  if (unicode !== null) {
    const code = Number.parseInt((unicode[1] ?? unicode[2])!, 16)
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    if (isCharacter) return { value: String.fromCodePoint(code), end: offset + unicode[0].length }
  }
  return { value: '\\', end: offset + 1, fault: badEscape(source, offset) }
}

const badEscape = (source: string, offset: number): TextFault => ({
  offset,
  message: `\\${/^\S/u.exec(source.slice(offset + 1, offset + 3))?.[0] ?? ''} is not an escape.`,
  help: 'Known are \\n \\t \\r \\" \\\\ \\uXXXX and \\UXXXXXXXX. A backslash itself is \\\\.',
})

const neverClosed = (offset: number): TextFault => ({
  offset,
  message: 'This text is not closed on its line.',
  help: 'Close it with a double quote, or write a text of several lines as <<-TEXT … TEXT.',
})
