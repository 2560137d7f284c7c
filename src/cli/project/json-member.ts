/**
 * Puts one member into the text of a JSON object, or takes it out, and leaves every other byte as it is: people keep their
 * files in their own layout, some with comments. The text has been parsed before, so the walk here need not doubt it.
 *
 * What was put in is taken out to the byte: an object that is made for it begins with white space, one that was there and
 * empty does not. So it can be told whose an object is that nothing else is in.
 */

export interface JsonMember {
  /** Where it belongs: the keys of the objects around it, then its own. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** Objects on the way that are missing are made; a value that is there is replaced. */
export function withMember(text: string, { path, value }: JsonMember): string {
  let span = { start: topOf(text), end: text.length }
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

/** As before it was put in; null where nothing was there. A member that is not there is left out already. */
export function withoutMember(text: string, path: readonly string[]): string | null {
  let object = topOf(text)
  for (const [depth, key] of path.entries()) {
    const members = membersOf(text, object)
    const found = members.findLast((member) => member.key === key)
    if (found === undefined) return text
    if (depth < path.length - 1) {
      object = found.start
      continue
    }
    if (members.length > 1 || !isOurs(text, object, found)) return takenOut(text, { object, members, found })
    return path.length === 1 ? null : withoutMember(text, path.slice(0, -1))
  }
  return text
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
  const onOneLine = `${JSON.stringify(key)}: ${spaced(value)}`
  if (first === undefined || last === undefined)
    return text.slice(0, object + 1) + onOneLine + text.slice(object + 1)
  const comma = commaAfter(text, last.end)
  const from = comma === null ? last.end : comma + 1
  const [note = ''] = NOTE.exec(text.slice(from)) ?? []
  const isOneLine = !text.slice(object + 1, first.keyAt).includes('\n') && !note.includes('//')
  const indent = indentAt(text, first.keyAt)
  const member = isOneLine
    ? ` ${onOneLine}`
    : `${endOfLine(text)}${indent}${JSON.stringify(key)}: ${laidOut(text, value, indent)}`
  const at = from + note.length
  return comma === null
    ? `${text.slice(0, last.end)},${note}${member}${text.slice(at)}`
    : `${text.slice(0, at)}${member},${text.slice(at)}`
}

/** What is said of a member behind it. */
const NOTE = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/

/** Whether the object was made for its one member. */
function isOurs(text: string, object: number, { keyAt, end }: Found): boolean {
  const before = text.slice(object + 1, keyAt)
  const after = text.slice(end, text.indexOf('}', end))
  return before !== '' && /^\s*$/.test(before) && /^\s*,?\s*$/.test(after)
}

interface Removal extends Pick<Insertion, 'object' | 'members'> {
  readonly found: Found
}

function takenOut(text: string, { object, members, found }: Removal): string {
  const blank = /\s*$/.exec(text.slice(0, found.keyAt))?.[0].length ?? 0
  const from = found.keyAt - blank
  const before = members[members.indexOf(found) - 1]
  const comma = commaAfter(text, found.end)
  const tail = text.slice(comma === null ? found.end : comma + 1)
  // What comes now must not become part of a comment.
  const inComment = /\/\/[^\n]*$/.test(text.slice(before?.end ?? object + 1, from))
  const rest = inComment && !/^\r?\n/.test(tail) ? endOfLine(text) + tail : tail
  if (comma !== null) return text.slice(0, from) + rest
  const commaBefore = before === undefined ? null : commaAfter(text, before.end)
  const head =
    commaBefore === null
      ? text.slice(0, from)
      : text.slice(0, commaBefore) + text.slice(commaBefore + 1, from)
  return head + rest
}

function commaAfter(text: string, end: number): number | null {
  const at = skipSpace(text, end)
  return text[at] === ',' ? at : null
}

const topOf = (text: string): number => skipSpace(text, text.startsWith('\ufeff') ? 1 : 0)

/** With the file's own indentation and line ends. */
const laidOut = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll('\n', endOfLine(text) + indent)

/** On one line, with blanks inside of objects. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`)
  return `{ ${members.join(', ')} }`
}

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

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s{}[\]",:/]+/y

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at = skipSpace(text, at)) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    at = token === undefined ? at + 1 : TOKEN.lastIndex
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    if (token !== undefined && depth === 0) return at
  }
  throw new Error('the text is not JSON')
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

/** Comments count as space. */
function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from
  SPACE.exec(text)
  return SPACE.lastIndex
}
