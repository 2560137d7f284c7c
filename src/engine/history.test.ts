import { expect, it } from 'vitest'
import type { Answer } from '../model/answer.ts'
import type { EventOf, RunEvent } from '../model/event.ts'
import { leftByRun } from './views/history.ts'

const SIGNALBOX = { kind: 'signalbox' } as const
const DEV = { kind: 'agent', name: 'dev' } as const
const answer = (outcome: string, given: Partial<Answer> = {}): Answer => ({
  ...{ outcome, choices: {}, fields: {}, notes: '', handoff: null },
  ...given,
})
const left = (over: Partial<EventOf<'visit.left'>>): RunEvent => ({
  ...{
    type: 'visit.left',
    at: 1,
    step: 'work',
    visit: 1,
    outcome: 'done',
    answer: null,
    detail: '',
    by: DEV,
  },
  ...{ arm: 0, to: 'done', settled: false, tells: null, findings: null, paid: {} as never },
  ...over,
})
const ended = (reason = ''): RunEvent => ({
  ...{ type: 'run.ended', at: 9, end: 'abandoned', success: false, by: { kind: 'person', name: 'alice' } },
  reason,
})

it('[M11] tells why a run ended, in the words of its last step or of who ended it', () => {
  const failed = left({
    step: 'test',
    outcome: 'failed',
    by: SIGNALBOX,
    detail: 'It did not run to its end.',
  })
  expect(leftByRun([failed, ended()]).why).toBe('test ended as failed: It did not run to its end.')
  expect(leftByRun([failed, ended('not needed any more')]).why).toBe('person "alice": not needed any more')
  expect(leftByRun([]).why).toBe('')
})

it('[M11] tells the last that was said, with fields, handoff and notes, and not what went well by itself', () => {
  const handoff = { name: 'plan', version: 1, quality: 'full', values: { files: ['a', 'b'] } } as const
  const events = [
    left({ step: 'plan', answer: answer('done', { handoff }) }),
    left({ step: 'test', by: SIGNALBOX, outcome: 'pass', answer: answer('pass', { notes: 'ok' }) }),
    left({
      step: 'review',
      answer: answer('reject', { fields: { feedback: 'Too wide.' }, notes: 'See a.' }),
      outcome: 'reject',
    }),
  ]
  expect(leftByRun(events).said.map(({ step, outcome, by, text }) => [step, outcome, by, text])).toEqual([
    ['plan', 'done', 'agent "dev"', 'files: - a\n- b'],
    ['review', 'reject', 'agent "dev"', 'feedback: Too wide.\nSee a.'],
  ])
  const many = Array.from({ length: 9 }, (_, visit) => left({ visit, detail: 'x'.repeat(5000) }))
  expect(leftByRun(many).said.map(({ visit, text }) => [visit, text.length])).toEqual(
    [4, 5, 6, 7, 8].map((visit) => [visit, 4000]),
  )
})

it('[M11] tells what it changed of issues and said about them, and where it was landed', () => {
  const changed = {
    type: 'issues.changed',
    at: 2,
    step: 'note',
    visit: 3,
    issues: ['1'],
    commit: 'c',
  } as const
  const comments = [{ issue: '1', by: 'work', text: 'Mind the parser.' }]
  const landed = {
    type: 'run.landed',
    at: 3,
    by: DEV,
    into: 'main',
    before: 'a',
    commit: 'b',
    work: 'w',
    how: 'merge',
    gates: 0,
  } as const
  expect(leftByRun([changed, { ...changed, comments }, landed])).toMatchObject({
    changed: [{ step: 'note', visit: 3, issues: ['1'], commit: 'c' }, { step: 'note' }],
    comments,
    landed: { into: 'main', commit: 'b' },
  })
})
