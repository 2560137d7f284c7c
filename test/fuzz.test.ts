/**
 * Ten thousand inputs that nobody meant, through the three front doors. The seed is printed; FUZZ_SEED brings a run
 * back, FUZZ_RUNS makes it longer.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Diagnostic } from '../src/model/diagnostic.ts'
import { hasErrors } from '../src/model/diagnostic.ts'
import { playScenarios } from '../src/rehearsal/scenario.ts'
import { compileSource, type Source } from '../src/runbook/compile.ts'
import { certify } from '../src/runbook/proof/certificate.ts'
import {
  hostileHcl,
  hostileScenario,
  hostileValue,
  hostileYaml,
  INHERITED,
  readExample,
  YAML_DOCUMENTS,
} from './hostile.fixture.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10_000)
const SLOWEST_MS = 5_000
const PATIENCE_MS = 60_000 + RUNS * 20

const share = (part: number) => ({ seed: SEED, numRuns: Math.ceil(RUNS * part) })

/** Compiles and certifies; throws where any of it does, takes too long, or says something nobody can use. */
function survives(source: Source): boolean {
  const { program, diagnostics } = soon(() => {
    const compiled = compileSource(source, readExample)
    if (compiled.program !== null) certify(compiled.program)
    return compiled
  })
  for (const diagnostic of diagnostics) wellPlaced(diagnostic, source)
  if (program !== null && hasErrors(diagnostics)) throw new Error('there are errors, and a program came out')
  if (program === null && diagnostics.length === 0)
    throw new Error('no program came out, and nobody says why')
  return program !== null
}

/** Twice too slow is slow; once may be a busy machine. */
function soon<T>(work: () => T): T {
  for (let again = false; ; again = true) {
    const beganAt = performance.now()
    const result = work()
    const tookMs = performance.now() - beganAt
    if (tookMs < SLOWEST_MS) return result
    if (again) throw new Error(`took ${Math.round(tookMs)} ms`)
  }
}

function wellPlaced({ code, message, file, at }: Diagnostic, source: Source): void {
  const say = `${code} at ${file}:${at.line}:${at.column}: ${message}`
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(code) || message.trim() === '') throw new Error(`says nothing: ${say}`)
  const text = file === source.file ? ('text' in source ? source.text : undefined) : otherText(file)
  if (text === undefined) {
    if (at.line !== 0 || at.column !== 0) throw new Error(`a value has no lines: ${say}`)
    return
  }
  const isWhole = Number.isInteger(at.line) && Number.isInteger(at.column)
  if (!isWhole || at.line < 1 || at.column < 1) throw new Error(`stands nowhere: ${say}`)
  if (at.line > text.split(/\r\n|\r|\n/).length) throw new Error(`stands below the last line: ${say}`)
}

const values = () => hostileValue(YAML_DOCUMENTS.flatMap((text) => plain(text)))
const doors: [door: string, part: number, sources: fc.Arbitrary<Source>][] = [
  ['YAML', 0.5, hostileYaml.map((text) => ({ file: 'fuzz.yaml', text }))],
  ['HCL', 0.25, hostileHcl.map((text) => ({ file: 'fuzz.hcl', text }))],
  ['a TypeScript export', 0.25, values().map((value) => ({ file: 'fuzz.ts', value }))],
]

describe('[L3] whatever is in the file', () => {
  beforeAll(() => console.info(`fuzz: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`))

  it.each(doors)(
    '[L3] %s gives diagnostics or a program',
    (_door, part, sources) => {
      let programs = 0
      const judge = (source: Source): void => {
        if (survives(source)) programs++
      }
      fc.assert(fc.property(sources, judge), share(part))
      // Where next to nothing compiles, next to nothing is tried.
      expect(programs).toBeGreaterThanOrEqual(Math.floor(RUNS * part * 0.02))
    },
    PATIENCE_MS,
  )

  it(
    '[L3] [T4] a scenario gives diagnostics or passes',
    () => {
      const { program } = compileSource({ file: 'loop.yaml', text: REVIEW }, readExample)
      const plays = (text: string): void => {
        const { passed, diagnostics } = playScenarios(program!, text, 'fuzz.yaml')[0]!
        for (const diagnostic of diagnostics) wellPlaced(diagnostic, { file: 'fuzz.yaml', text })
        expect(passed).toBe(!hasErrors(diagnostics))
      }
      fc.assert(fc.property(hostileScenario, plays), share(0.05))
    },
    PATIENCE_MS,
  )
})

describe('[L3] [L4] names that every object of JavaScript has', () => {
  const flow = (step: string) => `runbook: 1\nname: x\nagents: { dev: {} }\nsteps:\n  a: { ${step} }\n`
  const spots: [string, (name: string) => string][] = [
    [
      'a step that is looked up',
      (name) => `agent: dev, prompt: "\${steps.${name}.x ?? \\"y\\"}", next: done`,
    ],
    ['a variable', (name) => `agent: dev, prompt: "\${var.${name}}", next: done`],
    ['a target', (name) => `agent: dev, next: ${name}`],
    ['a handoff', (name) => `agent: dev, gives: ${name}, options: { x: done, y: abandoned }`],
    ['a template', (name) => `decide: Go on?, template: ${name}, options: { x: done, y: abandoned }`],
    ['a budget', (name) => `agent: dev, options: { x: done, y: { to: retry, spend: ${name}, then: done } }`],
    ['a findings field', (name) => `agent: dev, settle_on: ${name}, options: { x: done, y: abandoned }`],
    ['a check-in', (name) => `agent: dev, check_in: { template: ${name} }, next: done`],
    ['a fault', (name) => `agent: dev, next: done, on: { ${name}: done }`],
    ['a type of field', (name) => `agent: dev, fields: { f: ${name} }, options: { x: done, y: abandoned }`],
    ['a key', (name) => `agent: dev, next: done, ${name}: 1`],
    [
      'a table’s variable',
      (name) =>
        `agent: dev, asks: { v: [x, y] }, when: [{ if: { ${name}: x }, to: done }, { to: abandoned }]`,
    ],
  ]

  it.each(spots)('%s that is not declared is reported', (_spot, step) => {
    const unreported = INHERITED.filter((name) => {
      const { diagnostics } = compileSource({ file: 'fuzz.yaml', text: flow(step(name)) }, readExample)
      return !diagnostics.some(({ severity, message }) => severity === 'error' && message.includes(name))
    })
    expect(unreported).toEqual([])
  })
})

describe('[L2] what was found once', () => {
  it('[L2] a cycle through an inlined flow is told at the step that holds it', () => {
    const text = `runbook: 1
agents: { dev: {} }
steps:
  plan: { agent: dev, next: part }
  part: { flow: parts/review.yaml, with: { what: x }, options: { done: part, unresolved: abandoned } }
`
    const { diagnostics } = compileSource({ file: 'fuzz.yaml', text }, readExample)
    expect(diagnostics).toMatchObject([{ code: 'unbounded-cycle', at: { line: 5 } }])
  })
})

const otherText = (file: string): string | undefined => {
  const read = readExample(file)
  return read.kind === 'text' ? read.text : undefined
}

const REVIEW = YAML_DOCUMENTS.find((text) => text.includes('name: review-loop')) ?? ''

/** The value of a document, if it is one. */
function plain(text: string): never[] {
  try {
    return [parse(text, { logLevel: 'silent' }) as never]
  } catch {
    return []
  }
}
