/**
 * JSON that others wrote. Before anything is made of it, it is held against how deep it may be nested and of how many values it may be
 * made, in one pass that takes no memory: a few MiB of `{},{},…` are hundreds of MiB once they are parsed, and what
 * walks a value calls itself for each level. Whoever takes in text from an agent or a client reads it here.
 */

export const DEEPEST = 200
export const MOST_VALUES = 100_000

export type JsonExcess = 'depth' | 'values'

/** After "It is". */
export const EXCESS_TEXT: Record<JsonExcess, string> = {
  depth: `nested deeper than ${DEEPEST} levels`,
  values: `made of more than ${MOST_VALUES} values`,
}

export type JsonRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'excess'; readonly excess: JsonExcess }
  | { readonly kind: 'malformed' }

export function readJson(text: string): JsonRead {
  const excess = excessIn(text)
  if (excess !== null) return { kind: 'excess', excess }
  try {
    return { kind: 'value', value: JSON.parse(text) as unknown }
  } catch {
    return { kind: 'malformed' }
  }
}

/** Where it is both, the number of values: that is the worse. */
export function excessIn(text: string): JsonExcess | null {
  if (text.length <= ALWAYS_FITS) return null
  const { depth, values } = extentOf(text, MOST_VALUES)
  return values > MOST_VALUES ? 'values' : depth > DEEPEST ? 'depth' : null
}

/** What is whole takes two brackets for a level, and a value with its comma two characters. */
const ALWAYS_FITS = 2 * Math.min(DEEPEST, MOST_VALUES)

export interface JsonExtent {
  /** How many lists and objects stand in one another. */
  readonly depth: number
  /** Of any kind, the whole one among them; of two under one key, both. */
  readonly values: number
}

/**
 * Exact for what is JSON, and for anything else no less than a parser makes of it before it gives up. Whoever wants to know of
 * no more than so many values is told when there are more.
 */
export function extentOf(text: string, mostValues = Number.POSITIVE_INFINITY): JsonExtent {
  let open = 0
  let depth = 0
  let values = 0
  let isValueNext = true
  for (let at = 0; at < text.length && values <= mostValues; at++) {
    const code = text.charCodeAt(at)
    if (code <= SPACE) continue
    const isClose = code === CLOSE_LIST || code === CLOSE_OBJECT
    if (isValueNext && !isClose) values++
    isValueNext = false
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) isValueNext = true
    else if (isClose) open--
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      open++
      if (open > depth) depth = open
      isValueNext = true
    }
  }
  return { depth, values }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) break
  }
  return at
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
