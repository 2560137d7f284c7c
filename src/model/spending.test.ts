import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  daySpendingText,
  isUsedUp,
  raised,
  type SpentQuarter,
  spentBetween,
  spentSince,
  withSpent,
} from './spending.ts'

const HOUR_MS = 3_600_000

describe('[A21] what was used', () => {
  it('is added up by when it was told, with or without a price', () => {
    let quarters: readonly SpentQuarter[] = []
    for (const [hour, costUsd, tokens] of [
      [1, 2, 10],
      [1.1, null, 5],
      [9, 1, 1],
    ] as const)
      quarters = withSpent(quarters, { at: hour * HOUR_MS, costUsd, tokens })
    expect(quarters).toHaveLength(2)
    expect(spentSince(quarters, 0)).toEqual({ costUsd: 3, tokens: 16, unpriced: 5 })
    expect(spentSince(quarters, 9 * HOUR_MS)).toEqual({ costUsd: 1, tokens: 1, unpriced: 0 })
    expect(spentSince(quarters, 10 * HOUR_MS)).toEqual({ costUsd: 0, tokens: 0, unpriced: 0 })
  })

  it('is kept for a few days, however long a run takes', () => {
    let quarters: readonly SpentQuarter[] = []
    for (let hour = 0; hour < 1000; hour++)
      quarters = withSpent(quarters, { at: hour * HOUR_MS, costUsd: 1, tokens: 1 })
    expect(quarters.length).toBeLessThanOrEqual(73)
  })
})

it('[A21] a limit is used up when it is reached, in either', () => {
  const limits = { costUsd: 5, tokens: 100 }
  const spent = (costUsd: number, tokens: number) => ({ costUsd, tokens, unpriced: 0 })
  expect(isUsedUp(limits, spent(4.99, 99))).toBe(false)
  expect(isUsedUp(limits, spent(5, 0))).toBe(true)
  expect(isUsedUp(limits, spent(0, 100))).toBe(true)
  expect(isUsedUp({ costUsd: null, tokens: null }, spent(1e9, 1e9))).toBe(false)
})

it('[A21] as much again opens the day, however much was used', () => {
  const amount = fc.double({ min: 0, max: 1e12, noNaN: true })
  const limit = fc.option(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { nil: null })
  fc.assert(
    fc.property(limit, limit, amount, amount, (costUsd, tokens, usedUsd, usedTokens) => {
      const spent = { costUsd: usedUsd, tokens: usedTokens, unpriced: 0 }
      expect(isUsedUp(raised({ costUsd, tokens }, spent), spent)).toBe(false)
    }),
  )
})

it('[A21] what was used up to a moment is known from the quarters before it, and looked up in its own', () => {
  const MINUTE_MS = 60_000
  let quarters: readonly SpentQuarter[] = []
  for (const minute of [0, 16, 20, 31])
    quarters = withSpent(quarters, { at: minute * MINUTE_MS, costUsd: 1, tokens: 1 })
  const until = (minute: number) => spentBetween(quarters, { since: 0, until: minute * MINUTE_MS })
  expect(until(18)).toMatchObject({ spent: { costUsd: 1 }, unknownSince: 15 * MINUTE_MS })
  expect(until(29)).toMatchObject({ spent: { costUsd: 1 }, unknownSince: 15 * MINUTE_MS })
  expect(until(50)).toMatchObject({ spent: { costUsd: 4 }, unknownSince: null })
})

it('[A21] what has no price is told beside a limit in dollars, and not as free', () => {
  const quarters = withSpent([], { at: 0, costUsd: null, tokens: 500 })
  const limits = { costUsd: 5, tokens: null }
  expect(daySpendingText(limits, spentSince(quarters, 0))).toBe(
    '$0.00 of $5.00 (and 500 tokens without a price)',
  )
})
