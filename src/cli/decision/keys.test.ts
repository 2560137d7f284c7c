import { describe, expect, it } from 'vitest'
import { isHalf, keysIn } from './keys.ts'

const names = (input: string): string[] => keysIn(input).map(({ name }) => name)

describe('keys', () => {
  it('are letters, and names for what is none', () => {
    expect(names('1a ?')).toEqual(['1', 'a', 'space', '?'])
    expect(names('\r\u007F\u0003\u0015')).toEqual(['enter', 'backspace', 'ctrl-c', 'ctrl-u'])
    expect(names('\u001B[A\u001BOB\u001B[6~\u001B')).toEqual(['up', 'down', 'page-down', 'escape'])
    expect(keysIn('ü👍🏽')).toEqual([
      { name: 'ü', text: 'ü' },
      { name: '👍', text: '👍' },
      { name: '🏽', text: '🏽' },
    ])
  })

  it('that mean nothing here are not taken for letters', () => {
    expect(names('\u001B[1;5C\u001B[15~\u0001q')).toEqual(['q'])
  })

  it('are not pressed by what is pasted', () => {
    expect(keysIn('\u001B[200~1\nyes\u001B[201~q')).toEqual([
      { name: 'paste', text: '1 yes' },
      { name: 'q', text: 'q' },
    ])
    expect(isHalf('\u001B[200~long')).toBe(true)
    expect(isHalf('\u001B[200~long\u001B[201~')).toBe(false)
  })
})
