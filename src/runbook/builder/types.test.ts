/** Names that do not exist, and routes that are not whole. `npm run types` fails where one of these compiles. */
import { describe, expect, it } from 'vitest'
import { codesOf } from './codes.fixture.ts'
import { runbook } from './runbook.ts'

const agents = { dev: {}, critic: {} }

describe('a target that is no step, no end, nor retry or ask does not compile', () => {
  it('as next', () => {
    const flow = runbook({
      agents,
      steps: {
        develop: {
          agent: 'dev',
          // @ts-expect-error unknown-target: no step or end is called so
          next: 'reviw',
        },
      },
    })
    expect(codesOf(flow)).toContain('unknown-target')
  })

  it('in the short form of an option, in its long form, and in then, three levels deep', () => {
    const flow = runbook({
      agents,
      budgets: { rework: 1 },
      steps: {
        develop: {
          agent: 'dev',
          options: {
            // @ts-expect-error unknown-target: in the short form
            a: 'shipp',
            // @ts-expect-error unknown-target: under `to`
            b: { to: 'shipp' },
            // @ts-expect-error unknown-target: under `then`
            c: { to: 'retry', max: 1, then: 'shipp' },
            // @ts-expect-error unknown-target: under the `to` of a `then`
            d: { to: 'retry', max: 1, then: { to: 'shipp', spend: 'rework', then: 'done' } },
            e: {
              to: 'retry',
              max: 1,
              // @ts-expect-error unknown-target: at the third level
              then: { to: 'retry', max: 1, then: { to: 'retry', max: 1, then: 'shipp' } },
            },
          },
        },
      },
    })
    expect(codesOf(flow).filter((code) => code === 'unknown-target')).toHaveLength(5)
  })

  it('for a fault, of the flow or of a step', () => {
    const flow = runbook({
      agents,
      // @ts-expect-error unknown-target: for all steps
      on: { failed: 'reviw' },
      steps: {
        develop: {
          agent: 'dev',
          next: 'done',
          // @ts-expect-error unknown-target: for this step
          on: { stalled: { to: 'retry', max: 1, then: 'reviw' } },
        },
      },
    })
    expect(codesOf(flow)).toEqual(['unknown-target', 'unknown-target'])
  })

  it('for a fault of the setup', () => {
    const flow = runbook({
      agents,
      setup: {
        run: ['npm ci', 'npm run build'],
        // @ts-expect-error unknown-target: under `to`
        on: { failed: { to: 'reviw', max: 1, then: 'ask' } },
      },
      steps: { develop: { agent: 'dev', next: 'done' } },
    })
    expect(codesOf(flow)).toContain('unknown-target')
  })

  it('at the end of a flow, and in a row of a table', () => {
    const flow = runbook({
      agents,
      steps: {
        sort: {
          agent: 'dev',
          asks: { size: ['s', 'l'] },
          when: [
            { if: { size: 's' }, to: 'sub' },
            // @ts-expect-error unknown-target: in a row
            { to: 'subb' },
          ],
        },
        sub: {
          flow: 'sub.yaml',
          // @ts-expect-error unknown-target: at the end of a flow
          options: { done: 'finished', abandoned: 'abandoned' },
        },
      },
    })
    expect(codesOf(flow)).toContain('unknown-target')
  })

  it('as start, where only a step will do', () => {
    const flow = runbook({
      // @ts-expect-error unknown-target: an end is no step
      start: 'done',
      steps: { test: { check: 'npm test', next: 'done' } },
    })
    expect(codesOf(flow)).toContain('unknown-target')
  })

  it('but a declared end, a built-in one, retry and ask do', () => {
    const flow = runbook({
      agents,
      ends: { shelved: 'Put away' },
      steps: {
        develop: {
          agent: 'dev',
          options: {
            a: 'shelved',
            b: 'done',
            c: 'abandoned',
            d: 'ask',
            e: { to: 'retry', max: 1, then: 'done' },
          },
        },
      },
    })
    expect(codesOf(flow)).toEqual([])
  })
})

describe('a name that is not declared does not compile', () => {
  it('of a budget', () => {
    const flow = runbook({
      agents,
      budgets: { rework: 1 },
      steps: {
        develop: {
          agent: 'dev',
          options: {
            // @ts-expect-error unknown-budget: only `rework` and `interventions` are there
            again: { to: 'retry', spend: 'rewrok', then: 'done' },
            pay: { to: 'retry', spend: 'interventions', then: 'done' },
          },
        },
      },
    })
    expect(codesOf(flow)).toContain('unknown-budget')
  })

  it('of an agent, alone or in a panel', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error undeclared-agent: an error here, where YAML warns
        develop: { agent: 'devv', next: 'review' },
        review: {
          panel: [
            'critic',
            // @ts-expect-error undeclared-agent: by its name
            'critc',
            // @ts-expect-error undeclared-agent: by its keys
            { agent: 'critc', advisory: true },
          ],
          next: 'done',
        },
      },
    })
    expect(codesOf(flow).filter((code) => code === 'undeclared-agent')).toHaveLength(3)
  })

  it('of an agent, where none is declared', () => {
    const flow = runbook({
      steps: {
        // @ts-expect-error undeclared-agent: there are no agents
        develop: { agent: 'dev', next: 'done' },
      },
    })
    expect(codesOf(flow)).toEqual(['undeclared-agent'])
  })

  it('of a handoff', () => {
    const flow = runbook({
      agents,
      handoffs: { plan: { fields: { summary: 'text' } } },
      steps: {
        // @ts-expect-error unknown-handoff: it is called `plan`
        plan: { agent: 'dev', gives: 'plna', next: 'done' },
      },
    })
    expect(codesOf(flow)).toContain('unknown-handoff')
  })

  it('of a template, at a decision or a check-in', () => {
    const flow = runbook({
      agents: {
        // @ts-expect-error unknown-template: neither declared nor one of the eight
        dev: { check_in: { template: 'chekpoint' } },
      },
      templates: { release: { prompt_hint: 'Say what goes out.', options: { go: 'Out', wait: 'Not yet' } } },
      steps: {
        // @ts-expect-error unknown-template: neither declared nor one of the eight
        ship: { decide: 'Ship?', template: 'relase', options: { go: 'settle', wait: 'abandoned' } },
        settle: {
          decide: true,
          template: 'stuck',
          options: { unblock: 'work', drop: 'out' },
          context: { blocker: '', tried: '' },
        },
        out: { decide: true, template: 'release', options: { go: 'done', wait: 'abandoned' } },
        work: { agent: 'dev', next: 'done' },
      },
    })
    expect(codesOf(flow)).toEqual(['unknown-template', 'unknown-template'])
  })
})

describe('a route that is not whole does not compile', () => {
  it('without `to`, with a bound and no `then`, with two bounds, with a `then` and no bound', () => {
    const flow = runbook({
      agents,
      budgets: { rework: 1 },
      // @ts-expect-error missing-then: of a fault
      on: { failed: { to: 'retry', max: 1 } },
      steps: {
        develop: {
          agent: 'dev',
          options: {
            // @ts-expect-error option-without-target: an option leads somewhere
            a: { say: 'Good' },
            // @ts-expect-error missing-then: after `max`
            b: { to: 'retry', max: 3 },
            // @ts-expect-error missing-then: when the budget is gone
            c: { to: 'retry', spend: 'rework' },
            // @ts-expect-error two-bounds: one of them
            d: { to: 'retry', max: 3, spend: 'rework', then: 'done' },
            // @ts-expect-error then-never-taken: nothing bounds the way
            e: { to: 'done', then: 'abandoned' },
          },
        },
      },
    })
    expect(codesOf(flow).sort()).toEqual([
      'missing-then',
      'missing-then',
      'missing-then',
      'option-without-target',
      'then-never-taken',
      'two-bounds',
    ])
  })
})
