/**
 * As much of TypeScript as it takes to get past it: comments, texts, regular expressions and brackets. Nothing is
 * judged; where a text is not TypeScript, the end is reached sooner.
 */

/** The offset of the next thing that is neither blank nor a comment. */
export function skipBlanks(source: string, from: number): number {
  let offset = from
  for (;;) {
    // Most of a text is neither, and this is asked at every sign of it.
    if (!/[\s/]/.test(source[offset] ?? 'x')) return offset
    BLANKS.lastIndex = offset
    offset += BLANKS.exec(source)?.[0].length ?? 0
    if (source.startsWith('//', offset)) offset = endOr(source, source.indexOf('\n', offset), 0)
    else if (source.startsWith('/*', offset)) offset = endOr(source, source.indexOf('*/', offset + 2), 2)
    else return offset
  }
}

const BLANKS = /\s+/y

const endOr = (source: string, found: number, length: number): number =>
  found === -1 ? source.length : found + length

export interface QuotedLiteral {
  readonly end: number
  /** Null where something is put in by `${…}`, or an escape is not understood. */
  readonly value: string | null
}

/** The text that begins with the quote at this offset. */
export function readQuoted(source: string, start: number): QuotedLiteral {
  const quote = source[start]!
  const pieces: string[] = []
  let known = true
  for (let offset = start + 1; offset < source.length; ) {
    const char = source[offset]!
    if (char === quote) return { end: offset + 1, value: known ? pieces.join('') : null }
    if (char === '\\') {
      const escaped = ESCAPES.get(source[offset + 1] ?? '')
      if (escaped === undefined) known = false
      pieces.push(escaped ?? '')
      offset += 2
    } else if (quote === '`' && source.startsWith('${', offset)) {
      known = false
      offset = skipBracket(source, offset + 1)
    } else if (char === '\n' && quote !== '`') return { end: offset, value: null }
    else {
      pieces.push(char)
      offset += 1
    }
  }
  return { end: source.length, value: null }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\n', ''],
  ...['\\', "'", '"', '`', '$', '{'].map((char) => [char, char] as const),
])

/** Past the bracket that closes the one at this offset. */
export const skipBracket = (source: string, start: number): number =>
  skip(source, start + 1, (char) => CLOSING.includes(char)) + 1

/** To the comma or closing bracket that ends the expression at this offset, or the semicolon. */
export const skipExpression = (source: string, start: number): number =>
  skip(source, start, (char) => char === ',' || char === ';' || CLOSING.includes(char))

const OPENING = '([{'
const CLOSING = ')]}'

function skip(source: string, start: number, ends: (char: string) => boolean): number {
  let depth = 0
  let before = ''
  for (let offset = skipBlanks(source, start); offset < source.length; offset = skipBlanks(source, offset)) {
    const char = source[offset]!
    if (depth === 0 && ends(char)) return offset
    if (OPENING.includes(char)) depth += 1
    else if (CLOSING.includes(char)) depth -= 1
    offset = pastToken(source, offset, before)
    before = char
  }
  return source.length
}

/** A / begins a regular expression where a value could not have ended. */
function pastToken(source: string, offset: number, before: string): number {
  const char = source[offset]!
  if (char === '"' || char === "'" || char === '`') return readQuoted(source, offset).end
  if (char === '/' && !/[\w)\]}"'`]/.test(before)) return skipRegExp(source, offset)
  return offset + 1
}

function skipRegExp(source: string, start: number): number {
  let inClass = false
  for (let offset = start + 1; offset < source.length; offset++) {
    const char = source[offset]
    if (char === '\\') offset += 1
    else if (char === '\n') return start + 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return offset + 1
  }
  return source.length
}

/** The offset of each word of this name that is no part of a text or a comment. */
export function* wordsIn(source: string, word: string): Generator<number> {
  let before = ''
  for (let offset = skipBlanks(source, 0); offset < source.length; offset = skipBlanks(source, offset)) {
    const found = wordAt(source, offset)
    const [start, char] = [offset, source[offset]!]
    offset = found === '' ? pastToken(source, offset, before) : offset + found.length
    before = char
    if (found === word) yield start
  }
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy

/** The name that begins at this offset; empty where none does. */
export function wordAt(source: string, offset: number): string {
  WORD.lastIndex = offset
  return WORD.exec(source)?.[0] ?? ''
}
