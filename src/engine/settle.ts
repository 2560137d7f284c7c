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
  const findings = [...known]
  let news = false
  for (const finding of reported) {
    const index = findings.findIndex((earlier) => isSame(earlier, finding))
    const earlier = findings[index]
    if (earlier === undefined) {
      findings.push({ ...finding, id: `F${findings.length + 1}` })
      news = true
    } else if (earlier.status !== finding.status) {
      findings[index] = { ...earlier, status: finding.status }
      news = true
    }
  }
  return {
    findings,
    news,
    material: findings.some((one) => one.status === 'open' && one.severity !== 'minor'),
  }
}

export const isSettled = ({ news, material }: Round): boolean => !news || !material

export function isSame(earlier: Finding, reported: Finding): boolean {
  return earlier.id === reported.id || keyOf(earlier) === keyOf(reported)
}

/** The same words about the same file are the same finding, however they are spaced or punctuated. */
const keyOf = ({ file, title }: Pick<Finding, 'file' | 'title'>): string =>
  `${file}\0${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`
