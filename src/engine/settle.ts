/**
 * When a review loop has settled. Findings have identity: an earlier one is named by its id (or told again in the
 * same words), and every round says of each whether it is fixed. A round that changes nothing, or in which nothing
 * material is open, is the last.
 */
import type { Finding } from '../model/answer.ts'

export interface Round {
  /** Everything known after the round, in the order it was first found. */
  readonly findings: readonly Finding[]
  /** A new finding, one found fixed, or one open again. */
  readonly news: boolean
  /** Something that matters is open. */
  readonly material: boolean
}

export function settleRound(known: readonly Finding[], reported: readonly Finding[]): Round {
  const same = reported.map((finding) => sameAs(known, finding))
  const findings = known.map((earlier) => {
    const now = reported.filter((_, index) => same[index] === earlier)
    // Where members disagree it is open: whoever says fixed may not have seen all of it.
    if (now.length === 0) return earlier
    return { ...earlier, status: now.some(({ status }) => status === 'open') ? 'open' : 'fixed' } as const
  })
  let news = findings.some(({ status }, index) => status !== known[index]!.status)
  for (const [index, finding] of reported.entries()) {
    // A mark of something nobody knows says nothing.
    if (same[index] !== undefined || finding.title === '') continue
    const twin = findings.findIndex((other, index) => index >= known.length && sameWords(other, finding))
    if (twin === -1) findings.push({ ...finding, id: `F${findings.length + 1}` })
    else if (finding.status === 'open') findings[twin] = { ...findings[twin]!, status: 'open' }
    news = true
  }
  return {
    findings,
    news,
    material: findings.some((one) => one.status === 'open' && one.severity !== 'minor'),
  }
}

/** Whether a report alone keeps something that matters open, by the severity it was first given. */
export const bringsMaterial = (known: readonly Finding[], reported: readonly Finding[]): boolean =>
  reported.some(
    (finding) => finding.status === 'open' && (sameAs(known, finding) ?? finding).severity !== 'minor',
  )

export const isSettled = ({ news, material }: Round): boolean => !news || !material

/** The earlier finding that this one speaks of: by its id, which only we give, else by the same words. */
export function sameAs(known: readonly Finding[], reported: Finding): Finding | undefined {
  return (
    known.find((earlier) => earlier.id === reported.id) ??
    known.find((earlier) => sameWords(earlier, reported))
  )
}

/** The same words about the same file, however they are spaced or punctuated. */
function sameWords(a: Finding, b: Finding): boolean {
  if (a.file !== b.file) return false
  const words = wordsOf(a)
  return words !== '' && words === wordsOf(b)
}

// A finding is held against every later one, and its words do not change.
const wordsBy = new WeakMap<Finding, string>()
function wordsOf(finding: Finding): string {
  const words =
    wordsBy.get(finding) ??
    finding.title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  wordsBy.set(finding, words)
  return words
}
