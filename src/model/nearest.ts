/** The "did you mean" of every diagnostic: the nearest known name, if one is near enough to be a slip. */
import { distance } from 'fastest-levenshtein'

export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (given.length > 64) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    const d = distance(given.toLowerCase(), name.toLowerCase())
    if (d < bestDistance) {
      best = name
      bestDistance = d
    }
  }
  return best
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
