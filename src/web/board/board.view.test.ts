import { describe, expect, it } from 'vitest'
import { compile } from '../../engine/given.fixture.ts'
import type { RunRow } from '../../model/api/runs.ts'
import { agentsAt, columnsOf, flowsOf } from './board.view.ts'

const { program } = compile(`
name: flow
setup: npm ci
agents: { dev: { use: default } }
steps:
  develop: { agent: dev, prompt: Do it., gate: "true", next: sign_off }
  sign_off: { decide: "Ship?", options: { ship: done, drop: abandoned } }
`)

const row = (run: string, over: Partial<RunRow> = {}): RunRow =>
  ({
    run,
    name: 'flow',
    status: 'working',
    step: 'develop',
    end: null,
    startedAt: 1,
    changedAt: 1,
    waiting: 0,
    ...over,
  }) as RunRow

describe('a board', () => {
  it('[U11] has a column for each step in order and for each end, and every run where it is', () => {
    const rows = [
      row('a'),
      row('b', { status: 'waiting', step: 'sign_off', waiting: 1 }),
      row('c', { status: 'ended', step: null, end: 'done' }),
      row('d', { status: 'ended', step: null, end: 'cancelled' }),
    ]
    const columns = columnsOf(program!, rows).map(({ label, kind, cards }) => [
      label,
      kind,
      cards.map(({ run }) => run),
    ])
    expect(columns).toEqual([
      ['develop', 'step', ['a']],
      ['sign_off', 'step', ['b']],
      ['done', 'end', ['c']],
      ['abandoned', 'end', []],
      ['cancelled', 'end', ['d']],
    ])
  })

  it('shows what only makes ready while somebody stands there', () => {
    const [first] = columnsOf(program!, [row('a', { step: Object.keys(program!.steps)[0]! })])
    expect(first).toMatchObject({ kind: 'step', cards: [{ run: 'a' }] })
  })

  it('knows who works where, and which flow was used last', () => {
    expect(agentsAt(program!, 'develop')).toBe('dev')
    expect(agentsAt(program!, 'sign_off')).toBe('')
    expect(flowsOf([row('a'), row('b', { name: 'newer', startedAt: 2 })])).toEqual(['newer', 'flow'])
  })
})
