import { describe, expect, it } from 'vitest'
import { compile, given } from '../../engine/given.fixture.ts'
import { lookupIn } from '../../engine/views/lookup.ts'

const said = (text: string, files: Record<string, string> = {}) =>
  compile(text, files)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, message, trail }) => [code, message, ...(trail ?? [])])

describe('what setup said', () => {
  const flow = (lookUp: string) => `
setup: npm ci
agents: { dev: {} }
steps:
  plan: { agent: dev, next: build, on: { else: abandoned } }
  build: { agent: dev, prompt: '${lookUp}', next: done, on: { else: abandoned } }
`
  it('[C5] [C11] is not there where the flow stands in another one, so a look-up needs a fallback', () => {
    expect(said(flow('${steps.setup.notes}'))).toEqual([
      [
        'unassigned',
        '"build" looks up setup.notes, which does not exist where this flow stands in another one.',
        'plan —done→ build',
      ],
    ])
    expect(said(flow('${steps.setup.notes ?? "none"}'))).toEqual([])
  })

  it('[C5] [C11] is missing at the first written step, too', () => {
    const first = `
setup: npm ci
agents: { dev: {} }
steps: { build: { agent: dev, prompt: "\${steps.setup.outcome}", next: done } }
`
    expect(said(first)[0]?.at(-1)).toBe('the flow starts at build')
  })
})

describe('a panel of advisers only', () => {
  const flow = (lookUp: string) => `
agents: { ann: {}, bob: {}, dev: {} }
handoffs: { plan: { fields: { goal: { type: text, required: true } } } }
steps:
  talk:
    panel: [{ agent: ann, advisory: true }, { agent: bob, advisory: true }]
    asks: verdict
    options: { ok: build, no: abandoned }
    fields: { why: { type: text, required: true } }
    gives: plan
  build: { agent: dev, prompt: '${lookUp}', next: done, on: { else: abandoned } }
`
  it.each(['why', 'goal'])('[C5] [P4] gives no field and no handoff: %s', (field) => {
    expect(said(flow(`\${steps.talk.${field}}`)).map(([code]) => code)).toEqual(['unassigned'])
  })

  it.each(['outcome', 'notes', 'advice', 'verdict'])('[C5] [P6] gives %s', (field) => {
    expect(said(flow(`\${steps.talk.${field}}`))).toEqual([])
    const run = given(flow(`\${steps.talk.${field}}`)).started()
    const advice = { verdict: 'no', why: 'because', handoff: { goal: 'less' } }
    run.answer('talk@ann', advice).answer('talk@bob', advice)
    expect(lookupIn(run.state, () => undefined)({ kind: 'step', step: 'talk', field })).toBeDefined()
  })
})

describe('a panel of advisers only with a row that no answer fits', () => {
  it('[P4] [C10] comes to the first row that some answer fits, as the certificate counts', () => {
    const run = given(`
agents: { ann: {}, bob: {} }
handoffs:
  survey:
    fields: { found: { type: boolean, required: true }, safe: { type: boolean, required: true } }
    fallback: No survey.
steps:
  talk:
    panel: [{ agent: ann, advisory: true }, { agent: bob, advisory: true }]
    gives: survey
    when:
      - { name: odd, if: { found: true, safe: absent }, to: abandoned }
      - { name: fine, to: done }
`).started()
    const advice = { handoff: { found: true, safe: true } }
    run.answer('talk@ann', advice).answer('talk@bob', advice)
    expect(run.state.end).toBe('done')
  })
})

describe('a flow step that sends the run back', () => {
  const PART = {
    'part.yaml': 'agents: { dev: {} }\nsteps: { work: { agent: dev, next: done } }\n',
  }
  const FLOW = `
budgets: { rework: 1 }
agents: { dev: {} }
steps:
  part:
    flow: part.yaml
    options: { done: { to: mend, spend: rework, forget: true, then: abandoned } }
  mend: { agent: dev, prompt: "After \${steps.part.outcome}", next: part, on: { else: abandoned } }
`
  it('[R13] [C5] is not forgotten, so what it gave can be looked up', () => {
    expect(said(FLOW, PART)).toEqual([])
    const run = given(FLOW, PART).started().answer('part/work', {})
    expect(run.state.current?.step).toBe('mend')
    expect(lookupIn(run.state, () => undefined)({ kind: 'step', step: 'part', field: 'outcome' })).toBe(
      'done',
    )
  })
})
