import { describe, expect, it } from 'vitest'
import { compile } from '../../engine/given.fixture.ts'
import type { RunEvent } from '../../model/event.ts'
import { lanesOf } from './axis.view.ts'
import { apart, scaleOf } from './scale.view.ts'

const { program: PROGRAM } = compile(`
name: axis
agents: { dev: { use: default } }
steps:
  develop: { agent: dev, prompt: Do it., gate: { run: "true", expect: none }, next: review }
  review:
    agent: dev
    prompt: Look.
    asks: verdict
    options: { approve: sign_off, reject: { to: develop, max: 3, then: abandoned } }
  sign_off: { decide: "Ship?", options: { ship: done, drop: abandoned } }
`)

const NOTHING_PAID = { counted: null, spent: null, pass: null }
const person = { kind: 'person', name: 'ana' } as const
const signalbox = { kind: 'signalbox' } as const

const entered = (at: number, step: string, visit = 1): RunEvent => ({
  ...{ type: 'visit.entered', at, step, visit, kind: step === 'sign_off' ? 'decide' : 'agent' },
  ...{ members: step === 'sign_off' ? 0 : 1, gathers: false },
})
const left = (at: number, step: string, outcome: string, over: object = {}): RunEvent => ({
  ...{ type: 'visit.left', at, step, visit: 1, outcome, answer: null, detail: '', by: signalbox, arm: 0 },
  ...{ to: 'somewhere', settled: false, tells: null, findings: null, paid: NOTHING_PAID },
  ...over,
})
const evidence = { exitCode: 1, output: '', commit: null, diffstat: '' }
const told = (...events: readonly RunEvent[]) => events.map((event, index) => ({ version: index + 1, event }))

describe('the axis of a run', () => {
  it('[U9] cuts a visit where it was sent back, and tells the turn it ended in with what is left of its bound', () => {
    const counted = { arm: 0, paid: { ...NOTHING_PAID, counted: 'review.reject.0' } }
    const lanes = lanesOf(
      told(
        entered(0, 'develop'),
        { type: 'gate.failed', at: 10, member: 0, evidence, message: '' },
        { type: 'gate.passed', at: 20, member: 0, evidence },
        left(21, 'develop', 'done'),
        entered(21, 'review'),
        left(30, 'review', 'reject', counted),
        entered(30, 'develop', 2),
      ),
      PROGRAM,
    )
    expect(lanes.map(({ step }) => step)).toEqual(['develop', 'review'])
    expect(lanes[0]!.bars.map(({ from, to, label, sign }) => [from, to, label, sign])).toEqual([
      [0, 10, 'develop', 'working'],
      [10, 21, 'done', 'working'],
      [30, null, 'visit 2', 'working'],
    ])
    expect(lanes[0]!.dots.map(({ at, label, sign }) => [at, label, sign])).toEqual([
      [10, 'gate failed', 'fault'],
      [20, 'gate passed', 'done'],
    ])
    expect(lanes[1]!.bars).toMatchObject([{ label: 'reject, 1 of 3 used', sign: 'fault', version: 6 }])
  })

  it('[U9] shows a wait for a person as one, and what it came to', () => {
    const question = {
      question: 'sign_off.1.1',
      cause: 'step',
      member: null,
      fault: null,
      detail: '',
    } as const
    const opened: RunEvent = {
      ...{
        type: 'question.opened',
        at: 5,
        ...question,
        proposal: null,
        decision: null,
        route: null,
        paid: null,
      },
    }
    const before = told(entered(5, 'sign_off'), opened)
    expect(lanesOf(before, PROGRAM)[0]!.bars).toMatchObject([{ from: 5, to: null, sign: 'waiting' }])
    const after = told(
      entered(5, 'sign_off'),
      opened,
      { type: 'question.answered', at: 90, question: 'sign_off.1.1', by: person, pick: 'ship', note: '' },
      left(90, 'sign_off', 'ship'),
      { type: 'run.ended', at: 90, end: 'done', success: true, by: signalbox, reason: '' },
    )
    expect(lanesOf(after, PROGRAM)[0]!.bars).toMatchObject([
      { from: 5, to: 90, sign: 'waiting', label: 'ship' },
    ])
  })

  it('keeps the order of time, and leaves room for what was short beside what was long', () => {
    const hour = 3_600_000
    const { place, ticks } = scaleOf([0, 1000, 2000, 2000 + hour])
    expect(place(0)).toBe(0)
    expect(place(2000 + hour)).toBe(100)
    expect(place(1000)).toBeGreaterThan(1)
    expect(place(1500)).toBeGreaterThan(place(1000))
    expect(place(1500)).toBeLessThan(place(2000))
    expect(ticks.map(({ at }) => at)).toEqual([0, 2000 + hour])
  })

  it('writes only times that have room', () => {
    const ticks = [0, 24, 54, 80, 100].map((place) => ({ at: place, place }))
    expect(apart(ticks, 0)).toEqual(ticks)
    expect(apart(ticks, 26).map(({ place }) => place)).toEqual([0, 54, 100])
    expect(apart([], 26)).toEqual([])
  })
})
