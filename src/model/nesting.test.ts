import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEPEST, isNestedTooDeep } from './nesting.ts'

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

describe('what is nested', () => {
  it('may be as deep as the limit, and no deeper', () => {
    expect([isNestedTooDeep(nested(DEEPEST)), isNestedTooDeep(nested(DEEPEST + 1))]).toEqual([false, true])
    expect(isNestedTooDeep({ a: [{ b: nested(DEEPEST - 3) }] })).toBe(false)
    expect(isNestedTooDeep({ a: [{ b: nested(DEEPEST - 2) }] })).toBe(true)
  })

  it('is told of any depth, also where whoever calls itself would run out of room', () => {
    expect(isNestedTooDeep(nested(1_000_000))).toBe(true)
  })

  it('is nothing that people write', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => !isNestedTooDeep(value)))
  })

  it('can always be written as text again where it is not too deep', () => {
    expect(() => JSON.stringify(nested(DEEPEST))).not.toThrow()
  })
})
