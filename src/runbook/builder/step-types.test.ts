/** Keys where they mean nothing, and questions with a part missing. `npm run types` fails where one compiles. */
import { describe, expect, it } from 'vitest'
import { codesOf } from './codes.fixture.ts'
import { question } from './question.ts'
import { runbook } from './runbook.ts'

const agents = { dev: {}, critic: {} }

describe('an unknown key does not compile', () => {
  it('wherever it stands in the literal', () => {
    const flow = runbook({
      agents,
      // @ts-expect-error unknown-key: in a map of fixed keys
      limits: { costs: 3 },
      // @ts-expect-error unknown-key: in a handoff
      handoffs: { plan: { fields: { a: 'text' }, versoin: 1 } },
      // @ts-expect-error unknown-key: no such fault
      on: { broken: 'ask' },
      steps: {
        // @ts-expect-error unknown-key: in a step
        a: { agent: 'dev', next: 'done', gaet: 'npm test' },
        // @ts-expect-error unknown-key: in an option
        b: { agent: 'dev', options: { ok: { to: 'a', lable: 'OK' } } },
        // @ts-expect-error unknown-key: in a field
        c: { agent: 'dev', next: 'b', fields: { why: { type: 'text', requird: true } } },
        // @ts-expect-error unknown-key: in a member of a panel
        d: { panel: [{ agent: 'dev', advisry: true }], next: 'c' },
      },
    })
    expect(codesOf(flow).filter((code) => code === 'unknown-key')).toHaveLength(7)
  })

  it('at the top', () => {
    const flow = runbook({
      // @ts-expect-error unknown-key: `name`
      nmae: 'x',
      steps: { a: { check: 'npm test', next: 'done' } },
    })
    expect(codesOf(flow)).toContain('unknown-key')
  })

  it('and not when it comes in by a spread or a variable', () => {
    const shared = { agent: 'dev', gaet: 'npm test' } as const
    // @ts-expect-error unknown-key: steps.a.gaet, by a spread
    const spread = runbook({ agents, steps: { a: { ...shared, next: 'done' } } })
    const agentsOfAll = { dev: { wrties: ['src/**'] } }
    // @ts-expect-error unknown-key: agents.dev.wrties, by a variable
    const variable = runbook({ agents: agentsOfAll, steps: { a: { agent: 'dev', next: 'done' } } })
    expect([...codesOf(spread), ...codesOf(variable)]).toEqual(['unknown-key', 'unknown-key'])
  })
})

describe('a step is of one kind, and takes the keys of that kind', () => {
  it('not of none, nor of two', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error step-kind: nobody works here
        none: { prompt: 'Do it.', next: 'done' },
        // @ts-expect-error step-kind: agent and check
        two: { agent: 'dev', check: 'npm test', next: 'done' },
      },
    })
    expect(codesOf(flow)).toEqual(['step-kind', 'step-kind'])
  })

  it('and none of another', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error wrong-kind: a deadline is for people
        a: { agent: 'dev', next: 'b', deadline: { expire: '2d' } },
        // @ts-expect-error wrong-kind: a gate is for agents
        b: { check: 'npm test', next: 'c', gate: 'npm test' },
        // @ts-expect-error wrong-kind: a person needs no nudges
        c: { decide: 'Go on?', options: { yes: 'd', no: 'd' }, nudges: 3 },
        // @ts-expect-error wrong-kind: `answers` is for checks
        d: { panel: ['dev'], next: 'e', answers: 'json' },
        // @ts-expect-error wrong-kind: a flow asks nothing itself
        e: { flow: 'e.yaml', options: { done: 'done' }, fields: { why: 'text' } },
      },
    })
    expect(codesOf(flow).filter((code) => code === 'wrong-kind')).toHaveLength(5)
  })

  it('and the faults that can happen there', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error impossible-fault: only a question to a person expires
        a: { agent: 'dev', next: 'b', on: { expired: 'ask' } },
        // @ts-expect-error impossible-fault: a check has no sign of life to give
        b: { check: 'npm test', next: 'done', on: { stalled: 'ask' } },
      },
    })
    expect(codesOf(flow)).toEqual(['impossible-fault', 'impossible-fault'])
  })

  it('and is answered in one way', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error missing-next: nothing says where it leads
        a: { agent: 'dev' },
        // @ts-expect-error two-answers: `next` is for steps that ask nothing
        b: { agent: 'dev', options: { ok: 'a' }, next: 'a' },
        // @ts-expect-error missing-question: no template says what to ask
        c: { decide: true, options: { yes: 'a', no: 'b' } },
        // @ts-expect-error option-count: neither options nor a template
        d: { decide: 'Go on?' },
      },
    })
    expect(codesOf(flow)).toEqual(
      expect.arrayContaining(['missing-next', 'two-answers', 'missing-question', 'option-count']),
    )
  })
})

describe('what a step does not have cannot be named in it', () => {
  it('an option, in required_for or the for of a gate', () => {
    const flow = runbook({
      agents,
      steps: {
        review: {
          agent: 'critic',
          options: { approve: 'done', reject: 'abandoned' },
          // @ts-expect-error unknown-option: there is no such answer to gate
          gate: { run: 'npm test', for: ['aprove'] },
          // @ts-expect-error unknown-option: there is no such answer to require it for
          fields: { why: { type: 'text', required_for: ['reject', 'replan'] } },
        },
      },
    })
    expect(codesOf(flow)).toEqual(['unknown-option', 'unknown-option'])
  })

  it('a findings field, in settle_on', () => {
    const fields = { findings: 'findings', why: { type: 'text' } } as const
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error bad-settle: no such field
        a: { agent: 'critic', next: 'b', fields, settle_on: 'fidnings' },
        // @ts-expect-error bad-settle: not of type findings
        b: { agent: 'critic', next: 'c', fields, settle_on: 'why' },
        // @ts-expect-error bad-settle: no fields at all
        c: { agent: 'critic', next: 'd', settle_on: 'findings' },
        d: {
          agent: 'critic',
          options: { fine: 'done', flawed: { to: 'd', max: 2, then: 'abandoned' } },
          fields,
          settle_on: 'findings',
        },
      },
    })
    expect(codesOf(flow)).toEqual(['bad-settle', 'bad-settle', 'bad-settle'])
  })

  it('a variable or a value, in a row of a table', () => {
    const flow = runbook({
      agents,
      steps: {
        sort: {
          agent: 'critic',
          asks: { severity: ['low', 'high'], kind: { bug: 'Was broken', feature: { say: 'Is new' } } },
          when: [
            // @ts-expect-error unknown-variable: `severity`
            { if: { sevrity: 'low' }, to: 'done' },
            // @ts-expect-error unknown-option: of a list
            { if: { severity: 'lo' }, to: 'done' },
            // @ts-expect-error unknown-option: of a map, among several
            { if: { kind: ['bug', 'chore'] }, to: 'done' },
            { to: 'abandoned' },
          ],
        },
      },
    })
    expect(codesOf(flow)).toEqual(
      expect.arrayContaining(['unknown-variable', 'unknown-option', 'unknown-option']),
    )
  })

  it('a row that is not there, in required_for or the for of a gate', () => {
    const flow = runbook({
      agents,
      steps: {
        sort: {
          agent: 'critic',
          asks: { severity: ['low', 'high'] },
          when: [{ name: 'calm', if: { severity: 'low' }, to: 'done' }, { to: 'abandoned' }],
          // @ts-expect-error unknown-option: the rows are calm and row-2
          gate: { run: 'npm test', for: ['calm', 'row-1'] },
          // @ts-expect-error unknown-option: no row is called so
          fields: { why: { type: 'text', required_for: ['row-2', 'clam'] } },
        },
      },
    })
    expect(codesOf(flow)).toEqual(['unknown-option', 'unknown-option'])
  })

  it('a field that does not decide, or a value it does not have', () => {
    const fields = {
      sure: { type: 'choice', choices: ['yes', 'no'], required: true },
      safe: 'boolean',
      why: 'text',
    } as const
    const paper = {
      fields: { risk: { type: 'choice', choices: ['low', 'high'], required: true } },
      fallback: 'None.',
    } as const
    const sheet = { fields: { size: { type: 'choice', choices: ['s', 'l'], required: true } } } as const
    const flow = runbook({
      agents,
      handoffs: { paper, sheet },
      steps: {
        a: {
          agent: 'critic',
          fields,
          gives: 'paper',
          when: [
            // @ts-expect-error unknown-option: `sure` is required
            { if: { sure: 'absent' }, to: 'done' },
            // @ts-expect-error unknown-option: `safe` is true or false
            { if: { safe: 'yes' }, to: 'done' },
            // @ts-expect-error routed-field: a text has no end of values
            { if: { why: 'so' }, to: 'done' },
            // @ts-expect-error unknown-option: no such risk
            { if: { risk: 'medium' }, to: 'done' },
            { if: { risk: ['low', 'absent'], safe: [true, 'absent'], sure: 'yes' }, to: 'done' },
            { to: 'b' },
          ],
        },
        // @ts-expect-error incomplete-table: where does `no` lead?
        b: { agent: 'critic', fields, next: { sure: { yes: 'c' } } },
        // @ts-expect-error unknown-option: no such value
        c: { agent: 'critic', fields, next: { sure: { yse: 'd', else: 'd' } } },
        // @ts-expect-error unknown-target: of a value
        d: { agent: 'critic', fields, next: { safe: { true: 'e', else: 'f1' } } },
        // @ts-expect-error unknown-option: a whole handoff always has it
        e: { agent: 'critic', gives: 'sheet', next: { size: { s: 'f', l: 'f', absent: 'f' } } },
        f: { agent: 'critic', gives: 'paper', next: { risk: { low: 'g', high: 'g', absent: 'g' } } },
        // @ts-expect-error unknown-variable: nothing of that name
        g: { agent: 'critic', next: { sure: { yes: 'h', else: 'h' } } },
        // @ts-expect-error unknown-variable: nothing to decide on at all
        i: { agent: 'critic', when: [{ if: { sure: 'yes' }, to: 'done' }, { to: 'done' }] },
        // @ts-expect-error unknown-variable: in `optional`
        h: { agent: 'critic', asks: { p: ['x', 'y'] }, optional: ['q'], when: [{ to: 'done' }] },
      },
    })
    expect(codesOf(flow)).toEqual(
      expect.arrayContaining(['unknown-option', 'routed-field', 'unknown-target', 'unknown-variable']),
    )
  })

  it('a duration, or the type of a field, that there is not', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error wrong-type: no duration
        a: { agent: 'dev', next: 'b', time: '3 hours' },
        // @ts-expect-error unknown-value: no type of a field
        b: { agent: 'dev', next: 'c', fields: { why: 'txt' } },
        // @ts-expect-error missing-key: a choice has choices
        c: { agent: 'dev', next: 'done', fields: { risk: { type: 'choice' } } },
      },
    })
    expect(codesOf(flow).sort()).toEqual(['missing-key', 'unknown-value', 'wrong-type'])
  })
})

describe('a question', () => {
  const verdict = question({
    options: { approve: 'Good', reject: 'Not yet' },
    fields: { findings: 'findings' },
  })

  it('is routed option by option: none left out, none added, none to nowhere', () => {
    const flow = runbook({
      agents,
      steps: {
        // @ts-expect-error option-without-target: `reject` is left out
        a: { agent: 'critic', ask: verdict, routes: { approve: 'done' } },
        // @ts-expect-error unknown-option: the question has no `replan`
        b: { agent: 'critic', ask: verdict, routes: { approve: 'done', reject: 'a', replan: 'abandoned' } },
        // @ts-expect-error unknown-target: where is `c1`?
        c: { agent: 'critic', ask: verdict, routes: { approve: 'c1', reject: 'b' } },
        // @ts-expect-error missing-then: a bounded route of a question
        d: { agent: 'critic', ask: verdict, routes: { approve: 'done', reject: { to: 'c', max: 2 } } },
        e: { agent: 'critic', ask: verdict, routes: { approve: 'done', reject: 'd' }, settle_on: 'findings' },
      },
    })
    expect(codesOf(flow)).toEqual(
      expect.arrayContaining(['option-without-target', 'unknown-target', 'missing-then']),
    )
  })

  it('names only its own options', () => {
    const asked = question({
      options: { approve: 'Good', reject: 'Not yet' },
      // @ts-expect-error unknown-option: the question has no `replan`
      fields: { why: { type: 'text', required_for: ['replan'] } },
    })
    const step = { agent: 'critic', asks: 'verdict', ...asked }
    const flow = {
      runbook: 1,
      agents,
      steps: { a: { ...step, options: { approve: 'done', reject: 'abandoned' } } },
    }
    expect(codesOf(flow)).toContain('unknown-option')
  })
})
