import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MarkedBlock, withBlock, withoutBlock } from './marked-block.ts'

const BLOCK: MarkedBlock = { begin: '<!-- b -->', lines: ['one', '', 'two'], end: '<!-- e -->' }
const put = (text: string | null): string => {
  const edited = withBlock(text, BLOCK)
  if (!('text' in edited)) throw new Error(edited.kind)
  return edited.text
}

describe('a marked block', () => {
  it('is a file of its own where there is none, and goes with it', () => {
    expect(put(null)).toBe('<!-- b -->\none\n\ntwo\n<!-- e -->\n')
    expect(withoutBlock(put(null), BLOCK)).toEqual({ kind: 'emptied' })
    expect(withoutBlock(null, BLOCK)).toEqual({ kind: 'absent' })
  })

  it('[V16] goes to the end of a text and leaves it as it was, to the byte', () => {
    const piece = fc.constantFrom('a', '\n', '\r\n', ' ', '#', '\ufeff', 'é')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        expect(put(text).startsWith(text)).toBe(true)
        expect(withoutBlock(put(text), BLOCK)).toEqual({ kind: 'changed', text })
        expect(withBlock(put(text), BLOCK)).toEqual({ kind: 'present' })
      }),
    )
  })

  it('is brought up to date where it stands, whatever is around it', () => {
    const text = '# Mine\n\n<!-- b -->\nold\n<!-- e -->\n\nMore of mine.\n'
    expect(put(text)).toBe('# Mine\n\n<!-- b -->\none\n\ntwo\n<!-- e -->\n\nMore of mine.\n')
    expect(withoutBlock(text, BLOCK)).toEqual({ kind: 'changed', text: '# Mine\n\nMore of mine.\n' })
  })

  it.each([
    '<!-- b -->\nx',
    'x\n<!-- e -->\n',
    '<!-- e -->\n<!-- b -->\n',
    '<!-- b -->\n<!-- b -->\n<!-- e -->',
  ])('whose marks are broken is not touched: %j', (text) => {
    expect(withBlock(text, BLOCK)).toMatchObject({ kind: 'malformed' })
    expect(withoutBlock(text, BLOCK)).toMatchObject({ kind: 'malformed' })
  })

  it('is no block where somebody only speaks of its marks', () => {
    expect(withoutBlock('See <!-- b --> and\n<!-- e --> there.\n', BLOCK)).toEqual({ kind: 'absent' })
  })
})
