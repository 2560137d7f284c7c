import { describe, expect, it } from 'vitest'
import { compile } from '../../engine/given.fixture.ts'
import type { RunRow } from '../../model/api/runs.ts'
import { todoOf } from '../course/start.view.ts'
import { columnsOf, flowsOf, issueFacts, neighbourOf } from './board.view.ts'
import { agentsAt, cardTold } from './run-card.view.ts'

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

  it('[U11] tells on a card for how long it is at its step, who is at it, what is left and what it waits for', () => {
    const { program: bounded } = compile(`
      name: flow
      agents: { dev: { use: default } }
      budgets: { rework: 2 }
      steps:
        work: { agent: dev, prompt: Do it., next: look }
        look:
          decide: "Good?"
          options:
            yes: done
            again: { to: work, max: 3, then: abandoned }
            over: { to: work, spend: rework, then: abandoned }
    `)
    const [counter] = Object.values(bounded!.steps['look']!.routes['again']!.arms)
    const counters = { [counter!.bound!.kind === 'max' ? counter!.bound!.counter : '']: 1 }
    const usage = { costUsd: 0.5, tokens: 1, unpriced: 0 }
    const at = (over: Partial<RunRow>) =>
      cardTold({
        row: row('a', { step: 'look', enteredAt: 60_000, usage, counters, budgets: { rework: 1 }, ...over }),
        ...{ program: bounded!, asks: 'Good?', now: 180_000 },
      })
    expect(at({ status: 'waiting', waiting: 1 })).toEqual({
      facts: ['a', '2 min here'],
      waits: 'Good?',
      left: ['again 2 of 3 left', 'rework 1 of 2 left', '0.50 USD'],
    })
    expect(at({ step: 'work' })).toMatchObject({ facts: ['a', 'dev', '2 min here'], waits: null })
    expect(at({ status: 'taken', takenBy: 'ana' }).waits).toBe('ana works at it by hand')
    expect(at({ status: 'ended', step: null, changedAt: 0 })).toEqual({
      facts: ['a', '3 min ago', '0.50 USD'],
      waits: null,
      left: [],
    })
  })

  it('[U14] has to do what nobody works on, what can begin first, and goes round about its cards', () => {
    const issue = (id: string, over: object = {}) => ({
      ...{ id, title: id, status: 'Todo', isDone: false, labels: [], parent: '', path: '', waitsFor: [] },
      ...over,
    })
    const waiting = issue('1', { waitsFor: [{ id: '2', why: '2 is Todo' }] })
    const rows = [
      row('a', { repo: '/r', issue: { id: '3', title: '' } }),
      row('b', { repo: '/r', issue: { id: '4', title: '' }, status: 'ended', end: 'abandoned' }),
      row('c', { repo: '/elsewhere', issue: { id: '2', title: '' } }),
    ]
    const issues = [waiting, issue('2'), issue('3'), issue('4'), issue('5', { isDone: true })]
    const todo = todoOf(issues, rows, '/r')
    expect(todo.map(({ id }) => id)).toEqual(['2', '4', '1'])
    expect(todo.map((each) => issueFacts(each).join(' · '))).toEqual([
      '2',
      '4 · last run abandoned',
      '1 · waits for 2',
    ])
    const cards = todo.map((each) => ({ kind: 'issue', issue: each }) as const)
    expect(neighbourOf(cards, null, 1)).toBe('issue 2')
    expect(neighbourOf(cards, null, -1)).toBe('issue 1')
    expect(neighbourOf(cards, 'issue 1', 1)).toBe('issue 2')
    expect(neighbourOf([], null, 1)).toBeNull()
  })
})
