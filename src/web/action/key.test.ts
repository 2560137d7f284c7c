import { describe, expect, it } from 'vitest'
import type { UserAction } from './action.ts'
import { actionFor, type Pressed } from './key.ts'

const pressed = (key: string, over: Partial<Pressed> = {}): Pressed => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  isTyping: false,
  ...over,
})

const action = (id: string, keys: string[], available = true): UserAction => ({
  id,
  label: id,
  group: 'Test',
  keys,
  available,
  run: () => {},
})

describe('a key', () => {
  const actions = [action('next', ['j', 'ArrowDown']), action('palette', ['mod+k']), action('help', ['?'])]

  it('means the action that has it', () => {
    expect(actionFor(pressed('j'), actions)?.id).toBe('next')
    expect(actionFor(pressed('ArrowDown'), actions)?.id).toBe('next')
    expect(actionFor(pressed('k', { ctrlKey: true }), actions)?.id).toBe('palette')
    expect(actionFor(pressed('K', { metaKey: true }), actions)?.id).toBe('palette')
    expect(actionFor(pressed('x'), actions)).toBeNull()
    expect(actionFor(pressed('j', { altKey: true }), actions)).toBeNull()
    expect(actionFor(pressed('j', { ctrlKey: true }), actions)).toBeNull()
  })

  it('[V7] means nothing while a text is typed, but for chords and Escape', () => {
    expect(actionFor(pressed('j', { isTyping: true }), actions)).toBeNull()
    expect(actionFor(pressed('1', { isTyping: true }), [action('pick', ['1'])])).toBeNull()
    expect(actionFor(pressed('k', { isTyping: true, metaKey: true }), actions)?.id).toBe('palette')
    expect(actionFor(pressed('Escape', { isTyping: true }), [action('leave', ['Escape'])])?.id).toBe('leave')
  })

  it('means the latest that was offered, of those that can be done', () => {
    const both = [action('under', ['Escape']), action('over', ['Escape']), action('gone', ['Escape'], false)]
    expect(actionFor(pressed('Escape'), both)?.id).toBe('over')
  })
})
