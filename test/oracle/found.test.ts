/** What the explorer has found, each as the smallest runbook of which it was untrue. */
import { describe, expect, it } from 'vitest'
import { given } from '../../src/engine/given.fixture.ts'
import { givenFor } from '../../src/engine/views/pick.ts'
import { compileSource } from '../../src/runbook/compile.ts'
import { judge } from './compare.ts'

describe('found by the explorer', () => {
  it('[T2] [S3] a major and a minor finding are two, also while a gate runs: the round that settles is rehearsed', () => {
    expect(
      differencesOf(`
limits: { tokens: 10 }
budgets: { interventions: 0 }
steps:
  review:
    agent: x
    time: 10m
    options: { no: { to: done, max: 1, then: abandoned } }
    fields: { found: { type: findings } }
    settle_on: found
    gate: { run: make, max: 0 }
`),
    ).toEqual([])
  })

  it('[T2] [P5] the members of a panel tell a major finding from a minor one', () => {
    expect(
      differencesOf(`
limits: { tokens: 10 }
budgets: { interventions: 0 }
steps:
  review:
    panel: [x, y]
    nudges: 0
    questions: 0
    time: 10m
    options: { no: { to: done, max: 1, then: look } }
    fields: { found: { type: findings } }
    settle_on: found
  look: { check: make, time: 5m, next: done }
`),
    ).toEqual([])
  })

  it('[T2] [R5] a row that some choices take directly is rehearsed so, though others need a person', () => {
    expect(
      differencesOf(`
limits: { tokens: 10 }
budgets: { interventions: 0 }
steps:
  triage:
    agent: x
    time: 10m
    asks: { size: { large: { confirm: true }, small: {} } }
    when: [{ to: ask }]
    on: { failed: abandoned }
`),
    ).toEqual([])
  })

  it('[T1] [L14] a person who picks the row of what is absent leaves out what the agent had proposed', () => {
    expect(
      differencesOf(`
steps:
  look:
    agent: x
    questions: 0
    nudges: 0
    fields: { sure: { type: choice, choices: [high, low] } }
    next: { sure: { high: done, low: ask, absent: done } }
`),
    ).toEqual([])
  })

  it('[R15] who picks a row of what is absent says the rest of the handoff, and it is not dropped', () => {
    const run = given(`
      handoffs:
        note: { fields: { line: { type: text, required: true }, level: { type: choice, choices: [high, low] } } }
      agents: { dev: {} }
      steps:
        look: { agent: dev, gives: note, next: { level: { high: done, low: ask, absent: abandoned } } }
    `)
      .started()
      .answer('look', { handoff: { line: 'As it was', level: 'low' } })
    const { proposal } = run.state.current!.question!
    const { contract } = run.program.steps['look']!
    const picked = givenFor({ cause: 'unrouted', contract, proposal }, 'absent', { handoff: { line: 'New' } })
    expect(picked.given).toEqual({ kind: 'value', value: { handoff: { line: 'New', level: null } } })
  })

  it('[C1] [C6] nobody runs out of time or means that were never limited', () => {
    expect(
      differencesOf(`
budgets: { interventions: 0 }
steps:
  work:
    agent: x
    next: done
    on: { over_budget: { to: retry, max: 1, then: ask }, timed_out: { to: retry, max: 1, then: ask } }
`),
    ).toEqual([])
  })

  it('[C6] [C9] [P3] no fault is counted that a graver one of another member always hides', () => {
    expect(
      differencesOf(`
agents: { y: { writes: [] } }
budgets: { interventions: 0 }
steps:
  work:
    panel: [x, y]
    nudges: 0
    questions: 0
    next: done
    on_signal: fail
    on: { out_of_bounds: { to: retry, max: 1, then: abandoned }, else: abandoned }
`),
    ).toEqual([])
  })

  it('[C1] [C6] a check takes too long only where it has a time', () => {
    expect(
      differencesOf(`
budgets: { interventions: 0 }
steps:
  build: { check: make, next: done, on: { timed_out: { to: retry, max: 1, then: done } } }
`),
    ).toEqual([])
  })

  it('[C1] [P4] nobody who only advises makes a step end as out of bounds', () => {
    expect(
      differencesOf(`
agents: { y: { writes: [] } }
budgets: { interventions: 0 }
limits: { tokens: 10 }
steps:
  work: { panel: [x, { agent: y, advisory: true }], nudges: 0, questions: 0, time: 10m, next: done }
`),
    ).toEqual([])
  })

  it('[C9] [P4] [S3] a panel of advisers only never settles, so it is refused', () => {
    expect(
      codesOf(`
steps:
  advise:
    panel: [{ agent: x, advisory: true }]
    options: { yes: { to: retry, max: 1, then: done } }
    fields: { found: { type: findings } }
    settle_on: found
`),
    ).toContain('bad-settle')
  })

  it('[A12] [C9] no agent begins after a used-up limit, so leading to one is refused', () => {
    expect(
      codesOf(`
limits: { tokens: 10 }
budgets: { interventions: 0 }
steps:
  work:
    agent: x
    time: 10m
    next: done
    on: { over_budget: { to: retry, max: 1, then: ask } }
`),
    ).toContain('over-budget-agent')
  })

  it('[A12] [C6] an agent that a run without means never starts is no dispatch', () => {
    expect(
      differencesOf(`
limits: { tokens: 10 }
budgets: { interventions: 0 }
steps:
  work:
    agent: x
    time: 10m
    next: done
    on: { over_budget: { to: look, max: 1, then: abandoned } }
  look: { check: make, next: work, on: { failed: abandoned } }
`),
    ).toEqual([])
  })

  it('[C6] [C9] a fault that only shows where the limit keeps a graver one away leaves a run without means', () => {
    expect(
      differencesOf(`
agents: { x: { nudges: 0, questions: 0 }, y: { nudges: 0, questions: 0, writes: [] } }
counters: { c: 1 }
limits: { cost: 0 }
steps:
  a:
    panel: [x, y]
    on_signal: fail
    options: { no: ask }
    on: { out_of_bounds: { to: a, count: c, then: ask }, stalled: done }
`),
    ).toEqual([])
  })

  it('[T2] a person who is asked about a step that was entered a moment ago is asked about that one', () => {
    expect(
      differencesOf(`
limits: { tokens: 10 }
budgets: { interventions: 0 }
steps:
  work:
    agent: x
    next: done
    on: { over_budget: { to: look, max: 1, then: ask } }
  look: { check: make, next: work, on: { failed: abandoned } }
`),
    ).toEqual([])
  })
})

const codesOf = (text: string): string[] => compiled(text).diagnostics.map(({ code }) => code)

const compiled = (text: string) =>
  compileSource({ file: 'found.yaml', text: `runbook: 1\n${text}` }, () => ({
    kind: 'unreadable',
    why: 'is not there',
  }))

function differencesOf(text: string): readonly string[] {
  const { program, diagnostics } = compiled(text)
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  const { tooLarge, differences } = judge(program, 20_000)
  expect(tooLarge).toBe(false)
  return differences
}
