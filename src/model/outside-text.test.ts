import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fencedBlock, fencedInline } from './outside-text.ts'

const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom('`', '``', '```', '~~~', '\n', '\r', '\u2028', ' ', '#', 'a', '\\', '${'),
  }),
  fc.string({ unit: 'binary' }),
)

describe('text from outside', () => {
  it('[A23] cannot end the block it stands in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [first = '', ...rest] = fencedBlock(text, 'an issue').split('\n')
        const fence = /^`{3,}/.exec(first)?.[0] ?? ''
        expect(first).toBe(`${fence}an issue`)
        expect(fence).not.toBe('')
        expect(rest.at(-1)).toBe(fence)
        expect(rest.slice(0, -1).join('\n')).toBe(text)
        expect(text).not.toContain(fence)
      }),
    )
  })

  it('[A23] nor the quotes it stands in within a sentence', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = fencedInline(text, 'an issue')
        const fence = /^\s*(`+)/.exec(written)?.[1] ?? ''
        expect(text).not.toContain(fence)
        // The first fence after the one that opens it is the last thing there is.
        const inside = written.trimStart().slice(fence.length)
        expect(inside.indexOf(fence)).toBe(inside.trimEnd().length - fence.length)
        expect(written.includes('\n')).toBe(/[\p{Cc}\u2028\u2029]/u.test(text) || text.length > 300)
      }),
    )
  })

  it('reads well where it is harmless', () => {
    expect(fencedInline('Fix the parser', 'x')).toBe('`Fix the parser`')
    expect(fencedInline('Fix `parse`', 'x')).toBe('`` Fix `parse` ``')
    expect(fencedBlock('a\n```js\nb\n```', 'the issue')).toBe('````the issue\na\n```js\nb\n```\n````')
  })
})
