import { describe, expect, it } from 'vitest'
import type { Update } from '../../drivers/index.ts'
import { isGoingInCircles, MOST_REPEATS, NOTHING_SEEN, observe } from './watch.ts'

type Tool = Extract<Update, { kind: 'tool' }>

const tool = (over: Partial<Tool>): Tool => ({
  kind: 'tool',
  id: 't',
  title: 'read',
  status: 'completed',
  input: { path: 'a' },
  ...over,
})
const watched = (...updates: readonly Update[]) => updates.reduce(observe, NOTHING_SEEN)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('the watch for loops', () => {
  it('counts equal calls in a row, however they are numbered', () => {
    expect(isGoingInCircles(watched(...times(MOST_REPEATS - 1, (n) => tool({ id: `t${n}` }))))).toBe(false)
    expect(isGoingInCircles(watched(...times(MOST_REPEATS, (n) => tool({ id: `t${n}` }))))).toBe(true)
  })

  it('begins again with any other call', () => {
    const seen = watched(...times(20, () => tool({})), tool({ input: { path: 'b' } }))
    expect(seen.repeats).toBe(1)
    expect(watched(...times(40, (n) => tool({ input: { path: n % 2 } }))).repeats).toBe(1)
  })

  it('counts a call once, when it is finished, with what was said of it before', () => {
    const call = (id: string): Update[] => [
      tool({ id, status: 'pending' }),
      tool({ id, status: 'in_progress', title: '', input: undefined }),
      tool({ id, status: 'completed', title: '', input: undefined }),
    ]
    const seen = watched(...call('1'), ...call('2'))
    expect(seen.repeats).toBe(2)
    expect(seen.open).toEqual({})
    expect(seen.last).toContain('"path":"a"')
  })

  it('tells calls that run at the same time apart', () => {
    const seen = watched(
      tool({ id: '1', status: 'pending', input: { path: 'a' } }),
      tool({ id: '2', status: 'pending', input: { path: 'b' } }),
      tool({ id: '1', title: '', input: undefined }),
      tool({ id: '2', status: 'failed', title: '', input: undefined }),
    )
    expect(seen.repeats).toBe(1)
    expect(seen.open).toEqual({})
  })

  it('takes no notice of words, thoughts and usage', () => {
    const others: Update[] = [
      { kind: 'text', text: 'read' },
      { kind: 'thought', text: 'read' },
      { kind: 'usage', costUsd: 1, tokens: 1 },
      { kind: 'other', about: 'stderr' },
    ]
    expect(watched(tool({}), ...others, tool({})).repeats).toBe(2)
  })

  it('takes any id for what it is', () => {
    expect(watched(tool({ id: '__proto__', status: 'pending' }), tool({ id: '__proto__' })).repeats).toBe(1)
  })
})
