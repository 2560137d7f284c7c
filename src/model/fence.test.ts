import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authorText, fencedBlock, fencedInline, quotedInline, words } from './fence.ts'
import { visibleText } from './visible-text.ts'

const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\r',
      '\u2028',
      ' ',
      '#',
      'a',
      '\\',
      '${',
      '\u{E0041}',
    ),
  }),
  fc.string({ unit: 'binary' }),
)

describe('words of others', () => {
  it('[A26] nor the quotes they stand in on a card', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = quotedInline(words('agent "dev"', 'reason', text))
        expect(shown).toMatch(/^(?:[\p{L}\p{N}][\p{L}\p{N}._/-]*|“[^“”\n]*”)$/u)
      }),
    )
  })

  it('[A23] [A26] cannot end the block they stand in, whoever wrote them', () => {
    fc.assert(
      fc.property(hostile, hostile, (text, author) => {
        const [first = '', ...rest] = fencedBlock(words(author, 'notes', text)).split('\n')
        const fence = /^`{3,}/.exec(first)?.[0] ?? ''
        expect(first.startsWith(`${fence}notes by`)).toBe(true)
        expect(first.slice(fence.length)).not.toContain('`')
        expect(fence).not.toBe('')
        expect(rest.at(-1)).toBe(fence)
        expect(rest.slice(0, -1).join('\n')).toBe(visibleText(text))
        expect(text).not.toContain(fence)
      }),
    )
  })

  it('[A23] [A26] nor the quotes they stand in within a sentence', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = fencedInline(words('an issue', 'title', text))
        const fence = /^\s*(`+)/.exec(written)?.[1] ?? ''
        if (fence === '') {
          expect(written).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u)
          return
        }
        expect(text).not.toContain(fence)
        // The first fence after the one that opens it is the last thing there is.
        const inside = written.trimStart().slice(fence.length)
        expect(inside.indexOf(fence)).toBe(inside.trimEnd().length - fence.length)
        expect(written.includes('\n')).toBe(/[\p{Cc}\u2028\u2029]/u.test(text) || text.length > 300)
      }),
    )
  })

  it('[A26] can be shown by nothing but a fence', () => {
    const given = words('agent "dev"', 'notes', 'MARK')
    expect(`${JSON.stringify(given)}${Object.values(given).join()}`).not.toContain('MARK')
    expect(fencedBlock(given)).toContain('MARK')
  })

  it('read well where they are harmless', () => {
    const title = (text: string) => fencedInline(words('an issue', 'title', text))
    expect(title('Fix the parser')).toBe('`Fix the parser`')
    expect(title('Fix `parse`')).toBe('`` Fix `parse` ``')
    expect(title('src/parser.ts')).toBe('src/parser.ts')
    expect(fencedBlock(words('agent "dev"', 'notes', 'a\n```js\nb\n```'))).toBe(
      '````notes by agent "dev"\na\n```js\nb\n```\n````',
    )
  })
})

it('[A27] an author is named with what kind of actor that is', () => {
  expect(authorText({ kind: 'agent', name: 'person "anna"' })).toBe('agent "person "anna""')
  expect(authorText({ kind: 'person', name: 'anna' })).toBe('person "anna"')
  expect(authorText({ kind: 'policy', name: 'anna\u202E' })).toBe('policy "anna⟨U+202E⟩"')
})
