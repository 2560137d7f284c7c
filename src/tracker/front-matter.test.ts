import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFrontMatter } from './front-matter.ts'
import { written } from './front-matter-edit.ts'
import { linesOf } from './text-lines.ts'

const parsed = (text: string) => parseFrontMatter(linesOf(text))

function fieldsOf(text: string): Record<string, unknown> {
  const head = parsed(text)
  if ('problem' in head) throw new Error(head.problem)
  return Object.fromEntries([...head.fields].map(([key, { value }]) => [key, value]))
}

describe('front matter', () => {
  it('is keys with values and lists, then the body', () => {
    const text = [
      '---',
      '# a comment',
      'title: Fix it: now  # soon',
      "quoted: 'it''s # not a comment'",
      'double: "a \\"b\\" \\u00fc\\n"',
      'depends-on: [GAL-1, "GAL-2", ]',
      'labels:',
      '  - bug',
      '- "tech: debt"',
      'empty:',
      'none: []',
      '---',
      '',
      '# Body',
      '---',
      'more',
    ].join('\r\n')
    expect(fieldsOf(text)).toEqual({
      title: 'Fix it: now',
      quoted: "it's # not a comment",
      double: 'a "b" ü\n',
      'depends-on': ['GAL-1', 'GAL-2'],
      labels: ['bug', 'tech: debt'],
      empty: '',
      none: [],
    })
    expect(parsed(text)).toMatchObject({ bodyAt: 12 })
  })

  it('may be missing', () => {
    const none = { fields: new Map(), closedAt: null, bodyAt: 0 }
    expect(parsed('# Title\n\ntext\n')).toEqual(none)
    expect(parsed('')).toEqual(none)
  })

  it.each([
    ['---\ntitle: x\n', 'line 1: The front matter is never closed'],
    ['---\nno pair\n---\n', 'line 2: "no pair" is not "key: value"'],
    ['---\ntitle: x\n  nested: y\n---\n', 'line 3'],
    ['---\n- item\n---\n', 'line 2: This list item belongs to no key'],
    ['---\ntitle: x\n- item\n---\n', 'line 3: This list item'],
    ['---\ndepends-on: [a, b\n---\n', 'line 2: A bracket'],
    ['---\ntitle: "x\n---\n', 'line 2: A bracket or a quotation mark'],
    ['---\na: 1\na: 2\n---\n', 'line 3: "a" is given twice'],
  ])('%j is told with its line', (text, problem) => {
    expect(parsed(text)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('lets keys that are none of ours hold whatever they hold', () => {
    const text = [
      '---',
      'title: x',
      'about: >',
      '  two lines: of it',
      '    - and more',
      'meta:',
      '  - name: "unclosed',
      '    value: [1',
      'broken: "',
      'depends-on: [a]',
      '---',
      '',
    ].join('\n')
    expect(fieldsOf(text)).toMatchObject({ title: 'x', 'depends-on': ['a'] })
  })

  it('reads back whatever was written', () => {
    const odd = fc.constantFrom(
      '\b',
      '\f',
      '\v',
      '\u2028',
      '\u2029',
      '\u0085',
      '\ufeff',
      '#',
      ':',
      '"',
      "'",
      '\\',
    )
    const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), odd))
    fc.assert(
      fc.property(text, (parts) => {
        const value = parts.join('')
        expect(fieldsOf(`---\ntitle: ${written(value)}\n---\n`)).toEqual({ title: value })
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws and ends soon', () => {
    const unit = fc.constantFrom('-', ':', '[', ']', '"', "'", '\n', ' ', '#', ',', 'a', '\\')
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 60 }),
        (text) => typeof parsed(`---\n${text}\n---`) === 'object',
      ),
    )
    for (const hostile of [
      `a${' '.repeat(100_000)}b`,
      `["${'"'.repeat(50_000)}`,
      '['.repeat(50_000),
      `\n${'- a\n'.repeat(200_000)}`,
    ])
      parsed(`---\ntitle: ${hostile}\n---\n`)
  })
})
