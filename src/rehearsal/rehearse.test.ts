import { describe, expect, it } from 'vitest'
import { compile, given } from '../engine/given.fixture.ts'
import type { AgentStep, DecideStep, Program, Step } from '../model/program.ts'
import { certify } from '../runbook/proof/certificate.ts'
import { rehearse } from './rehearse.ts'
import { reportOf } from './report.ts'

const ALL = { mostStates: 50_000 }

const FLOW = given(`
agents: { dev: {} }
steps:
  work: { agent: dev, questions: 0, next: ask_me }
  ask_me: { decide: Go on?, options: { yes: done, no: { to: work, max: 1, then: abandoned } } }
`).program

/** A program that no compiler would let through. */
const broken = (program: Program, name: string, change: (step: Step) => Step): Program => ({
  ...program,
  steps: { ...program.steps, [name]: change(program.steps[name]!) },
})

describe('a rehearsal', () => {
  it('[T2] visits every state once and is complete', () => {
    const rehearsal = rehearse(FLOW, ALL)
    expect(rehearsal).toMatchObject({ stopped: null, waiting: 0, problems: [] })
    const { ends } = reportOf(rehearsal, certify(FLOW))
    expect(ends.map(({ end }) => end)).toEqual(['done', 'abandoned'])
  })

  it('[T2] stops where it is told to and says so', () => {
    const { states, stopped, waiting } = rehearse(FLOW, { mostStates: 4 })
    expect(stopped).toBe('states')
    expect(waiting).toBeGreaterThan(0)
    expect(states.length).toBeGreaterThanOrEqual(4)
    expect(states.length).toBeLessThan(rehearse(FLOW, ALL).states.length)
  })

  it('[T2] [T6] stops where there is no room for more, and says so', () => {
    const rehearsal = rehearse(FLOW, { ...ALL, hasRoom: () => false })
    expect(rehearsal).toMatchObject({ stopped: 'memory', waiting: 1 })
    expect(reportOf(rehearsal, certify(FLOW))).toMatchObject({ complete: false, disagreements: [] })
  })

  it('[T1] gives every variable a value, as a run would be given one', () => {
    const { program } = given(
      'vars: { a: { required: true }, b: 5, c: {} }\nsteps: { x: { check: make, next: done } }',
    )
    expect(rehearse(program, ALL).start.vars).toEqual({ a: 'a', b: '5', c: 'c' })
  })

  it('[T2] [E3] finds a question that nobody can answer', () => {
    const program = broken(FLOW, 'ask_me', (step) => ({
      ...(step as DecideStep),
      contract: { ...step.contract, variables: [{ name: 'decision', options: [] }] },
    }))
    const { problems, states } = rehearse(program, ALL)
    expect(problems).toMatchObject([{ kind: 'stuck' }])
    expect(states.place(problems[0]!.state)).toBe('ask_me')
    expect(reportOf(rehearse(program, ALL), certify(FLOW)).problems).toEqual([
      { message: expect.stringContaining('nobody is asked'), way: ['work: done'] },
    ])
  })

  it('[T2] [E3] finds a panel that nobody sits on', () => {
    const program = broken(FLOW, 'work', (step) => ({ ...(step as AgentStep), members: [] }))
    expect(rehearse(program, ALL).problems).toMatchObject([{ kind: 'stuck', state: 0 }])
  })

  it('[T1] reports what the engine refuses, with the way to it', () => {
    const program = broken(FLOW, 'ask_me', (step) => ({
      ...step,
      contract: {
        ...step.contract,
        fields: [{ name: 'f', type: 'choice', say: '', requiredFor: ['yes'], choices: [] }],
      },
    }))
    const report = reportOf(rehearse(program, ALL), certify(program))
    expect(report.problems[0]).toMatchObject({
      message: expect.stringMatching(/^yes: invalid-answer: /),
      way: ['work: done'],
    })
  })

  it('[T2] finds a run that never ends', () => {
    const program = broken(FLOW, 'work', (step) => ({
      ...step,
      routes: {
        ...step.routes,
        done: { origin: 'step', arms: [{ to: { kind: 'step', step: 'work' }, bound: null }] },
      },
    }))
    const report = reportOf(rehearse(program, ALL), certify(FLOW))
    expect(report.problems).toEqual([{ message: 'some run never ends', way: [] }])
  })

  it('[T3] tells a bug of the engine from a problem: a route that is missing is thrown', () => {
    const program = broken(
      FLOW,
      'work',
      ({ routes: { done: _gone, ...routes }, ...step }) => ({ ...step, routes }) as Step,
    )
    expect(() => rehearse(program, ALL)).toThrow('no route for "done" of "work"')
  })

  it('[T3] [C7] knows no row that can never match', () => {
    const { program } = compile(`
agents: { dev: {} }
steps:
  a: { agent: dev, questions: 0, asks: { v: [low, high] }, when: [{ to: done }, { if: { v: high }, to: abandoned }] }
`)
    if (program === null) return
    expect(reportOf(rehearse(program, ALL), certify(program))).toMatchObject({
      problems: [],
      disagreements: [],
    })
  })

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    '[T3] agrees with the certificate where everything is called %s, or such a name is refused',
    (name) => {
      const { program, diagnostics } = compile(`
budgets: { ${name}: 1 }
vars: { ${name}: 1 }
agents: { ${name}: {} }
handoffs: { ${name}: { fields: { ${name}: { type: text, required: true } } } }
steps:
  ${name}: { agent: ${name}, questions: 0, gives: ${name}, prompt: "\${var.${name}}", next: b }
  b:
    agent: ${name}
    questions: 0
    prompt: "\${steps.${name}.${name}}"
    fields: { ${name}: findings }
    settle_on: ${name}
    options: { x: done, y: { to: ${name}, spend: ${name}, then: abandoned } }
`)
      if (program === null) expect(diagnostics.map(({ message }) => message).join()).toContain(name)
      else
        expect(reportOf(rehearse(program, ALL), certify(program))).toMatchObject({
          problems: [],
          disagreements: [],
        })
    },
  )
})
