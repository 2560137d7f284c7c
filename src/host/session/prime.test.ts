import { describe, expect, it } from 'vitest'
import { momentsOf } from './prime.ts'

describe('the moments of a prime', () => {
  it.each([
    [{ session: 'fresh', compacted: false, sentBack: false }, ['startup']],
    [{ session: 'reopened', compacted: true, sentBack: false }, ['resume']],
    [{ session: 'live', compacted: true, sentBack: false }, ['compact']],
    [{ session: 'live', compacted: true, sentBack: true }, ['compact', 'signal']],
    [{ session: 'live', compacted: false, sentBack: true }, ['signal']],
    [{ session: 'live', compacted: false, sentBack: false }, []],
  ] as const)('[D13] of %j', (moment, expected) => {
    expect(momentsOf(moment)).toEqual(expected)
  })
})
