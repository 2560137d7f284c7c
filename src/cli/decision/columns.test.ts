import { describe, expect, it } from 'vitest'
import { columnsOf, fitted, wrapped } from './columns.ts'

describe('columns', () => {
  it('are two for what is drawn wide, and one for what is joined to a letter', () => {
    expect(columnsOf('plain')).toBe(5)
    expect(columnsOf('日本')).toBe(4)
    expect(columnsOf('✅')).toBe(2)
    expect(columnsOf('e\u0301')).toBe(1)
  })

  it('cut a text and say so, never through a letter', () => {
    expect(fitted('short', 5)).toBe('short')
    expect(fitted('longer', 5)).toBe('long…')
    expect(fitted('日本語です', 6)).toBe('日本…')
  })

  it('break lines between words, and within one only where it fits nowhere', () => {
    expect(wrapped('one two three four', 9)).toEqual(['one two', 'three', 'four'])
    expect(wrapped('a-very-long-word it is', 8)).toEqual(['a-very-l', 'ong-word', 'it is'])
    expect(wrapped('a\n\nb', 10)).toEqual(['a', '', 'b'])
    expect(wrapped('    indented stays', 40)).toEqual(['    indented stays'])
  })

  it('break a whole file without a break in time', () => {
    for (const letter of ['x', 'é']) {
      const lines = wrapped(letter.repeat(1_000_000), 100)
      expect([lines.length, new Set(lines.map((line) => line.length)).size]).toEqual([10_000, 1])
    }
    expect(wrapped('e\u0301'.repeat(300), 100).map(columnsOf)).toEqual([100, 100, 100])
  })

  it('lose no letter of any text', () => {
    const text =
      'Both pass the tests; 日本語のテキスト is kept, and so is aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.'
    for (let width = 8; width < 60; width++) {
      const lines = wrapped(text, width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width)
    }
  })
})
