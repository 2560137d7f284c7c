import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createUsageSum } from './usage-sum.ts'

it('[K6] [A12] tells what was used in as many reports as can be taken, and none of it is lost', async () => {
  const usage = fc.record({
    costUsd: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
    tokens: fc.integer({ min: 0, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(usage, { maxLength: 50 }), async (usages) => {
      const told: { costUsd: number | null; tokens: number }[] = []
      const sum = createUsageSum(async (some) => void told.push(...some))
      await Promise.all(usages.map((each) => sum.add(each)))
      const total = (of: typeof told) => ({
        cost: of.reduce((all, { costUsd }) => all + (costUsd ?? 0), 0),
        tokens: of.reduce((all, { tokens }) => all + tokens, 0),
        free: of.reduce((all, { costUsd, tokens }) => all + (costUsd === null ? tokens : 0), 0),
      })
      expect(total(told)).toEqual(total(usages))
      expect(told.length).toBeLessThanOrEqual(Math.min(usages.length, 4))
    }),
  )
})

it('what could not be told is an error of whoever reported last, and the next is told', async () => {
  let isBroken = true
  const told: number[] = []
  const sum = createUsageSum(async (usages) => {
    if (isBroken) throw new Error('not now')
    told.push(...usages.map(({ tokens }) => tokens))
  })
  await expect(sum.add({ costUsd: null, tokens: 1 })).rejects.toThrow('not now')
  isBroken = false
  await sum.add({ costUsd: null, tokens: 2 })
  expect(told).toEqual([2])
})

it('[A25] what is no amount is told as it was said, and spoils no sum', async () => {
  const told: { costUsd: number | null; tokens: number }[] = []
  const sum = createUsageSum(async (some) => void told.push(...some))
  const odd = { costUsd: Number.POSITIVE_INFINITY, tokens: 0 }
  await Promise.all([{ costUsd: 1, tokens: 2 }, odd, { costUsd: 3, tokens: 4 }].map((each) => sum.add(each)))
  expect(told).toContainEqual(odd)
  expect(told.reduce((all, { tokens }) => all + tokens, 0)).toBe(6)
})
