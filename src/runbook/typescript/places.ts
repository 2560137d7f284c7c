/**
 * Where the parts of a TypeScript runbook stand in its source. Only what is written out in `export default runbook({…})`
 * has a place; what comes by a spread, a variable or a call has none. A place that is not certain is left out: better no
 * line than a wrong one.
 */
import { lookUpPlaces } from '../look-up-places.ts'
import { under } from '../tree.ts'
import { readQuoted, skipBlanks, skipBracket, skipExpression, wordAt, wordsIn } from './scan.ts'

export interface WrittenPlace {
  /** Offset of the key; of the value where it has none. */
  readonly key: number
  readonly value: number
  readonly lookUps: readonly number[] | null
}

/** By path; empty where the flow is not written out. */
export function placesIn(source: string, value: unknown): ReadonlyMap<string, WrittenPlace> {
  const places = new Map<string, WrittenPlace>()
  const start = exported(source)
  if (start !== null) readValue({ source, places, depth: 0 }, { path: '', key: start, start, value })
  return places
}

/** Where the object that is exported begins. */
function exported(source: string): number | null {
  for (const offset of wordsIn(source, 'export')) {
    const word = skipBlanks(source, offset + 'export'.length)
    if (wordAt(source, word) === 'default')
      return literalAt(source, skipBlanks(source, word + 'default'.length))
  }
  return null
}

function literalAt(source: string, offset: number): number | null {
  if (source[offset] === '{') return offset
  const word = wordAt(source, offset)
  const next = skipBlanks(source, offset + word.length)
  if (word === 'runbook' && source[next] === '(') {
    const object = skipBlanks(source, next + 1)
    return source[object] === '{' ? object : null
  }
  return word === '' || source[next] === '(' ? null : declared(source, word)
}

/** `const NAME = runbook({…})`, where there is one of that name only. */
function declared(source: string, name: string): number | null {
  const found: number[] = []
  for (const offset of wordsIn(source, 'const')) {
    const word = skipBlanks(source, offset + 'const'.length)
    const sign = skipBlanks(source, word + name.length)
    if (wordAt(source, word) !== name || source[sign] !== '=') continue
    const value = skipBlanks(source, sign + 1)
    if (wordAt(source, value) === name) return null
    const literal = literalAt(source, value)
    if (literal !== null) found.push(literal)
  }
  return found.length === 1 ? found[0]! : null
}

interface Reading {
  readonly source: string
  readonly places: Map<string, WrittenPlace>
  readonly depth: number
}

interface Written {
  readonly path: string
  readonly key: number
  readonly start: number
  /** What it came to when the runbook was run. */
  readonly value: unknown
}

const DEEPEST = 48

/** Gives the offset of what ends the value. */
function readValue(reading: Reading, written: Written): number {
  const { source, places, depth } = reading
  const { path, key, start, value } = written
  const end = skipExpression(source, start)
  const place = { key, value: start, lookUps: null }
  places.set(path, place)
  const char = source[start]
  const inner = { ...reading, depth: depth + 1 }
  if (depth > DEEPEST || !isWhole(source, start, end)) return end
  if (char === '{' && isMap(value)) readObject(inner, { path, start, value })
  else if (char === '[' && Array.isArray(value)) readList(inner, { path, start, value })
  else if (char === '"' || char === "'" || char === '`') {
    const text = readQuoted(source, start)
    if (text.value === null || text.value !== value) return end
    places.set(path, { ...place, lookUps: lookUpPlaces(text.value, source, { start, end: text.end }) })
  }
  return end
}

/** Whether the literal is the whole expression, but for `as const` or `satisfies …`. */
function isWhole(source: string, start: number, end: number): boolean {
  const char = source[start] ?? ''
  const close = '{['.includes(char)
    ? skipBracket(source, start)
    : `"'\``.includes(char)
      ? readQuoted(source, start).end
      : start
  const rest = source.slice(close, end).trim()
  return rest === '' || /^(?:as|satisfies)\s/.test(rest)
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readObject(
  reading: Reading,
  { path, start, value }: { path: string; start: number; value: Readonly<Record<string, unknown>> },
): void {
  const { source, places } = reading
  const found = new Map<string, { readonly key: number; readonly start: number }>()
  for (let offset = skipBlanks(source, start + 1); offset < source.length && source[offset] !== '}'; ) {
    const name = keyAt(source, offset)
    const after = skipBlanks(source, name?.end ?? offset)
    // What a spread or a computed key brings may replace what stands before it.
    if (name === null || (source[after] !== ':' && !',}'.includes(source[after] ?? ''))) found.clear()
    else if (source[after] === ':')
      found.set(name.text, { key: offset, start: skipBlanks(source, after + 1) })
    else found.set(name.text, { key: offset, start: offset })
    const end = skipExpression(source, source[after] === ':' ? after + 1 : offset)
    if (source[end] !== ',') break
    offset = skipBlanks(source, end + 1)
  }
  for (const [name, place] of found)
    if (Object.hasOwn(value, name))
      readValue({ ...reading, places }, { path: under(path, name), ...place, value: value[name] })
}

function keyAt(source: string, offset: number): { readonly text: string; readonly end: number } | null {
  const char = source[offset] ?? ''
  if (char === '"' || char === "'") {
    const { value, end } = readQuoted(source, offset)
    return value === null ? null : { text: value, end }
  }
  const word = wordAt(source, offset) || (/^\d+/.exec(source.slice(offset, offset + 20))?.[0] ?? '')
  return word === '' ? null : { text: word, end: offset + word.length }
}

function readList(
  reading: Reading,
  { path, start, value }: { path: string; start: number; value: readonly unknown[] },
): void {
  const { source } = reading
  let index = 0
  for (
    let offset = skipBlanks(source, start + 1);
    offset < source.length && source[offset] !== ']';
    index++
  ) {
    // How many items a spread brings is not written here.
    if (source.startsWith('...', offset) || index >= value.length) return
    const end = readValue(reading, {
      path: under(path, index),
      key: offset,
      start: offset,
      value: value[index],
    })
    if (source[end] !== ',') return
    offset = skipBlanks(source, end + 1)
  }
}
