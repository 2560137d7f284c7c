import { describe, expect, it } from 'vitest'
import { ONCE_UNTRUE, withFault } from './put-back.ts'

/** As in the test of what is there: the same runbooks. */
const [SEED, RUNBOOKS, MOST_PLACES] = [1, 500, 800]

describe('the explorer finds by itself', () => {
  it.each(ONCE_UNTRUE.map((fault) => [fault.what, fault] as const))('[T2] that %s', async (_, fault) => {
    const firstDifference = await withFault(fault)
    const found = firstDifference(SEED, RUNBOOKS, MOST_PLACES)
    expect(found?.differences ?? []).toContainEqual(expect.stringMatching(fault.tells))
  })
})
