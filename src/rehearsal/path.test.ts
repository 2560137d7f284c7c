import { describe, expect, it } from 'vitest'
import { compile, given } from '../engine/given.fixture.ts'
import type { Program } from '../model/program.ts'
import { pathTo } from './path.ts'
import { type Rehearsal, rehearse } from './rehearse.ts'
import { armsOf } from './routes-taken.ts'
import { playScenarios } from './scenario.ts'

const rehearsalOf = (program: Program) => rehearse(program, { mostStates: 50_000, faults: 'each' })

/** A path as the lines of a scenario, with what must come of it. */
function scenarioTo(rehearsal: Rehearsal, target: string): string {
  const path = pathTo(rehearsal, target)
  if (path.kind !== 'way') throw new Error(path.message)
  const play = ['play:', ...path.lines.map((line) => `  - ${line}`)]
  return [...play, ...(path.end === null ? [] : [`expect: { end: ${path.end} }`]), ''].join('\n')
}

/** Every end, every step that a run does not stand at from the beginning, and every outcome of every step. */
const targetsOf = (program: Program): string[] => [
  ...Object.keys(program.ends),
  ...Object.keys(program.steps).filter((step) => step !== program.start),
  ...new Set(armsOf(program).map(({ step, outcome }) => `${step}:${outcome}`)),
]

const LOOP = given(`
agents: { dev: {}, anna: {}, bert: {} }
steps:
  work: { agent: dev, questions: 1, gate: { run: make, max: 1 }, next: review }
  review:
    panel: [anna, { agent: bert, advisory: true }]
    questions: 0
    nudges: 0
    fields: { found: findings }
    settle_on: found
    options: { good: sign_off, bad: { to: work, max: 1, then: sign_off } }
  sign_off:
    decide: Ship it?
    context: git diff
    options: { ship: done, drop: abandoned }
    deadline: { remind: 1h, expire: 1d }
    on: { expired: late }
ends: { late: Nobody looked }
`).program

const CHECKED_IN = given(`
agents: { dev: {} }
handoffs: { note: { fields: { text: { type: text, required: true } }, partial: true } }
on: { failed: abandoned, stalled: abandoned, timed_out: abandoned, over_budget: abandoned, invalid: abandoned }
steps:
  build: { agent: dev, questions: 0, check_in: { blocks: 2, cool_down: 10m }, gate: make, gives: note, next: look }
  look: { check: make, options: { pass: done, fail: abandoned } }
`).program

const ROUTED = given(`
agents: { dev: {} }
handoffs:
  found: { fields: { sure: { type: choice, choices: [high, low], required: true } }, partial: true, fallback: None }
steps:
  look: { agent: dev, questions: 0, gives: found, next: { sure: { high: sort, absent: sort, else: abandoned } } }
  sort:
    agent: dev
    questions: 0
    asks: { size: [small, large] }
    optional: [size]
    fields: { safe: boolean }
    when: [{ name: quick, if: { safe: true, size: small }, to: done }, { name: slow, to: abandoned }]
`).program

const NESTED = given(
  `
agents: { dev: {} }
steps:
  plan: { agent: dev, questions: 0, next: part }
  part: { flow: part.yaml, options: { done: done, bad: { to: plan, max: 1, then: abandoned } } }
`,
  {
    'part.yaml':
      'steps:\n  look: { check: make, options: { pass: done, fail: bad } }\nends: { bad: Not good }\n',
  },
).program

describe('a path', () => {
  it('[T5] to an end is a shortest one, told as a scenario', () => {
    expect(pathTo(rehearsalOf(LOOP), 'done')).toEqual({
      kind: 'way',
      lines: [
        'work.trial: expected',
        'work: done',
        'work: { gate: pass }',
        'review: { member: anna, answer: good }',
        'review: { member: bert, answer: good }',
        'sign_off: ship',
      ],
      end: 'done',
    })
    expect(pathTo(rehearsalOf(LOOP), 'late')).toMatchObject({
      lines: expect.arrayContaining(['sign_off: wait', 'sign_off: expired']),
    })
  })

  it('[T5] to an outcome or a fault ends with it', () => {
    const rehearsal = rehearsalOf(LOOP)
    expect(pathTo(rehearsal, 'work:stalled')).toEqual({
      kind: 'way',
      lines: ['work.trial: expected', 'work: stalled'],
      end: null,
    })
    expect(pathTo(rehearsal, 'work:@retry')).toMatchObject({
      lines: ['work.trial: expected', expect.any(String), 'work: { person: retry }'],
    })
    expect(pathTo(rehearsal, 'review:bad')).toMatchObject({
      lines: expect.arrayContaining(['review: { member: anna, answer: bad }']),
    })
  })

  it.each([
    ['a loop with a panel, a gate and a deadline', LOOP],
    ['a check-in with a handoff', CHECKED_IN],
    ['a flow in a flow', NESTED],
    ['fields and handoffs that decide', ROUTED],
  ])('[T5] to anything in %s can be played', (_what, program) => {
    const rehearsal = rehearsalOf(program)
    for (const target of targetsOf(program)) {
      const { passed, diagnostics, path, end } = playScenarios(
        program,
        scenarioTo(rehearsal, target),
        target,
      )[0]!
      expect([target, diagnostics.map(({ message }) => message)]).toEqual([target, []])
      expect(passed).toBe(true)
      if (Object.hasOwn(program.ends, target)) expect(end).toBe(target)
      if (Object.hasOwn(program.steps, target)) expect(path).toContain(target)
    }
  })

  it('[T5] goes by whichever arm of the outcome is nearest', () => {
    const { program } = given(`
budgets: { once: 1 }
steps:
  a: { check: make, options: { pass: b, fail: { to: c, spend: once, then: abandoned } } }
  b: { check: make, options: { pass: c, fail: done } }
  c: { check: make, options: { pass: done, fail: { to: a, spend: once, then: abandoned } } }
`)
    expect(pathTo(rehearsalOf(program), 'c:fail')).toMatchObject({ lines: ['a: fail', 'c: fail'] })
  })

  it('[T5] to where a run begins is one that can be played', () => {
    const path = pathTo(rehearsalOf(LOOP), 'work')
    const played = playScenarios(LOOP, 'play: []\nexpect: { at: work }\n', 'start')[0]!
    expect(path).toMatchObject({ kind: 'way', end: null })
    if (path.kind === 'way' && path.lines.length === 0)
      expect(played).toMatchObject({ passed: true, path: ['work'] })
  })

  it.each(['wait', 'context', 'true', 'null', 'retry', 'stop', 'answers'])(
    '[T5] can be played where an option is called %s, or such a name is refused',
    (name) => {
      const { program, diagnostics: refused } = compile(`
agents: { dev: {} }
steps:
  a: { decide: Go on?, options: { "${name}": b, no: abandoned }, deadline: { remind: 1h, expire: 2h } }
  b: { agent: dev, nudges: 0, questions: 1, options: { "${name}": { to: done, confirm: true }, no: abandoned } }
`)
      if (program === null) {
        expect(refused.map(({ message }) => message).join()).toContain(name)
        return
      }
      const rehearsal = rehearsalOf(program)
      for (const target of targetsOf(program)) {
        const { diagnostics, path, end } = playScenarios(program, scenarioTo(rehearsal, target), target)[0]!
        expect([target, diagnostics.map(({ message }) => message)]).toEqual([target, []])
        if (target === 'b:@stop') expect([target, end]).toEqual([target, 'abandoned'])
        if (target === 'b:@retry') expect([target, path]).toEqual([target, ['a', 'b', 'b']])
      }
    },
  )

  it.each([
    ['lte', 'There is no step or end "lte". Did you mean "late"?'],
    [
      'nowhere',
      'There is no step or end "nowhere". There are work.trial, work, review, sign_off, done, abandoned, late.',
    ],
    ['', 'There is no step or end "". There are work.trial, work, review, sign_off, done, abandoned, late.'],
    ['wor:done', 'There is no step "wor". Did you mean "work"?'],
    ['sign_off:shp', 'There is no outcome of "sign_off" "shp". Did you mean "ship"?'],
    ['work:expired', 'There is no outcome of "work" "expired". There are done, '],
    ['work:', 'There is no outcome of "work" "". There are done, '],
    [':work', 'There is no step or end ":work".'],
    ['constructor:x', 'There is no step "constructor".'],
    ['work:constructor', 'There is no outcome of "work" "constructor".'],
  ])('[T5] [L4] to "%s" is not known', (target, message) => {
    expect(pathTo(rehearsalOf(LOOP), target)).toEqual({
      kind: 'unknown',
      message: expect.stringContaining(message),
    })
  })

  it('[T5] says so where no run goes', () => {
    const { program } = given(`
budgets: { interventions: 0 }
steps: { a: { check: make, options: { pass: done, fail: { to: retry, max: 1, then: done } } } }
`)
    expect(pathTo(rehearsalOf(program), 'a:@retry')).toEqual({
      kind: 'none',
      message: 'No run of test leaves "a" as @retry.',
    })
  })
})
