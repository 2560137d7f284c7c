import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  doubtText,
  judgeUsage as judge,
  MOST_OF_A_TURN,
  mostOfATurn,
  NOTHING_USED,
  type ToldUsage,
  type TurnUsage,
  turnUsageAfter,
} from './plausible-usage.ts'

const judgeUsage = (told: ToldUsage, before: TurnUsage) => judge(told, { before, most: MOST_OF_A_TURN })

describe('[A25] what an agent says it used', () => {
  it('is believed as far as a turn can use it, and the rest is put aside', () => {
    expect(judgeUsage({ costUsd: 2, tokens: 50 }, NOTHING_USED)).toEqual({ costUsd: 2, tokens: 50 })
    expect(judgeUsage({ costUsd: null, tokens: 50 }, NOTHING_USED)).toEqual({ costUsd: null, tokens: 50 })
    expect(judgeUsage({ costUsd: 1e9, tokens: 50 }, NOTHING_USED)).toEqual({
      costUsd: 1000,
      tokens: 50,
      doubted: { costUsd: 1e9 - 1000, tokens: 0, said: '$1000000000 and 50 tokens' },
    })
  })

  it.each([[Number.NaN], [-5], [Number.POSITIVE_INFINITY]])('counts for nothing where it is %d', (amount) => {
    const judged = judgeUsage({ costUsd: 0, tokens: amount }, NOTHING_USED)
    expect(judged).toEqual({
      costUsd: 0,
      tokens: 0,
      doubted: { costUsd: 0, tokens: 0, said: `${amount} tokens` },
    })
    expect(doubtText(judged!.doubted!)).toContain('cannot be')
    expect(judgeUsage({ costUsd: amount, tokens: 7 }, NOTHING_USED)).toMatchObject({
      costUsd: null,
      tokens: 7,
    })
    // Once for a turn.
    expect(judgeUsage({ costUsd: amount, tokens: 0 }, { ...NOTHING_USED, isDoubted: true })).toBeNull()
  })

  it('may be as much as its run is allowed, and some', () => {
    expect(mostOfATurn({ costUsd: 5, tokens: null })).toEqual(MOST_OF_A_TURN)
    const most = mostOfATurn({ costUsd: 5000, tokens: null })
    expect(judge({ costUsd: 5001, tokens: 0 }, { before: NOTHING_USED, most })).toEqual({
      costUsd: 5001,
      tokens: 0,
    })
  })

  it('counts no more for a turn than a turn can use, in however many words', () => {
    // A journal does not tell the two zeros apart.
    const amount = (max: number) => fc.double({ min: -10, max }).map((value) => value + 0)
    const told = fc.record({
      costUsd: fc.option(amount(1e12), { nil: null }),
      tokens: amount(1e15),
    })
    fc.assert(
      fc.property(fc.array(told), (reports) => {
        let used: TurnUsage = NOTHING_USED
        let sayings = 0
        for (const report of reports) {
          const judged = judgeUsage(report, used)
          if (judged === null) continue
          expect(JSON.parse(JSON.stringify(judged))).toEqual(judged)
          if (judged.doubted?.said !== undefined) sayings++
          used = turnUsageAfter(used, judged)
        }
        expect(used.costUsd).toBeLessThanOrEqual(MOST_OF_A_TURN.costUsd + 1e-6)
        expect(used.tokens).toBeLessThanOrEqual(MOST_OF_A_TURN.tokens + 1)
        expect(sayings).toBeLessThanOrEqual(1)
      }),
    )
  })
})
