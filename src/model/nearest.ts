/** The "did you mean" of every diagnostic: the nearest known name, if one is near enough to be a slip. */
import { distance } from 'fastest-levenshtein'

export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (given.length > 64) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    const d = slips(given.toLowerCase(), name.toLowerCase())
    if (d < bestDistance && d < given.length) {
      best = name
      bestDistance = d
    }
  }
  return best
}

/** Edits between two words, two letters in the wrong order being one. */
function slips(a: string, b: string): number {
  const edits = distance(a, b)
  if (edits !== 2 || a.length !== b.length) return edits
  const at = Array.from(a).findIndex((letter, index) => letter !== b[index])
  const swapped = a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2)
  return swapped === b ? 1 : edits
}

export function didYouMean(given: string, known: Iterable<string>): string | undefined {
  const names = [...known]
  const near = nearest(given, names)
  if (near !== undefined) return `Did you mean "${near}"?`
  return names.length === 0 ? undefined : `Known here: ${list(names)}.`
}

export const list = (names: readonly string[]): string =>
  names.length <= 12 ? names.join(', ') : `${names.slice(0, 12).join(', ')} and ${names.length - 12} more`

/** The end of a sentence about an unknown name. */
export function orNear(given: string, known: Iterable<string>): string {
  const near = nearest(given, known)
  return near === undefined ? '.' : `; did you mean "${near}"?`
}
