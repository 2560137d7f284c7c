import { describe, expect, it } from 'vitest'
import { isUsedUp, raised, type SpentQuarter, spentSince, withSpent } from './spending.ts'

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
    expect(spentSince(quarters, 0)).toEqual({ costUsd: 3, tokens: 16 })
    expect(spentSince(quarters, 9 * HOUR_MS)).toEqual({ costUsd: 1, tokens: 1 })
    expect(spentSince(quarters, 10 * HOUR_MS)).toEqual({ costUsd: 0, tokens: 0 })
  })

  it('is kept for a few days, however long a run takes', () => {
    let quarters: readonly SpentQuarter[] = []
    for (let hour = 0; hour < 1000; hour++)
      quarters = withSpent(quarters, { at: hour * HOUR_MS, costUsd: 1, tokens: 1 })
    expect(quarters.length).toBeLessThanOrEqual(73)
  })
})

it('[A21] a limit is used up when it is reached, in either, and a raise is as much again', () => {
  const limits = { costUsd: 5, tokens: 100 }
  expect(isUsedUp(limits, { costUsd: 4.99, tokens: 99 })).toBe(false)
  expect(isUsedUp(limits, { costUsd: 5, tokens: 0 })).toBe(true)
  expect(isUsedUp(limits, { costUsd: 0, tokens: 100 })).toBe(true)
  expect(raised(limits, 2)).toEqual({ costUsd: 15, tokens: 300 })
  expect(isUsedUp({ costUsd: null, tokens: null }, { costUsd: 1e9, tokens: 1e9 })).toBe(false)
})
