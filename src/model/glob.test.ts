import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globOf } from './glob.ts'

const TABLE: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['src/**', ['src/a', 'src/a/b.ts', 'src/.env', 'src/.x/y'], ['src', 'srca', 'lib/src/a', 'Src/a']],
  ['src/', ['src/a', 'src/a/b'], ['src', 'srcs/a']],
  ['./src/*.ts', ['src/a.ts', 'src/.ts', 'src/ü.ts'], ['src/a/b.ts', 'src/a.tsx']],
  ['/a.txt', ['a.txt'], ['b/a.txt']],
  ['**/a.ts', ['a.ts', 'x/a.ts', 'x/y/a.ts'], ['xa.ts', 'x/ya.ts']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/c']],
  ['**', ['a', 'a/b', '.hidden/x'], []],
  ['*', ['a', '.a', 'a b\nc'], ['a/b']],
  ['**.ts', ['a.ts', 'x/a.ts'], ['a.js']],
  ['a?c', ['abc', 'a😀c', 'aüc'], ['a/c', 'ac', 'abbc']],
  ['{src,test}/**', ['src/a', 'test/b/c'], ['lib/a', '{src,test}/a']],
  ['{src/**,a.{ts,js}}', ['src/x/y', 'a.ts', 'a.js'], ['a.css']],
  ['a{,.bak}', ['a', 'a.bak'], ['a.', 'ab']],
  ['{a}', ['{a}'], ['a']],
  ['{a,b', ['{a,b'], ['a', 'b']],
  ['a}b,c', ['a}b,c'], ['ab']],
  ['pages/[id].ts', ['pages/[id].ts'], ['pages/i.ts']],
  ['a\\*b', ['a*b'], ['axb']],
  ['\\!x', ['!x'], ['x']],
  ['a.b+(c)|^$', ['a.b+(c)|^$'], ['aab+(c)|^$']],
]

describe('a pattern', () => {
  it.each(TABLE)('%s', (pattern, yes, no) => {
    const glob = globOf(pattern)
    for (const name of yes) expect(glob(name), name).toBe(true)
    for (const name of no) expect(glob(name), name).toBe(false)
  })

  it('that is a plain path matches only itself', () => {
    const path = fc
      .array(
        fc
          .string({ unit: 'grapheme', minLength: 1 })
          .filter((s) => !/[*?{}\\/]/.test(s) && !/^[.!]+$/.test(s)),
        { minLength: 1 },
      )
      .map((parts) => parts.join('/'))
    fc.assert(
      fc.property(path, path, (a, b) => {
        expect(globOf(a)(a)).toBe(true)
        expect(globOf(a)(b)).toBe(a === b)
      }),
    )
  })

  it('of any kind never throws', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('*', '?', '{', '}', ',', '\\', '/', '!', 'a', '.', '\udc80'),
    })
    fc.assert(fc.property(hostile, hostile, (pattern, name) => typeof globOf(pattern)(name) === 'boolean'))
  })

  it.each([
    ['stars', '*a'.repeat(2000)],
    ['globstars', '**/a'.repeat(2000)],
    ['choices', '{a,aa}'.repeat(2000)],
    ['nested choices', `${'{a,'.repeat(5000)}b${'}'.repeat(5000)}`],
    ['open braces', '{'.repeat(20_000)],
    ['commas', `{${','.repeat(5000)}}*b`],
  ])('of hostile %s ends soon', (_, pattern) => {
    const began = performance.now()
    expect(globOf(pattern)(`${'a'.repeat(1000)}X`)).toBe(false)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
