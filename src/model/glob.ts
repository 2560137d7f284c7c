/**
 * File patterns of a boundary. `*` is anything within one folder, `?` one character, `**` anything across folders,
 * a `**` before a slash also no folder at all, and braces with commas a choice. A pattern that ends in a slash means
 * all that is below. A backslash takes the next character as it is. Names that begin with a dot are names like any other.
 *
 * Patterns are matched as sets of states, character by character: the time is bounded by pattern times name, so no
 * pattern can hang the host.
 */

export type Glob = (name: string) => boolean

type State =
  | { readonly kind: 'character'; readonly character: string; readonly next: number }
  | { readonly kind: 'one' | 'within' | 'across' | 'folders'; readonly next: number }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'end' }

const DEEPEST_CHOICE = 32

export function globOf(pattern: string): Glob {
  const states = statesOf(pattern)
  return (name) => matches(states, name)
}

function matches({ states, start }: { states: readonly State[]; start: number }, name: string): boolean {
  let before = '/'
  let current = closureOf(states, [start], true)
  for (const character of name) {
    const reached: number[] = []
    for (const at of current) {
      const state = states[at]
      if (state === undefined) continue
      if (state.kind === 'character' && state.character === character) reached.push(state.next)
      if (state.kind === 'one' && character !== '/') reached.push(state.next)
      if (state.kind === 'within' && character !== '/') reached.push(at)
      if (state.kind === 'across' || state.kind === 'folders') reached.push(at)
    }
    if (reached.length === 0) return false
    before = character
    current = closureOf(states, reached, before === '/')
  }
  return [...current].some((at) => states[at]?.kind === 'end')
}

/** All states that can be reached without a further character. */
function closureOf(states: readonly State[], from: readonly number[], atFolderStart: boolean): Set<number> {
  const seen = new Set<number>()
  const open = [...from]
  while (open.length > 0) {
    const at = open.pop() ?? 0
    const state = states[at]
    if (state === undefined || seen.has(at)) continue
    seen.add(at)
    if (state.kind === 'fork') open.push(...state.next)
    if (state.kind === 'within' || state.kind === 'across') open.push(state.next)
    if (state.kind === 'folders' && atFolderStart) open.push(state.next)
  }
  return seen
}

/** Built from the end, so that each state knows the one after it. */
function statesOf(pattern: string): { states: readonly State[]; start: number } {
  const states: State[] = [{ kind: 'end' }]
  const add = (state: State): number => states.push(state) - 1
  const build = (parts: readonly Part[], after: number): number =>
    parts.reduceRight((next, part) => {
      if (typeof part === 'string') return add({ kind: 'character', character: part, next })
      if ('choice' in part) return add({ kind: 'fork', next: part.choice.map((each) => build(each, next)) })
      return add({ kind: part.kind, next })
    }, after)
  const start = build(partsOf(anchored(pattern)), 0)
  return { states, start }
}

function anchored(pattern: string): string {
  const bare = pattern.replace(/^(?:\.?\/)+/, '')
  return bare.endsWith('/') ? `${bare}**` : bare
}

type Part =
  | string
  | { readonly kind: 'one' | 'within' | 'across' | 'folders' }
  | { readonly choice: readonly Part[][] }

function partsOf(pattern: string): Part[] {
  const characters = Array.from(pattern)
  const closing = closingBraces(characters)
  return sequence(0, characters.length, 0)

  function sequence(from: number, to: number, depth: number): Part[] {
    const parts: Part[] = []
    let at = from
    while (at < to) {
      const character = characters[at] ?? ''
      const commas = character === '{' && depth < DEEPEST_CHOICE ? closing.get(at) : undefined
      if (character === '\\' && at + 1 < to) {
        parts.push(characters[at + 1] ?? '')
        at += 2
      } else if (commas !== undefined) {
        const edges = [at, ...commas]
        const choice = commas.map((end, index) => sequence((edges[index] ?? 0) + 1, end, depth + 1))
        parts.push({ choice })
        at = (commas.at(-1) ?? at) + 1
      } else if (character === '*') {
        let end = at
        while (end < to && characters[end] === '*') end++
        const folders = end - at > 1 && end < to && characters[end] === '/'
        parts.push({ kind: end - at === 1 ? 'within' : folders ? 'folders' : 'across' })
        at = folders ? end + 1 : end
      } else {
        parts.push(character === '?' ? { kind: 'one' } : character)
        at++
      }
    }
    return parts
  }
}

/** For each brace that opens a choice, where its commas and its closing brace are. Braces without a comma are text. */
function closingBraces(characters: readonly string[]): Map<number, number[]> {
  const closing = new Map<number, number[]>()
  const open: { readonly at: number; readonly commas: number[] }[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]
    if (character === '\\') at++
    else if (character === '{') open.push({ at, commas: [] })
    else if (character === ',') open.at(-1)?.commas.push(at)
    else if (character === '}') {
      const opened = open.pop()
      if (opened !== undefined && opened.commas.length > 0) closing.set(opened.at, [...opened.commas, at])
    }
  }
  return closing
}
