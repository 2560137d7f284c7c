import { describe, expect, it } from 'vitest'
import { compile } from '../engine/given.fixture.ts'
import { mermaidOf } from './mermaid.ts'
import { certify } from './proof/certificate.ts'

const FLOW = `
counters: { rounds: { max: 2, per: a } }
agents: { dev: {} }
on: { else: abandoned }
steps:
  a: { agent: dev, next: b }
  b:
    agent: dev
    options:
      good: done
      poor: { to: a, max: 1, per: a, then: abandoned }
      odd: { to: b, count: rounds, then: abandoned }
      late: { to: b, max: 3, then: abandoned }
`

describe('the text of a bound', () => {
  const program = compile(FLOW).program!
  const routes = Object.fromEntries(
    certify(program).matrix.flatMap(({ step, outcome, route }) => (step === 'b' ? [[outcome, route]] : [])),
  )

  it('[R12] says at which step a count starts again', () => {
    expect(routes).toMatchObject({
      poor: 'a (max 1 per a), then abandoned',
      odd: 'b (max 2 by rounds per a), then abandoned',
      late: 'b (max 3), then abandoned',
    })
    expect(mermaidOf(program)).toContain('poor (max 1 per a)')
  })

  it('[R12] names the step in full where the flow stands in another one', () => {
    const around = compile(
      'steps: { f: { flow: part.yaml, options: { done: done, abandoned: abandoned } } }',
      { 'part.yaml': FLOW },
    ).program!
    const row = certify(around).matrix.find(({ outcome }) => outcome === 'poor')
    expect(row?.route).toBe('f/a (max 1 per f/a), then f:abandoned')
  })
})
