import { describe, expect, it } from 'vitest'
import { ONCE_UNTRUE, withFault } from './put-back.ts'

/**
 * The small ones of those runbooks that are played of what is there: what is found in them is found there too, and sooner
 * than if all the large ones were seen whole once more for each fault.
 */
const [SEED, RUNBOOKS, MOST_PLACES] = [1, 300, 100]

describe('the explorer finds by itself', () => {
  it.each(ONCE_UNTRUE.map((fault) => [fault.what, fault] as const))('[T2] that %s', async (_, fault) => {
    const firstDifference = await withFault(fault)
    const found = firstDifference(SEED, RUNBOOKS, MOST_PLACES)
    expect(found?.differences ?? []).toContainEqual(expect.stringMatching(fault.tells))
  })
})
