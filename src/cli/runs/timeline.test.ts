import { describe, expect, it } from 'vitest'
import { given } from '../../engine/given.fixture.ts'
import { storyEntry } from '../../engine/index.ts'
import { placedFact } from '../../host/runs/runs.fixture.ts'
import { elapsed } from '../../model/elapsed.ts'
import type { RunEvent } from '../../model/event.ts'
import { lineOf } from './timeline.ts'

const plain = (_style: unknown, text: string): string => text
const textOf = (event: RunEvent): string | null => storyEntry(event, String)?.text ?? null
const evidence = { exitCode: 1, output: '', commit: null, diffstat: '' }

const FLOW = `
name: flow
budgets: { rework: 1 }
steps:
  develop: { agent: dev, prompt: Do it., gate: make, next: review }
  review:
    agent: reviewer
    prompt: Review it.
    asks: verdict
    options: { approve: sign_off, reject: { to: develop, max: 1, then: sign_off } }
    fields: { feedback: { type: text, required_for: [reject] } }
  sign_off: { decide: Ship?, options: { ship: done, drop: abandoned } }
`

describe('the story of a run', () => {
  it('is told in one line for each thing that a person would tell', () => {
    const scene = given(FLOW).started()
    scene.answerNothing('develop').gate('develop', 1, 'ok 1\nnot ok 2 - of three words\n# done')
    scene.answerNothing('develop').gate('develop', 0, 'ok')
    scene.answer('review', { verdict: 'maybe' })
    scene.answer('review', { verdict: 'reject', feedback: 'No test.\nAt all.' })
    scene.later('90s').answerNothing('develop').gate('develop', 0)
    scene
      .answer('review', { verdict: 'approve' })
      .extend('rework', 2)
      .person({ decision: 'ship' }, { note: 'good' })
    const lines = scene.journal.flatMap((event) => lineOf(event, 0, plain) ?? [])
    expect(lines.map((line) => line.replace(/^ *[\d.]+ (?:s|m \d\d s) {2}/, ''))).toEqual([
      '▸ develop.trial',
      '  · exit code 0: (no output)',
      '  → expected → develop',
      '▸ develop',
      '  ✗ gate failed (exit code 1), sent back: not ok 2 - of three words',
      '  ✓ gate passed at c0ffee',
      '  → done → review',
      '▸ review',
      expect.stringMatching(/^ {2}↺ sent back: .*verdict/),
      '  → reject → develop: No test.',
      '▸ develop (visit 2)',
      '  ✓ gate passed at c0ffee',
      '  → done → review',
      '▸ review (visit 2)',
      '  → approve → sign_off',
      '▸ sign_off',
      '  ? a person is asked',
      '+ rework extended by 2: a good cause',
      '  ✓ alice answered: ship, good',
      '  → ship → done: good',
      '✓ ended as done',
    ])
    expect(lines.at(-1)).toMatch(/^1 m 30 s {2}/)
  })

  it('tells what the host met, who moved a run, and how it ended', () => {
    expect(textOf(placedFact())).toBe('flow on branch signalbox/flow-r1')
    expect(textOf({ type: 'host.noted', at: 0, text: 'mended' })).toBe('mended')
    const scene = given(FLOW).started().move('review').fault('review', 'stalled', 'quiet\nfor long')
    expect(scene.journal.flatMap((event) => textOf(event) ?? [])).toEqual([
      'develop.trial',
      'exit code 0: (no output)',
      'expected → develop',
      'develop',
      'moved from develop to review by alice: a better way',
      'review',
      'stalled: quiet',
      'a person is asked what to do',
    ])
    const session = { step: 's', visit: 1, member: 0, agent: 'dev', session: null, resumed: false } as const
    expect(
      textOf({
        type: 'session.opened',
        at: 0,
        ...session,
        program: 'sh',
        version: '',
        confined: 'bubblewrap',
      }),
    ).toBe('dev works (sh)')
    const cancelled = scene.cancel().journal.at(-1)!
    expect(storyEntry(cancelled, String)).toMatchObject({
      tone: 'bad',
      text: expect.stringContaining('not needed'),
    })
  })

  it('keeps every line on one line, and short, whatever an agent wrote', () => {
    const nasty = `\u001B[2J\u001B]0;title\u0007${'x'.repeat(10_000)}\nsecond`
    const events: RunEvent[] = [
      { type: 'member.faulted', at: 0, member: 0, fault: 'failed', detail: nasty },
      { type: 'gate.failed', at: 0, member: 0, evidence: { ...evidence, output: nasty }, message: '' },
      { type: 'check.reported', at: 0, evidence: { ...evidence, output: nasty } },
      { type: 'check.reported', at: 0, evidence: { ...evidence, exitCode: null } },
      {
        type: 'boundary.held',
        at: 0,
        step: 's',
        visit: 1,
        member: 0,
        files: ['a\u001B[31m\nb'],
        patch: '',
      },
      { type: 'run.ended', at: 0, end: 'done', success: true, by: { kind: 'signalbox' }, reason: nasty },
    ]
    for (const event of events) {
      const line = lineOf(event, 0, plain)!
      expect(line).not.toMatch(/\p{Cc}/u)
      expect(line.length).toBeLessThan(300)
    }
  })

  it('[Q11] tells of an answer that was taken back', () => {
    const undone: RunEvent = {
      type: 'question.undone',
      at: 0,
      question: 's#1?1',
      by: { kind: 'person', name: 'alice' },
    }
    expect(textOf(undone)).toBe('alice took the answer back')
  })

  it('[R16] tells of a fault by its cause', () => {
    const detail = 'The gate failed.\n\nsh: 1: tape: not found'
    expect(textOf({ type: 'member.faulted', at: 0, member: 0, fault: 'failed', detail })).toBe(
      'failed: the gate failed: sh: 1: tape: not found',
    )
  })

  it('leaves bookkeeping out', () => {
    const usage: RunEvent = { type: 'usage.recorded', at: 0, member: 0, costUsd: 1, tokens: 1 }
    expect(storyEntry(usage, String)).toBeNull()
    expect(lineOf(usage, 0, plain)).toBeNull()
  })
})

describe('a time that has gone by', () => {
  it.each([
    [0, '0.0 s'],
    [1449, '1.4 s'],
    [59_949, '59.9 s'],
    [59_999, '1 m 00 s'],
    [60_000, '1 m 00 s'],
    [200_000, '3 m 20 s'],
    [3_599_999, '59 m 59 s'],
    [3_600_000, '1 h 00 m'],
    [7_500_000, '2 h 05 m'],
    [360_000_000, '100 h 00 m'],
  ])('is %d ms as a person says it', (ms, text) => {
    expect(elapsed(ms)).toBe(text)
  })
})
