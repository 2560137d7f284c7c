import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { readHcl } from './hcl/read.ts'
import { createReport } from './report.ts'
import { type Spelled, spelled } from './spelling.ts'
import { childOf, plainValue } from './tree.ts'
import { readYaml } from './yaml/read.ts'

const CURES: readonly Readonly<Record<string, Spelled>>[] = [
  { next: 'STEP' },
  { max: 3, then: { to: 'STEP', spend: 'BUDGET', then: 'abandoned' } },
  { deadline: { remind: '2h', expire: '2d' } },
  { asks: { severity: ['low', 'high'] } },
  { when: [{ if: { severity: 'low' }, to: 'STEP' }] },
  { on: { expired: 'abandoned' }, settle_on: 'findings' },
  { fields: { files: { type: 'list', required_for: ['reject'] } } },
  { options: { 'ship-it': { to: 'done', recommended: true } } },
  { check: 'npm run lint: "all"', answers: 'json' },
  { context: { affects: { run: "echo 'x'" } } },
]

/** What is read where the text stands in a step. */
function readBack(pairs: (typeof CURES)[number], syntax: 'yaml' | 'hcl' | 'typescript'): unknown {
  const text = spelled(pairs, syntax)
  const report = createReport(`flow.${syntax}`)
  const tree =
    syntax === 'hcl'
      ? childOf(childOf(readHcl(`step "a" { ${text} }`, report) ?? undefined, 'steps'), 'a')
      : syntax === 'yaml'
        ? readYaml(`{ ${text} }`, report)
        : null
  expect(report.diagnostics).toEqual([])
  return syntax === 'typescript' ? runInNewContext(`({ ${text} })`) : plainValue(tree!)
}

describe('a cure', () => {
  it.each(CURES)('[L16] means the same in all three languages: %j', (cure) => {
    expect(readBack(cure, 'yaml')).toEqual(cure)
    expect(readBack(cure, 'typescript')).toEqual(cure)
    expect(readBack({ next: 'STEP', ...cure }, 'hcl')).toEqual({ next: 'STEP', ...cure })
  })

  it.each([
    [{ budgets: { rework: 1 } }, 'budgets: { rework: 1 }', 'budgets = { rework = 1 }'],
    [
      { vars: { issue: { required: true } } },
      'vars: { issue: { required: true } }',
      'var "issue" { required = true }',
    ],
    [
      { agents: { dev: { writes: ['…'] } } },
      'agents: { dev: { writes: […] } }',
      'agent "dev" { writes = […] }',
    ],
    [
      { options: { stop: 'STEP', '…': '…' } },
      "options: { stop: 'STEP', … }",
      'option "stop" { to = "STEP" } …',
    ],
    [{ decide: 'Ship it?' }, "decide: 'Ship it?'", 'decision { prompt = "Ship it?" }'],
    [
      { decide: true, template: 'quality' },
      "decide: true, template: 'quality'",
      'decision { template = "quality" }',
    ],
    [{ flow: 'FILE' }, "flow: 'FILE'", 'run = { job = "FILE" }'],
  ])('[L16] reads as its language is written: %j', (cure, typescript, hcl) => {
    expect(spelled(cure, 'typescript')).toBe(typescript)
    expect(spelled(cure, 'yaml')).toBe(typescript.replaceAll("'", ''))
    expect(spelled(cure, 'hcl')).toBe(hcl)
  })
})
