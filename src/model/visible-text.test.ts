import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf, visibleJson, visibleLine, visibleText } from './visible-text.ts'

const UNSEEN =
  /[^\P{Cc}\t\n\r]|[\u00AD\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\u2800\u3164\uFEFF]|[\u{E0000}-\u{E0FFF}]/u

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      '\u202E',
      '\u200B',
      '\u{E0041}',
      '\uFE0F',
      '\u200D',
      '👩',
      '\r',
      '\n',
      '\u001B',
    ),
  }),
)

describe('visible text', () => {
  it('[N6] names letters that cannot be seen or that turn others around', () => {
    expect(partsOf('a\u202Eb\u200Bc')).toEqual([
      { text: 'a', isUnseen: false },
      { text: 'U+202E', isUnseen: true },
      { text: 'b', isUnseen: false },
      { text: 'U+200B', isUnseen: true },
      { text: 'c', isUnseen: false },
    ])
    expect(visibleText('pay\u2066load\u{E0041}')).toBe('pay⟨U+2066⟩load⟨U+E0041⟩')
    expect(visibleText('one\rtwo\r\nthree')).toBe('one⟨U+000D⟩two\r\nthree')
    expect(visibleLine('one\n\t two\u2028')).toBe('one two⟨U+2028⟩')
  })

  it.each(['Grüße, 世界', 'a\tb\n', '👩‍👩‍👧 ❤️ 👍🏽 1️⃣', 'مرحبا', 'नमस्ते'])(
    '[N6] leaves %s as it is',
    (plain) => {
      expect(visibleText(plain)).toBe(plain)
    },
  )

  it('[N6] has none of them left, whatever the text is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visibleText(text)).not.toMatch(UNSEEN)
        expect(partsOf(text).every((part) => part.text !== '')).toBe(true)
        expect(
          partsOf(text)
            .filter(({ isUnseen }) => !isUnseen)
            .map((part) => part.text)
            .join(''),
        ).not.toMatch(UNSEEN)
      }),
    )
  })

  it('[N6] in JSON stands for the same text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = visibleJson(JSON.stringify({ text }))
        expect(written).not.toMatch(UNSEEN)
        expect(JSON.parse(written)).toEqual({ text })
      }),
    )
  })
})
