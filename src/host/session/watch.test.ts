import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Update } from '../../drivers/index.ts'
import { circleIn, countAnew, LONGEST_CIRCLE, NOTHING_SEEN, nextTurn, observe } from './watch.ts'

type Tool = Extract<Update, { kind: 'tool' }>

const tool = (over: Partial<Tool>): Tool => ({
  kind: 'tool',
  id: 't',
  title: 'read',
  status: 'completed',
  input: { path: 'a' },
  ...over,
})
const called = (path: unknown): Tool => tool({ input: { path } })
const watched = (...updates: readonly Update[]) => updates.reduce(observe, NOTHING_SEEN)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('the watch for loops', () => {
  it('counts equal calls in a row, however they are numbered', () => {
    expect(circleIn(watched(...times(11, (n) => tool({ id: `t${n}` }))), 12)).toBeNull()
    expect(circleIn(watched(...times(12, (n) => tool({ id: `t${n}` }))), 12)).toEqual({
      calls: ['read {"path":"a"}'],
      rounds: 12,
    })
  })

  it('[D20] takes no notice of the call’s own ids in what it is made with', () => {
    const made = (n: number): Tool => tool({ input: { call_id: `c${n}`, turnId: n, path: 'a' } })
    expect(circleIn(watched(...times(12, made)), 12)?.calls).toEqual(['read {"path":"a"}'])
    const ids = (n: number): Tool => tool({ input: { id: n } })
    expect(circleIn(watched(...times(12, ids)), 2)).toBeNull()
  })

  it('[D20] finds a circle of few calls, wherever it begins, and tells it as the smallest that it is', () => {
    const circle = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: LONGEST_CIRCLE })
    fc.assert(
      fc.property(circle, fc.array(fc.nat()), fc.integer({ min: 2, max: 20 }), (calls, before, most) => {
        const rounds = times(most * calls.length, (n) => called(calls[n % calls.length]))
        const seen = circleIn(watched(...before.map((path) => called(`before ${path}`)), ...rounds), most)
        expect(seen?.calls).toEqual(calls.map((path) => `read {"path":${path}}`))
        expect(circleIn(watched(...rounds.slice(1)), most)).toBeNull()
      }),
    )
  })

  it('[D20] finds none where something else is done in between, and none in work', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 60 }), (paths) => {
        const working = paths.flatMap((path, nth) => [called(path), called(`edit ${nth}`)])
        expect(circleIn(watched(...working), 3)).toBeNull()
      }),
    )
  })

  it('[D20] takes calls for the same only where all that was told of them is', () => {
    const told = (mark: string): Tool => tool({ title: 'Edit a.txt', input: null, mark })
    expect(circleIn(watched(...times(12, (nth) => told(`diff ${nth}`))), 2)).toBeNull()
    expect(circleIn(watched(...times(12, () => told('diff'))), 12)?.calls).toEqual(['Edit a.txt'])
    const tested = times(12, (nth) => [told('diff'), tool({ title: 'npm test', mark: `${40 - nth} fail` })])
    expect(circleIn(watched(...tested.flat()), 2)).toBeNull()
  })

  it('[D20] takes another result of a call for news', () => {
    const first = watched(tool({ mark: '2 tests fail' }))
    expect(observe(nextTurn(first), tool({ mark: '2 tests fail' })).news).toBe(false)
    expect(observe(nextTurn(first), tool({ mark: '1 test fails' })).news).toBe(true)
  })

  it('[D20] counts anew once something came of it', () => {
    const round = times(12, () => tool({}))
    const seen = round.slice(1).reduce(observe, countAnew(watched(...round)))
    expect(circleIn(seen, 12)).toBeNull()
    expect(circleIn(observe(seen, tool({})), 12)?.rounds).toBe(12)
  })

  it('[D20] takes one that never ends for no reason to see no circle', () => {
    const run = (n: number): Tool => tool({ id: `t${n}`, title: 'run', input: null })
    const never = tool({ id: 'never', title: 'run', input: null, status: 'in_progress' })
    const again = watched(never, ...times(13, run))
    expect(circleIn(again, 12)?.calls).toEqual(['run'])
    expect(observe(nextTurn(again), run(99)).news).toBe(false)
    // Those of one batch say so of one another.
    const batch = (from: number) => [
      ...times(6, (n) => ({ ...run(from + n), status: 'in_progress' as const })),
      ...times(6, (n) => run(from + n)),
    ]
    expect(circleIn(watched(...batch(0), ...batch(10), ...batch(20)), 3)).toBeNull()
  })

  it('[K6] stays small, whatever it sees', () => {
    const seen = watched(
      ...times(2_000, (n) => tool({ id: `open ${n}`, status: 'pending', input: 'x'.repeat(1000) })),
      ...times(2_000, (n) => called('y'.repeat(n))),
    )
    expect(JSON.stringify({ ...seen, open: [...seen.open] }).length).toBeLessThan(50_000)
    expect([seen.open.size, seen.last.length]).toEqual([50, LONGEST_CIRCLE])
  })

  it('tells whether a turn had a call that was never made before', () => {
    const first = watched(called('a'), called('b'))
    expect(first.news).toBe(true)
    const second = nextTurn(first)
    expect([second.news, observe(second, called('b')).news, observe(second, called('c')).news]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('begins again with any other call', () => {
    expect(circleIn(watched(...times(20, () => tool({})), called('b')), 2)).toBeNull()
  })

  it('counts a call once, when it is finished, with what was said of it before', () => {
    const call = (id: string): Update[] => [
      tool({ id, status: 'pending' }),
      tool({ id, status: 'in_progress', title: '', input: undefined }),
      tool({ id, status: 'completed', title: '', input: undefined }),
    ]
    const seen = watched(...call('1'), ...call('2'))
    expect(circleIn(seen, 2)).toEqual({ calls: ['read {"path":"a"}'], rounds: 2 })
    expect(seen.open.size).toBe(0)
  })

  it('tells calls that run at the same time apart', () => {
    const seen = watched(
      tool({ id: '1', status: 'pending', input: { path: 'a' } }),
      tool({ id: '2', status: 'pending', input: { path: 'b' } }),
      tool({ id: '1', title: '', input: undefined }),
      tool({ id: '2', status: 'failed', title: '', input: undefined }),
    )
    expect(circleIn(seen, 2)).toBeNull()
    expect(seen.open.size).toBe(0)
  })

  it('[D20] compares calls that begin side by side only by what is known of each when it ends', () => {
    const ids = times(12, (n) => `t${n}`)
    const begun = ids.map((id) => tool({ id, status: 'pending', input: null }))
    const known = ids.map((id) => tool({ id, status: 'in_progress', input: { path: id } }))
    expect(circleIn(watched(...begun, ...known), 2)).toBeNull()
    const ended = (path: string) => ids.map((id) => tool({ id, input: { path: path || id } }))
    expect(circleIn(watched(...begun, ...known, ...ended('')), 2)).toBeNull()
    expect(circleIn(watched(...begun, ...known, ...ended('a')), 12)?.rounds).toBe(12)
    const untold = ids.map((id) => tool({ id, input: null }))
    expect(circleIn(watched(...begun, ...untold), 2)).toBeNull()
    const read = untold.map((each) => ({ ...each, mark: 'kind: read' }))
    expect(circleIn(watched(...begun, ...read), 2)).toBeNull()
    expect(circleIn(watched(...untold), 12)?.rounds).toBe(12)
  })

  it('takes no notice of words, thoughts and usage', () => {
    const others: Update[] = [
      { kind: 'text', text: 'read' },
      { kind: 'thought', text: 'read' },
      { kind: 'usage', costUsd: 1, tokens: 1 },
      { kind: 'other', about: 'stderr' },
    ]
    expect(circleIn(watched(tool({}), ...others, tool({})), 2)?.rounds).toBe(2)
  })

  it('takes any id for what it is', () => {
    expect(
      circleIn(watched(tool({ id: '__proto__', status: 'pending' }), tool({ id: '__proto__' })), 2),
    ).toBeNull()
  })
})
