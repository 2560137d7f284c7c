import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEPEST, excessIn, extentOf, type JsonExtent, MOST_VALUES, readJson } from './json-text.ts'

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const wide = (values: number, each = '{}'): string =>
  `[${Array.from({ length: values - 1 }, () => each).join(',')}]`

/** By what a parser makes of it. */
function extentOfValue(value: unknown): JsonExtent {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const inside = Object.values(value).map(extentOfValue)
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    values: 1 + inside.reduce((sum, { values }) => sum + values, 0),
  }
}

const awkward = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', ' ', '\n', 'x', '\u2028', '😀'),
  }),
)
const anyJson = fc
  .tuple(
    fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 8, withCrossShrink: true },
        fc.oneof(awkward, fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 6 }),
        fc.dictionary(awkward, tie('value'), { maxKeys: 6 }),
      ),
    })).value,
    fc.constantFrom('', ' ', '\t', 3),
  )
  .map(([value, space]) => JSON.stringify(value, null, space))

describe('the extent of a text', () => {
  it('[K6] of JSON is that of what a parser makes of it, whatever stands in its strings', () => {
    fc.assert(
      fc.property(anyJson, (text) => {
        expect(extentOf(text)).toEqual(extentOfValue(JSON.parse(text)))
      }),
    )
  })

  it('[K6] is known for any text, and grows with it: cut off anywhere it is no more', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, awkward), fc.nat(), fc.nat(9), (text, at, most) => {
        const [whole, cut] = [extentOf(text), extentOf(text.slice(0, at % (text.length + 1)))]
        expect(cut.depth <= whole.depth && cut.values <= whole.values).toBe(true)
        expect(Math.min(extentOf(text, most).values, most + 1)).toBe(Math.min(whole.values, most + 1))
        readJson(text)
      }),
    )
  })

  it.each<[string, JsonExtent]>([
    ['', { depth: 0, values: 0 }],
    [' 1 ', { depth: 0, values: 1 }],
    ['[]', { depth: 1, values: 1 }],
    ['[ ]', { depth: 1, values: 1 }],
    ['{"a":{},"b":[1,[]]}', { depth: 3, values: 5 }],
    ['{"a":1,"a":2}', { depth: 1, values: 3 }],
    ['"[[[,\\"{{{,\\\\"', { depth: 0, values: 1 }],
    ['["\\', { depth: 1, values: 2 }],
    ['[[[', { depth: 3, values: 3 }],
    [']]]]', { depth: 0, values: 0 }],
  ])('%s', (text, extent) => {
    expect(extentOf(text)).toEqual(extent)
  })
})

describe('what is read', () => {
  it('[K6] is as deep and as wide as it may be, and no more', () => {
    expect([excessIn(nested(DEEPEST)), excessIn(nested(DEEPEST + 1))]).toEqual([null, 'depth'])
    expect([excessIn(wide(MOST_VALUES)), excessIn(wide(MOST_VALUES + 1))]).toEqual([null, 'values'])
    expect(excessIn(wide(MOST_VALUES + 1, nested(300)))).toBe('values')
    expect(readJson(nested(1_000_000))).toEqual({ kind: 'excess', excess: 'values' })
  })

  it('[K6] is passed where it is small, by a look at its length alone, and only then', () => {
    fc.assert(
      fc.property(anyJson, (text) => {
        const { depth, values } = extentOf(text)
        expect(2 * depth <= Math.max(2, text.length) && 2 * values <= text.length + 1).toBe(true)
      }),
    )
  })

  it('is the value, or that it is none', () => {
    expect([readJson('{"a":1}'), readJson('{"a":1')]).toEqual([
      { kind: 'value', value: { a: 1 } },
      { kind: 'malformed' },
    ])
  })
})
