/**
 * The routing matrix of `issue-to-commit`: each of its 46 rows is a scenario, and each fails when what it stands for is altered in the
 * flow. Beyond that, no answer of any step can lead elsewhere, or be paid otherwise, unnoticed.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { compileFile } from '../src/cli/runbooks/sources.ts'
import type { RunState } from '../src/engine/state.ts'
import { writesOf } from '../src/engine/views/boundary.ts'
import { judgeWrites } from '../src/host/workspace/boundary.ts'
import type { AgentStep, Program, Step } from '../src/model/program.ts'
import type { Arm, Target } from '../src/model/route.ts'
import { rehearse } from '../src/rehearsal/rehearse.ts'
import { reportOf } from '../src/rehearsal/report.ts'
import { playScenarios } from '../src/rehearsal/scenario.ts'
import { certify } from '../src/runbook/proof/certificate.ts'

const FLOW = 'flows/issue-to-commit.yaml'
const FILE = 'flows/issue-to-commit/scenarios.yaml'
const scenarios = readFileSync(FILE, 'utf8')
const { program: compiled, diagnostics } = await compileFile(FLOW)
const program = compiled!

/** What each row of the matrix stands for in the flow: an arm of a route, or a setting of a step. */
type Row =
  | readonly [step: string, outcome: string, arm?: number]
  | readonly [step: string, setting: 'advisory' | 'gate' | 'settleOn']
const SETTINGS: readonly string[] = ['advisory', 'gate', 'settleOn']

const ROWS: readonly Row[] = [
  ['preflight', 'misplaced'],
  ['preflight', 'dirty'],
  ['preflight', 'waiting'],
  ['begin', 'not_found'],
  ['begin', 'begun'],
  ['plan', 'gate'],
  ['review_plan', 'acceptable'],
  ['review_plan', 'needs_work'],
  ['review_plan', 'block'],
  ['review_plan', 'advisory'],
  ['review_plan', 'settleOn'],
  ['review_plan', 'needs_work', 1],
  ['split', 'gate'],
  ['split', 'one'],
  ['review_split', 'acceptable'],
  ['review_split', 'needs_work'],
  ['review_split', 'block'],
  ['review_split', 'block', 1],
  ['verify_red', 'red'],
  ['write_tests', 'looked_at'],
  ['confirm_untestable', 'agreed'],
  ['write_tests', 'missing_seam'],
  ['write_tests', 'blocked'],
  ['verify_red', 'structural_only'],
  ['implement', 'complete'],
  ['implement', 'incomplete'],
  ['diagnose', 'test_design'],
  ['diagnose', 'production_logic'],
  ['diagnose', 'split_needed'],
  ['diagnose', 'production_logic', 1],
  ['final_review', 'acceptable'],
  ['final_review', 'production_code'],
  ['final_review', 'test_design'],
  ['final_review', 'plan_level'],
  ['final_review', 'advisory'],
  ['final_review', 'cosmetic'],
  ['final_review', 'untested'],
  ['final_review', 'settleOn'],
  ['final_review', 'production_code', 1],
  ['follow_ups', 'bug'],
  ['follow_ups', 'followup'],
  ['follow_ups', 'tech_debt'],
  ['follow_ups', 'nothing'],
  ['close', 'all_met'],
  ['close', 'some_remain'],
  ['implement', 'stalled'],
]

interface Written {
  readonly scenario: string
  readonly after?: string
}
const { vars, scenarios: all } = parse(scenarios) as { vars: object; scenarios: readonly Written[] }
const played = playScenarios(program, scenarios, FILE)
const rowOf = (name: string): number => Number.parseInt(name, 10)

/** Those of the named scenarios that fail in a program. What leads to them is played before. */
function failing(names: readonly string[], of: Program): string[] {
  const wanted = new Set<string>()
  const want = (name: string | undefined): void => {
    if (name === undefined) return
    wanted.add(name)
    want(all.find(({ scenario }) => scenario === name)?.after)
  }
  for (const name of names) want(name)
  const text = JSON.stringify({ vars, scenarios: all.filter(({ scenario }) => wanted.has(scenario)) })
  return playScenarios(of, text, FILE).flatMap(({ name, passed }) =>
    passed || !names.includes(name) ? [] : [name],
  )
}

describe('issue-to-commit', () => {
  it('[F2] is certified exactly, and the rehearsal of every path agrees', () => {
    expect(diagnostics).toEqual([])
    const certificate = certify(program)
    expect(certificate.exact).toBe(true)
    const report = reportOf(rehearse(program, { mostStates: 200_000 }), certificate)
    expect(report).toMatchObject({ complete: true, problems: [], disagreements: [], routes: { missed: [] } })
  })

  it('[F4] lets nobody write issues, whatever the task names', () => {
    const handoff = { values: { files: ['**', 'TODO/1.md'] } }
    const records = { split: { outcome: 'one', answer: { choices: {}, fields: {}, handoff } } }
    const state = { vars: {}, records } as unknown as RunState
    const files = ['TODO/1.md', 'TODO/test/2.test.md', '.signalbox/issues/1.md', 'src/a.test.js']
    for (const agent of ['lead', 'check', 'simplify', 'test', 'make']) {
      const outside = judgeWrites({ files, boundary: [writesOf(program, state, agent)!] })
      expect(outside).toEqual(expect.arrayContaining(files.slice(0, 3)))
      expect(outside).toHaveLength(['test', 'make'].includes(agent) ? 3 : 4)
    }
  })

  it('asks nobody while it runs', () => {
    expect(certify(program).worst).toMatchObject({ questions: 0 })
  })

  it('[F2] stands in its guides as it is', () => {
    const certificate = readFileSync('docs/issue-to-commit.md', 'utf8')
      .split('```text\n')[1]!
      .split('```')[0]!
    const printed = spawnSync(process.execPath, ['bin/signalbox', 'check', FLOW], { encoding: 'utf8' }).stdout
    expect(printed.startsWith(certificate)).toBe(true)
    const table = readFileSync('docs/coming-from-opencode.md', 'utf8').matchAll(
      /^\| (\d+) \| [^|]+ \| (\w+): (\w+)(, used up)? \| (\w+) \|$/gm,
    )
    expect(
      [...table].map(([, number, step, outcome, used, to]) => [
        Number(number),
        step,
        outcome,
        used === undefined ? 0 : 1,
        to,
      ]),
    ).toEqual(
      ROWS.map(([step, outcome, arm = 0], index) => [
        index + 1,
        step,
        outcome,
        arm,
        ledTo({ step, outcome, arm }),
      ]),
    )
  })

  it('[F2] plays all 46 rows of the matrix, in order, and what lies beyond them', () => {
    expect(played.filter(({ passed }) => !passed)).toEqual([])
    const rows = played.map(({ name }) => rowOf(name))
    expect(rows.filter((row) => !Number.isNaN(row))).toEqual(ROWS.map((_, index) => index + 1))
  })

  it.each(ROWS.map((row, index) => [index + 1, ...row] as const))(
    '[F2] row %i fails when %s %s is altered',
    (number, step, what, arm = 0) => {
      const altered = SETTINGS.includes(what)
        ? [withSetting(step, what)]
        : alterationsOf({ step, outcome: what, arm }).map((change) =>
            withArm({ step, outcome: what, arm }, change),
          )
      const { name } = played.find((one) => rowOf(one.name) === number)!
      for (const one of altered) expect(failing([name], one)).toEqual([name])
    },
  )

  it('[F2] no answer can lead elsewhere, or be paid otherwise, unnoticed', () => {
    const rows = new Set(ROWS.map(([step, outcome, arm = 0]) => `${step} ${outcome} ${arm}`))
    const others = placesOf(program).filter(
      ({ step, outcome, arm }) => !rows.has(`${step} ${outcome} ${arm}`),
    )
    expect(others.length).toBeGreaterThan(30)
    const unnoticed = others.filter((place) => {
      const through = played.filter(({ path }) => path.includes(place.step)).map(({ name }) => name)
      return alterationsOf(place).some((change) => failing(through, withArm(place, change)).length === 0)
    })
    expect(unnoticed).toEqual([])
  }, 60_000)
})

/** Of a setting: where the way on leads that it is about. */
const WAYS_ON: Readonly<Record<string, string>> = {
  'plan gate': 'done',
  'split gate': 'several',
  'review_plan advisory': 'acceptable',
  'final_review advisory': 'acceptable',
}

function ledTo({ step, outcome, arm }: Place): string {
  const isSettled = outcome === 'settleOn'
  const way = WAYS_ON[`${step} ${outcome}`] ?? (isSettled ? SETTLING[step]! : outcome)
  const { to } = program.steps[step]!.routes[way]!.arms[isSettled ? 1 : arm]!
  return to.kind === 'step' ? to.step : to.kind === 'end' ? to.end : to.kind
}

const SETTLING: Readonly<Record<string, string>> = {
  review_plan: 'needs_work',
  final_review: 'production_code',
}

interface Place {
  readonly step: string
  readonly outcome: string
  readonly arm: number
}

/** Every arm of every answer. Faults lead to one place, but for those that a row names. */
const placesOf = ({ steps }: Program): Place[] =>
  Object.entries(steps)
    .filter(([, step]) => !(step.kind === 'check' && step.prepares === true))
    .flatMap(([step, { routes, faults }]) =>
      Object.entries(routes)
        .filter(([outcome]) => !outcome.startsWith('@') && !(faults as readonly string[]).includes(outcome))
        .flatMap(([outcome, { arms }]) => arms.map((_, arm) => ({ step, outcome, arm }))),
    )

const armAt = ({ step, outcome, arm }: Place): Arm => program.steps[step]!.routes[outcome]!.arms[arm]!

/** It leads elsewhere; it is counted with another counter; it costs nothing. */
function alterationsOf(place: Place): Arm[] {
  const { to, bound } = armAt(place)
  const elsewhere: Target =
    to.kind === 'end' && to.end === 'stopped'
      ? { kind: 'end', end: 'abandoned' }
      : { kind: 'end', end: 'stopped' }
  const others: Arm[] = [{ to: elsewhere, bound }]
  if (bound?.kind === 'max')
    others.push(
      { to, bound: { ...bound, counter: 'another' } },
      { to, bound: { ...bound, times: bound.times + 1 } },
    )
  if (bound?.kind === 'spend') others.push({ to, bound: { kind: 'max', counter: 'another', times: 1 } })
  // More rounds show only where they are used up, which is the row of the last arm.
  return place.arm === 0 && bound?.kind === 'max' ? others.slice(0, 2) : others
}

function withArm({ step, outcome, arm }: Place, change: Arm): Program {
  const route = program.steps[step]!.routes[outcome]!
  const arms = route.arms.map((one, index) => (index === arm ? change : one))
  return withStep(step, { routes: { ...program.steps[step]!.routes, [outcome]: { ...route, arms } } })
}

function withSetting(step: string, setting: string): Program {
  const { members } = program.steps[step] as AgentStep
  switch (setting) {
    case 'advisory':
      return withStep(step, { members: members.map((member) => ({ ...member, advisory: false })) })
    case 'gate':
      return withStep(step, { members: members.map((member) => ({ ...member, gate: null })) })
    default:
      return withStep(step, { settleOn: null })
  }
}

const withStep = (name: string, change: Partial<AgentStep>): Program => ({
  ...program,
  steps: { ...program.steps, [name]: { ...program.steps[name]!, ...change } as Step },
})
