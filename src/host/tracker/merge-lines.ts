/**
 * Lines that two sides changed at the same place. What only adds to what was there is kept from both sides, what each
 * changed of other lines is taken line by line, and nothing is guessed at beyond that.
 */

export interface Hunk {
  readonly ours: readonly string[]
  readonly base: readonly string[]
  readonly theirs: readonly string[]
}

type Lines = readonly string[]

/** What both sides meant; null where they contradict each other. */
export function mergedLines({ ours, base, theirs }: Hunk): Lines | null {
  if (isSame(ours, theirs)) return ours
  if (isSame(base, ours)) return theirs
  if (isSame(base, theirs)) return ours
  const [ourEnd, theirEnd] = [after(base, ours), after(base, theirs)]
  if (ourEnd !== null && theirEnd !== null) {
    const joined = bothAdded(ourEnd, theirEnd)
    return joined === null ? null : [...base, ...joined]
  }
  if (theirEnd !== null) return [...ours, ...theirEnd]
  if (ourEnd !== null) return [...theirs, ...ourEnd]
  const [ourStart, theirStart] = [before(base, ours), before(base, theirs)]
  if (theirStart !== null) return [...theirStart, ...ours]
  if (ourStart !== null) return [...ourStart, ...theirs]
  return lineByLine({ ours, base, theirs })
}

const isSame = (one: Lines, other: Lines): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at])

/** What a side added after all that was there; null where it did something else. */
const after = (base: Lines, side: Lines): Lines | null =>
  isSame(side.slice(0, base.length), base) ? side.slice(base.length) : null

const before = (base: Lines, side: Lines): Lines | null =>
  side.length >= base.length && isSame(side.slice(side.length - base.length), base)
    ? side.slice(0, side.length - base.length)
    : null

const MOST_COMPARED = 4_000_000

/** Ours first. What one side has of the other (it was brought over before) stands once. */
function bothAdded(ours: Lines, theirs: Lines): Lines | null {
  if (ours.length * theirs.length > MOST_COMPARED) return null
  if (holds(ours, theirs)) return ours
  if (holds(theirs, ours)) return theirs
  const led = overlap(theirs, ours)
  if (led > 0) return [...theirs, ...ours.slice(led)]
  return [...ours, ...theirs.slice(overlap(ours, theirs))]
}

const holds = (whole: Lines, part: Lines): boolean =>
  whole.some((_, at) => isSame(whole.slice(at, at + part.length), part))

/** How many lines at the end of one are the beginning of the other, and say something. */
function overlap(first: Lines, second: Lines): number {
  for (let size = Math.min(first.length, second.length); size > 0; size--) {
    const shared = second.slice(0, size)
    if (isSame(first.slice(first.length - size), shared))
      return shared.some((line) => line.trim() !== '') ? size : 0
  }
  return 0
}

function lineByLine({ ours, base, theirs }: Hunk): Lines | null {
  if (ours.length !== base.length || theirs.length !== base.length) return null
  const lines = base.map((line, at) => {
    const [mine = '', other = ''] = [ours[at], theirs[at]]
    if (mine === line || mine === other) return other
    return other === line ? mine : null
  })
  return lines.includes(null) ? null : lines.map(String)
}

/**
 * What git leaves of a merge with all three sides between its marks, each of `size` characters: resolved, or null where
 * some place cannot be.
 */
export function resolvedText(text: string, size: number): string | null {
  const result: string[] = []
  let sides: { ours: string[]; base: string[]; theirs: string[] } | null = null
  let side: 'ours' | 'base' | 'theirs' = 'ours'
  for (const line of text.split(/(?<=\n)/)) {
    const mark = markOf(line, size)
    if (sides === null) {
      if (mark === '<') [sides, side] = [{ ours: [], base: [], theirs: [] }, 'ours']
      else result.push(line)
    } else if (mark === '|') side = 'base'
    else if (mark === '=') side = 'theirs'
    else if (mark === '>') {
      const merged = mergedLines(sides)
      if (merged === null) return null
      result.push(...merged)
      sides = null
    } else sides[side].push(line)
  }
  return sides === null ? result.join('') : null
}

const markOf = (line: string, size: number): string | null => {
  const [first = ''] = line
  if (!'<|=>'.includes(first) || !line.startsWith(first.repeat(size))) return null
  return /^(?: |\r?\n|$)/.test(line.slice(size)) ? first : null
}

/** A length of marks that no line of these texts could be taken for; null where they are too odd for any. */
export function markSize(texts: readonly string[]): number | null {
  const longest = texts
    .flatMap((text) => text.match(/^(?:<+|\|+|=+|>+)/gm) ?? [])
    .reduce((most, { length }) => Math.max(most, length), 0)
  return longest > 1000 ? null : Math.max(7, longest + 1)
}
