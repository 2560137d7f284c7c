import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf, withOddOnesNamed } from './odd-characters.ts'

describe('a text of an agent', () => {
  it('[U7] has its unseen and turning letters shown, and every other as it is', () => {
    expect(partsOf('a\u202Eb\u200Bc')).toEqual([
      { text: 'a', isOdd: false },
      { text: 'U+202E', isOdd: true },
      { text: 'b', isOdd: false },
      { text: 'U+200B', isOdd: true },
      { text: 'c', isOdd: false },
    ])
    expect(withOddOnesNamed('pay\u2066load\u{E0041}')).toBe('pay⟨U+2066⟩load⟨U+E0041⟩')
    for (const plain of ['Grüße, 世界', 'ok 👩‍👩‍👧'.replaceAll('\u200D', ''), 'a\tb\n'])
      expect(withOddOnesNamed(plain)).toBe(plain)
  })

  it('[U7] has none of them left, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(withOddOnesNamed(text)).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/)
        expect(partsOf(text).every(({ text: part }) => part !== '')).toBe(true)
      }),
    )
  })
})
