import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { StepKind } from '../model/program.ts'
import { compileSource } from './compile.ts'
import { runbookSchema } from './language/schema.ts'
import type { Shape } from './language/shape.ts'
import { KEYS_AT, STEP, STEP_KINDS } from './language/step-language.ts'

const validate = new Ajv({ strict: false }).compile(runbookSchema())

/** A value of this shape, right by itself. */
function exampleOf(shape: Shape): unknown {
  switch (shape.kind) {
    case 'text':
      return shape.values?.[0] ?? 'done'
    case 'integer':
    case 'number':
      return shape.min
    case 'boolean':
      return true
    case 'duration':
      return '5m'
    case 'any-scalar':
    case 'anything':
      return 'x'
    case 'list':
      return Array.from({ length: Math.max(1, shape.least) }, () => exampleOf(shape.of))
    case 'map':
    case 'place':
      return Object.fromEntries(
        ['a', 'b'].slice(0, shape.kind === 'place' ? 1 : 2).map((key) => [key, exampleOf(shape.of)]),
      )
    case 'object':
      return Object.fromEntries(shape.required.map((key) => [key, exampleOf(shape.fields[key]!)]))
    case 'either':
      return exampleOf(shape.of[0]!)
  }
}

const withKey = (kind: StepKind, key: string): unknown => ({
  runbook: 1,
  steps: { here: { [kind]: exampleOf(STEP.fields[kind]!), [key]: exampleOf(STEP.fields[key]!) } },
})

const wrongKeys = (runbook: unknown): readonly string[] =>
  compileSource({ file: 'flow.yaml', text: stringify(runbook) }, () => ({ kind: 'unreadable', why: '' }))
    .diagnostics.filter(({ message }) => / means nothing at an? \w+ step\.$/.test(message))
    .map(({ path }) => path.replace('steps.here.', ''))

const OTHERS = Object.keys(STEP.fields).filter((key) => !(STEP_KINDS as readonly string[]).includes(key))
const PAIRS = STEP_KINDS.flatMap((kind) => OTHERS.map((key) => ({ kind, key })))

describe('a key of a step', () => {
  it('stands at one kind at least', () => {
    expect(
      Object.keys(STEP.fields).filter((key) => !STEP_KINDS.some((kind) => KEYS_AT[kind].includes(key))),
    ).toEqual([])
  })

  it('[L9] is an error at every kind that it does not stand at, and at no other', () => {
    for (const { kind, key } of PAIRS)
      expect([kind, key, wrongKeys(withKey(kind, key))]).toEqual([
        kind,
        key,
        KEYS_AT[kind].includes(key) ? [] : [key],
      ])
  })

  it('[L9] [L12] is refused by the schema where the checker refuses it', () => {
    for (const { kind, key } of PAIRS)
      expect([kind, key, validate(withKey(kind, key))]).toEqual([kind, key, KEYS_AT[kind].includes(key)])
  })

  it('makes a step of one kind, in the schema too', () => {
    expect(validate({ runbook: 1, steps: { here: { say: 'Nobody works here.' } } })).toBe(false)
    expect(validate({ runbook: 1, steps: { here: { agent: 'dev', check: 'make', next: 'done' } } })).toBe(
      false,
    )
    expect(validate({ runbook: 1, steps: { here: { agent: 'dev', next: 'done' } } })).toBe(true)
  })
})
