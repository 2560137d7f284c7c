/**
 * Puts one member into the text of a JSON object and leaves every other byte as it is: people keep their files in
 * their own layout. The text has been parsed before, so the walk here need not doubt it.
 */

export interface JsonMember {
  /** Where it belongs: the keys of the objects around it, then its own. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** Objects on the way that are missing are made; a value that is there is replaced. */
export function withMember(text: string, { path, value }: JsonMember): string {
  let span = { start: skipSpace(text, text.startsWith('\ufeff') ? 1 : 0), end: text.length }
  for (const [depth, key] of path.entries()) {
    const members = membersOf(text, span.start)
    const found = members.findLast((member) => member.key === key)
    if (found === undefined) {
      const rest = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
      return inserted(text, { object: span.start, members, key, value: rest })
    }
    span = found
  }
  const { start, end } = span
  return text.slice(0, start) + laidOut(text, value, indentAt(text, start)) + text.slice(end)
}

interface Found {
  readonly key: string
  readonly keyAt: number
  readonly start: number
  readonly end: number
}

interface Insertion {
  readonly object: number
  readonly members: readonly Found[]
  readonly key: string
  readonly value: unknown
}

function inserted(text: string, { object, members, key, value }: Insertion): string {
  const [first] = members
  const last = members.at(-1)
  if (first === undefined || last === undefined) {
    const close = skipSpace(text, object + 1)
    const outer = indentAt(text, object)
    const inner = outer + unitOf(text)
    const member = `${JSON.stringify(key)}: ${laidOut(text, value, inner)}`
    const end = endOfLine(text)
    return `${text.slice(0, object + 1)}${end}${inner}${member}${end}${outer}${text.slice(close)}`
  }
  const gap = text.slice(object + 1, first.keyAt)
  const isOneLine = !gap.includes('\n')
  const member = isOneLine
    ? `${JSON.stringify(key)}: ${JSON.stringify(value)}`
    : `${JSON.stringify(key)}: ${laidOut(text, value, indentAt(text, first.keyAt))}`
  const before = isOneLine ? ' ' : endOfLine(text) + indentAt(text, first.keyAt)
  return `${text.slice(0, last.end)},${before}${member}${text.slice(last.end)}`
}

/** With the file's own indentation and line ends. */
const laidOut = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll('\n', endOfLine(text) + indent)

const endOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** What the first indented line has more than nothing. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? ''

function membersOf(text: string, object: number): Found[] {
  const members: Found[] = []
  let at = skipSpace(text, object + 1)
  while (text[at] !== '}') {
    const keyAt = at
    const keyEnd = endOfValue(text, keyAt)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, start)
    members.push({ key: JSON.parse(text.slice(keyAt, keyEnd)) as string, keyAt, start, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s{}[\]",:]+/y

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; ) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    at = token === undefined ? at + 1 : TOKEN.lastIndex
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    if (token !== undefined && depth === 0) return at
  }
  throw new Error('the text is not JSON')
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at++
  return at
}
