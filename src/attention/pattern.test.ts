import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outlineOf, patternFits, patternOf, written } from './pattern.ts'

it.each([
  ['Update lockfile 12?', 'Update lockfile {number}?'],
  ['Update to v1.2.3, or 2.0?', 'Update to {number}, or {number}?'],
  ['Merge #123?', 'Merge #{number}?'],
  ['Revert 4ae13c6?', 'Revert {id}?'],
  ['Go on with 6eqv5a8c and ENG-12?', 'Go on with {id} and {id}?'],
  ['Write to src/a/b.ts and ./c?', 'Write to {path} and {path}?'],
  ['Keep "main" and `dev`?', 'Keep "{quoted}" and `{quoted}`?'],
  ['Open "src/a/b.ts"?', 'Open "{path}"?'],
  // What leads out of the repository, or hides, is no value.
  ['Read /etc/hosts or ~/x?', 'Read /etc/hosts or ~/x?'],
  ['Edit ../../x or src/../../x?', 'Edit ../../x or src/../../x?'],
  ['Edit src/a/.env or .git/hooks/x.sh?', 'Edit src/a/.env or .git/hooks/x.sh?'],
  // What somebody says is not a name, and neither are these.
  ['Take "the fast way"?', 'Take "the fast way"?'],
  ['Take "the\u2800fast\u2800way"?', 'Take "the\u2800fast\u2800way"?'],
  ['Use `--force`, "a|b" or "lоdash"?', 'Use `--force`, "a|b" or "lоdash"?'],
  ['Ship and/or wait?', 'Ship and/or wait?'],
  ['Use utf8 and h2?', 'Use utf8 and h2?'],
  ["Don't it's fine?", "Don't it's fine?"],
  ['Which store for sessions?', 'Which store for sessions?'],
  // Nobody can write one of ours.
  ['Update lockfile {number}?', 'Update lockfile {{number}}?'],
])('%s is in outline %s', (headline, outline) => {
  expect(outlineOf(headline)).toBe(outline)
})

describe('[Y6] a pattern', () => {
  it.each<[string, readonly string[], string]>([
    ['digits', ['Update 3?', 'Update 12?'], 'Update {number 000}?'],
    ['versions', ['To v1.2?', 'To v1.10?', 'To 1.2.3?'], 'To {number 00.00.00|v00.000}?'],
    ['ids', ['Pick 4ae13c6?', 'Pick ENG-12?'], 'Pick {id ENG-|hex}?'],
    ['files', ['Edit src/x/a.ts?', 'Edit ./src/x/b.test.ts?'], 'Edit {path src/x/*.test.ts|src/x/*.ts}?'],
    ['names', ['Add "lib-x"?', 'Add "b2"?'], 'Add "{quoted a-z0-9- 10}"?'],
    ['nothing that was always the same', ['Step 2 of 3?', 'Step 1 of 3?'], 'Step {number 00} of 3?'],
    ['braces', ['Fill {a} 1?', 'Fill {a} 2?'], 'Fill {{a}} {number 00}?'],
  ])('leaves open %s', (_what, texts, pattern) => {
    expect(patternOf(texts)).toBe(pattern)
  })

  it('is none of what is not alike, or differs too much', () => {
    expect(patternOf(['Update 1?', 'Rewrite 1?'])).toBeNull()
    expect(patternOf(['Update 1?', 'Update "a"?'])).toBeNull()
    expect(patternOf('abcdefghi'.split('').map((folder) => `Edit src/${folder}/x.ts?`))).toBeNull()
    expect(patternOf([])).toBeNull()
  })

  it.each([
    ['Update {number 00}?', 'Update 7?', true],
    ['Update {number 00}?', 'Update 400000000?', false],
    ['Update {number 00}?', 'Update -7?', false],
    ['Update {number 00}?', 'Update 1.2?', false],
    ['Update {number 00}?', 'Update ١٢?', false],
    ['Edit {path src/x/*.ts}?', 'Edit src/x/new.ts?', true],
    ['Edit {path src/x/*.ts}?', 'Edit src/x/y/new.ts?', false],
    ['Edit {path src/x/*.ts}?', 'Edit src/x/../new.ts?', false],
    ['Edit {path src/x/*.ts}?', 'Edit src/x/.ts?', false],
    ['Edit {path src/x/*.ts}?', 'Edit src/x/new.sh?', false],
    ['Edit {path src/x/*.ts}?', 'Edit /src/x/new.ts?', false],
    ['Edit {path src/x/*.ts}?', 'Edit ~/.ssh/authorized_keys?', false],
    ['Edit {path}?', 'Edit /etc/sudoers?', false],
    ['Edit {path}?', 'Edit src/../../x?', false],
    ['Edit {path}?', 'Edit src/x/y.ts?', true],
    ['Add "{quoted a-z- 10}"?', 'Add "lib-z"?', true],
    ['Add "{quoted a-z- 10}"?', 'Add "lib-z2"?', false],
    ['Add "{quoted a-z- 10}"?', 'Add "lib-and-rewrite-the-parser"?', false],
    ['Add "{quoted a-z- 10}"?', 'Add "libа"?', false],
    ['Add "{quoted a-z- 10}"?', 'Add "lib" and "x"?', false],
    ['Add "{quoted}"?', 'Add "lib\u2800z"?', false],
    ['Pick {id ENG-}?', 'Pick OPS-1?', false],
    ['Pick {id hex}?', 'Pick 4ae13c6?', true],
    // Not as anybody would have learnt it: nothing.
    ['Update {number x}?', 'Update 7?', false],
    ['Edit {path ../*}?', 'Edit ../x?', false],
    ['Add {quoted ^ 5}?', 'Add x?', false],
  ])('%s of "%s": %s', (pattern, text, fits) => {
    expect(patternFits(pattern, text)).toBe(fits)
  })

  const value = fc.oneof(
    fc.nat(9_999).map(String),
    fc
      .tuple(fc.constantFrom('src/a', 'src/b', 'docs'), fc.constantFrom('x.ts', 'y.md', 'z.test.ts'))
      .map((parts) => parts.join('/')),
    fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/).map((name) => `"${name}"`),
    fc.constantFrom('v1.2.3', '4ae13c6', 'ENG-12', '/etc/hosts', '~/.ssh/id', '{x}', 'parser'),
  )
  const text = fc
    .tuple(fc.constantFrom('Update', 'Edit {'), value, fc.constantFrom('and', '(*)'), value)
    .map((parts) => `${parts.join(' ')}?`)

  it('fits each that it was learnt from, and only what is alike in outline', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, other) => {
        const pattern = patternOf(texts)
        if (pattern === null) return
        for (const each of texts) expect(patternFits(pattern, each)).toBe(true)
        if (patternFits(pattern, other)) expect(outlineOf(other)).toBe(outlineOf(texts[0]!))
      }),
      { numRuns: 2_000 },
    )
  })

  it('of one text fits nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        expect(patternFits(written(one), one)).toBe(true)
        expect(patternFits(written(one), other)).toBe(one === other)
      }),
    )
  })

  it('takes no time, whatever is held against it', () => {
    const before = performance.now()
    for (const piece of ['a/', '1.', 'a1', '"', '"a" '])
      for (const pattern of ['{path}', '{number}', '"{quoted}" "{quoted}"'])
        expect(patternFits(`${pattern}!`, piece.repeat(20_000))).toBe(false)
    for (const piece of ['a/', '1.', 'a1', '"', '"a" ']) outlineOf(piece.repeat(20_000))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
