import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFrontMatter, written } from './front-matter.ts'

function fieldsOf(text: string): Record<string, unknown> {
  const parsed = parseFrontMatter(text)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return Object.fromEntries(parsed.fields)
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
    expect(parseFrontMatter(text)).toMatchObject({ body: '# Body\n---\nmore' })
  })

  it('may be missing', () => {
    expect(parseFrontMatter('# Title\n\ntext\n')).toEqual({ fields: new Map(), body: '# Title\n\ntext' })
    expect(parseFrontMatter('')).toEqual({ fields: new Map(), body: '' })
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
    expect(parseFrontMatter(text)).toEqual({ problem: expect.stringContaining(problem) })
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
        (text) => typeof parseFrontMatter(`---\n${text}\n---`) === 'object',
      ),
    )
    for (const hostile of [`a${' '.repeat(100_000)}b`, `["${'"'.repeat(50_000)}`, '['.repeat(50_000)])
      parseFrontMatter(`---\nkey: ${hostile}\n---\n`)
  })
})
