import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { TEMPLATE_LIBRARY } from '../compile/template-library.ts'
import { compileSource } from '../compile.ts'
import { RUNBOOK } from '../language/language.ts'
import { codesOf } from './codes.fixture.ts'
import { everyFeature } from './every-feature.fixture.ts'
import { unusedForms } from './forms.fixture.ts'
import type { ShippedTemplate } from './names.ts'
import { question } from './question.ts'
import { runbook } from './runbook.ts'

const yaml = readFileSync(new URL('every-feature.yaml', import.meta.url), 'utf8')

const POLISH = `
runbook: 1
vars: { issue: { required: true }, rounds: 1 }
steps:
  polish: { check: "./polish.sh \${var.issue} \${var.rounds}", options: { pass: done, fail: abandoned } }
`

describe('a flow with every feature', () => {
  it('is, as JSON, what its YAML is', () => {
    expect(JSON.stringify(everyFeature)).toBe(JSON.stringify(parse(yaml)))
  })

  it('leaves out no key of the language and no form of one', () => {
    // A flow has one setup, in one of its forms.
    expect(unusedForms(RUNBOOK, everyFeature, { setup: 'npm ci' })).toEqual([])
  })

  it('compiles without a finding, to the program its YAML compiles to', () => {
    const readFile = (path: string) => ({ kind: 'text', text: POLISH, file: path }) as const
    const written = compileSource({ file: 'x.ts', value: everyFeature }, readFile)
    const read = compileSource({ file: 'x.yaml', text: yaml }, readFile)
    expect(written.diagnostics).toEqual([])
    expect(read.diagnostics).toEqual([])
    expect(written.program).not.toBeNull()
    expect(written.program).toEqual(read.program)
  })
})

describe('a question', () => {
  const size = question({
    asks: 'size',
    options: { small: 'A day', large: { label: 'Large' } },
    fields: { why: 'text' },
  })

  it('stands in each step that asks it as if it were written there', () => {
    const { steps } = runbook({
      steps: {
        measure: {
          say: 'How large?',
          check: './measure.sh',
          answers: 'json',
          ask: size,
          routes: { small: 'done', large: { to: 'split' } },
          time: '1m',
        },
        split: { decide: 'Split?', routes: { small: 'done', large: 'abandoned' }, ask: size },
      },
    })
    expect(JSON.stringify(steps)).toBe(
      JSON.stringify({
        measure: {
          say: 'How large?',
          check: './measure.sh',
          answers: 'json',
          asks: 'size',
          options: { small: { say: 'A day', to: 'done' }, large: { label: 'Large', to: 'split' } },
          fields: { why: 'text' },
          time: '1m',
        },
        split: {
          decide: 'Split?',
          asks: 'size',
          options: { small: { say: 'A day', to: 'done' }, large: { label: 'Large', to: 'abandoned' } },
          fields: { why: 'text' },
        },
      }),
    )
  })

  it('says which exit code means which answer in the routes of a check', () => {
    const { steps } = runbook({
      steps: {
        measure: {
          check: './measure.sh',
          ask: size,
          routes: { small: { to: 'done', exit: 0 }, large: { to: 'abandoned', exit: 'other' } },
        },
      },
    })
    expect(steps.measure).toMatchObject({
      options: { large: { label: 'Large', to: 'abandoned', exit: 'other' } },
    })
  })
})

describe('what the types could not stop', () => {
  it('comes out as it went in, for the compiler to name', () => {
    const broken: unknown[] = [
      {},
      { steps: null },
      { steps: [] },
      { steps: { a: 1 } },
      { steps: { a: { ask: 1 } } },
    ]
    for (const written of broken) {
      const made = runbook(written as never)
      expect(made).toEqual({ runbook: 1, ...(written as object) })
      expect(codesOf(made)).not.toEqual([])
    }
  })

  it('may be a name: where steps are made in a loop, any name will do', () => {
    const suites = ['unit', 'slow']
    const steps = Object.fromEntries(
      suites.map((suite, index) => [suite, { check: `npm run ${suite}`, next: suites[index + 1] ?? 'done' }]),
    )
    expect(codesOf(runbook({ start: 'unit', steps }))).toEqual([])
    expect(codesOf(runbook({ start: 'unti', steps }))).toEqual(['unknown-target'])
  })
})

describe('the words of the language', () => {
  it('are those an editor shows for a key', () => {
    const known = new Set(JSON.stringify(RUNBOOK).match(/"doc":"(?:[^"\\]|\\.)*"/g))
    const isKnown = (doc: string) => known.has(`"doc":${JSON.stringify(doc)}`)
    const sources = ['answer', 'question', 'route', 'step', 'table', 'work', 'written'].map((file) =>
      readFileSync(new URL(`${file}.ts`, import.meta.url), 'utf8'),
    )
    const shown = sources.flatMap((text) => [...text.matchAll(/\/\*\* (.+) \*\/\n +readonly (\w+)\??:/g)])
    const own = shown.filter(([, doc]) => !isKnown(doc!)).map(([, doc, key]) => `${key}: ${doc}`)
    expect(shown.length).toBeGreaterThan(70)
    expect(own).toEqual([
      'ask: A question made with `question()`: its variable, options and fields.',
      'routes: Where each of its options leads.',
      'options: The answers, best first. The step says where each leads.',
      'next: Where the option leads that the template recommends.',
    ])
  })

  it('name the templates that ship', () => {
    const shipped: Record<ShippedTemplate, true> = {
      ambiguity: true,
      checkpoint: true,
      confirmation: true,
      exception: true,
      prioritization: true,
      quality: true,
      stuck: true,
      tradeoff: true,
    }
    expect(Object.keys(shipped)).toEqual(Object.keys(TEMPLATE_LIBRARY))
  })
})
