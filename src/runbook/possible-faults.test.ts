import { describe, expect, it } from 'vitest'
import { compileSource } from './compile.ts'
import { certify } from './proof/certificate.ts'

const compile = (text: string, files: Record<string, string> = {}) =>
  compileSource({ file: 'flow.yaml', text: `runbook: 1\n${text}` }, (path) => ({
    kind: 'text',
    text: `runbook: 1\n${files[path]}`,
    file: path,
  }))

const programOf = (text: string, files?: Record<string, string>) => {
  const { program, diagnostics } = compile(text, files)
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}

const faultsOf = (step: string, head = '') =>
  programOf(
    `${head}\nagents: { dev: {}, bounded: { writes: [] }, adviser: { writes: [] } }\nsteps: { a: ${step} }`,
  ).steps['a']!.faults

describe('what a step can end as', () => {
  it('[C9] over_budget only where the run has a limit', () => {
    expect(faultsOf('{ agent: dev, next: done }')).toEqual(['failed', 'stalled'])
    expect(faultsOf('{ agent: dev, next: done }', 'limits: { tokens: 9 }')).toEqual([
      'failed',
      'stalled',
      'over_budget',
    ])
  })

  it('[C9] timed_out only where a time is given', () => {
    expect(faultsOf('{ agent: dev, time: 5m, next: done }')).toContain('timed_out')
    expect(faultsOf('{ check: make, next: done }')).toEqual(['failed'])
    expect(faultsOf('{ check: make, time: 5m, next: done }')).toEqual(['failed', 'timed_out'])
  })

  it('[C9] out_of_bounds only where somebody who decides is bounded', () => {
    expect(faultsOf('{ agent: bounded, next: done }')).toContain('out_of_bounds')
    expect(faultsOf('{ panel: [dev, { agent: adviser, advisory: true }], next: done }')).not.toContain(
      'out_of_bounds',
    )
  })

  it('[C9] a flow of one step and no faults that ask is one visit and no question', () => {
    const program = programOf(
      'on: { else: abandoned }\nagents: { dev: { questions: 0 } }\nsteps: { a: { agent: dev, next: done } }',
    )
    expect(certify(program).worst).toMatchObject({ visits: 1, dispatches: 1, questions: 0 })
  })

  it('[C9] by the limit of the runbook around it, where it is inlined', () => {
    const part = { 'part.yaml': 'agents: { dev: {} }\nsteps: { b: { agent: dev, next: done } }' }
    const flow = 'steps: { a: { flow: part.yaml, options: { done: done } } }'
    expect(programOf(flow, part).steps['a/b']!.faults).toEqual(['failed', 'stalled'])
    const limited = programOf(`limits: { cost: 5 }\n${flow}`, part)
    expect(limited.steps['a/b']!.faults).toContain('over_budget')
    expect(limited.steps['a/b']!.routes['over_budget']!.arms[0]!.to).toEqual({ kind: 'ask' })
  })

  it('[C9] and what an inlined flow wrote for its own limit is not in a run without one', () => {
    const part = {
      'part.yaml':
        'limits: { cost: 5 }\nagents: { dev: {} }\nsteps: { b: { agent: dev, next: done, on: { over_budget: save } }, save: { check: git stash, next: abandoned } }',
    }
    const program = programOf('steps: { a: { flow: part.yaml, options: { done: done } } }', part)
    expect(Object.keys(program.steps)).toEqual(['a', 'a/b'])
    expect(program.steps['a/b']!.routes).not.toHaveProperty('over_budget')
  })

  it('[C9] nor is a person asked there whom only that limit would have asked', () => {
    const part = {
      'part.yaml':
        'limits: { cost: 5 }\nagents: { dev: {} }\nsteps: { b: { agent: dev, next: done, on: { over_budget: ask, else: abandoned } } }',
    }
    const flow = 'steps: { a: { flow: part.yaml, options: { done: done, abandoned: abandoned } } }'
    const routesIn = (text: string) => Object.keys(programOf(text, part).steps['a/b']!.routes)
    expect(routesIn(flow)).toEqual(['done', 'failed', 'stalled'])
    expect(routesIn(`limits: { cost: 5 }\n${flow}`)).toEqual(expect.arrayContaining(['@retry', '@stop']))
  })

  it('[C9] nor does a fault of a panel decide there that only that limit let through', () => {
    const panel = (head: string) =>
      `${head}agents: { dev: { on_signal: fail }, bounded: { writes: [] } }\nsteps: { b: { panel: [dev, bounded], next: done, on: { else: abandoned } } }`
    const flow = 'steps: { a: { flow: part.yaml, options: { done: done, abandoned: abandoned } } }'
    const alone = programOf(panel('')).steps['b']!.faults
    const inlined = programOf(flow, { 'part.yaml': panel('limits: { cost: 5 }\n') }).steps['a/b']!
    expect(inlined.faults).toEqual(alone)
    expect(Object.keys(inlined.routes)).toEqual(['done', ...alone])
  })
})

describe('beyond the limit', () => {
  const FLOW = (again: string) => `
limits: { cost: 5 }
agents: { dev: { questions: 0 } }
on: { else: abandoned }
steps:
  a: { agent: dev, next: done, on: { over_budget: save } }
  save: { check: git stash, options: { pass: ${again}, fail: abandoned } }
  b: { agent: dev, next: rescued, on: { over_budget: abandoned } }
ends: { rescued: Saved after all }
`
  it('[C9] no agent begins, so what only its work leads to is not reached', () => {
    const program = programOf(FLOW('b'))
    const { ends, worst, steps } = certify(program)
    expect(ends).toEqual(['done', 'abandoned'])
    expect(worst).toMatchObject({ visits: 3, dispatches: 1 })
    expect(steps.map(({ step, visits }) => [step, visits])).toEqual([
      ['a', 1],
      ['save', 1],
      ['b', 1],
    ])
  })
})

describe('beyond the limit, a check', () => {
  const saidOf = (again: string) =>
    compile(`
limits: { cost: 5 }
agents: { dev: { questions: 0 } }
steps:
  a: { agent: dev, next: b, on: { over_budget: save } }
  save: { check: git stash, next: tidy }
  tidy: { check: git gc, options: { pass: ${again}, fail: abandoned } }
  b: { agent: dev, next: go_on }
  go_on: { decide: Go on?, options: { again: { to: b, max: 1, then: done }, enough: done } }
`).diagnostics.flatMap(({ code, severity }) => (code === 'over-budget-agent' ? [severity] : []))

  it('[C9] that leads on to an agent is warned of, however many checks there are', () => {
    expect(saidOf('b')).toEqual(['warning'])
  })

  it('[C9] that leads to a person is not: they may extend the limit', () => {
    expect(saidOf('go_on')).toEqual([])
    expect(saidOf('done')).toEqual([])
  })
})

describe('a panel of advisers', () => {
  it('[C9] has nothing to settle on', () => {
    const { diagnostics } = compile(`
agents: { anna: {} }
steps:
  review:
    panel: [{ agent: anna, advisory: true }]
    options: { approve: { to: retry, max: 2, then: done }, reject: abandoned }
    fields: { found: { type: findings } }
    settle_on: found
`)
    expect(diagnostics.map(({ code }) => code)).toContain('bad-settle')
  })
})

describe('[R14] `else`', () => {
  const routesOf = (flow: string, step: string) =>
    Object.fromEntries(
      Object.entries(
        programOf(`${flow}\nagents: { dev: { time: 5m } }\nsteps: { a: { agent: dev, next: done${step} } }`)
          .steps['a']!.routes,
      ).flatMap(([outcome, { arms, origin }]) =>
        outcome.startsWith('@') ? [] : [[outcome, `${JSON.stringify(arms[0]!.to)} ${origin}`]],
      ),
    )
  const end = (name: string, origin: string) => `{"kind":"end","end":"${name}"} ${origin}`

  it('stands for every fault that is not named beside it, the step before the flow', () => {
    expect(routesOf('on: { stalled: done, else: abandoned }', ', on: { failed: done }')).toEqual({
      done: end('done', 'step'),
      failed: end('done', 'step'),
      stalled: end('done', 'flow'),
      timed_out: end('abandoned', 'flow'),
    })
    expect(routesOf('on: { stalled: done }', ', on: { else: abandoned }')).toMatchObject({
      stalled: end('abandoned', 'step'),
    })
  })
})
