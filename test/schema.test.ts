import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configReference } from '../src/cli/config/reference.ts'
import { languageReference } from '../src/runbook/language/reference.ts'
import { runbookSchema } from '../src/runbook/language/schema.ts'

const validate = new Ajv({ allErrors: true, strict: false }).compile(runbookSchema())

describe('the JSON Schema of the YAML form', () => {
  it('[L12] the committed copy is the one the sources make (npm run schema writes it)', () => {
    expect(JSON.parse(readFileSync('schema/runbook.schema.json', 'utf8'))).toEqual(runbookSchema())
  })

  it('the manual of the language is the one the sources make (npm run reference writes it)', () => {
    expect(readFileSync('docs/language.md', 'utf8')).toBe(languageReference())
  })

  it('the manual of the config is the one the sources make (npm run reference writes it)', () => {
    expect(readFileSync('docs/config.md', 'utf8')).toBe(configReference())
  })

  it.each(readdirSync('examples').filter((name) => name.endsWith('.yaml')))('accepts %s', (name) => {
    validate(parse(readFileSync(`examples/${name}`, 'utf8')))
    expect(validate.errors).toBeNull()
  })

  it.each([
    ['an unknown key', { runbook: 1, steps: { a: { agent: 'x', next: 'done', promt: 'y' } } }],
    ['a wrong type', { runbook: 1, steps: { a: { agent: 'x', next: ['done'] } } }],
    ['no steps', { runbook: 1 }],
    [
      'an unknown field type',
      { runbook: 1, steps: { a: { agent: 'x', next: 'done', fields: { f: 'string' } } } },
    ],
    ['a bad duration', { runbook: 1, steps: { a: { agent: 'x', next: 'done', time: '5 minutes' } } }],
  ])('refuses %s', (_what, value) => {
    expect(validate(value)).toBe(false)
  })

  it('says something about every key, for hover help', () => {
    const silent: string[] = []
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { properties, additionalProperties, items, anyOf, description } = schema as Record<
        string,
        unknown
      >
      if (typeof description !== 'string' || description.length < 4) silent.push(path)
      for (const [key, child] of Object.entries(properties ?? {})) walk(child, `${path}.${key}`)
      walk(additionalProperties, `${path}.*`)
      walk(items, `${path}[]`)
      for (const child of (anyOf as unknown[] | undefined) ?? []) walk(child, path)
    }
    walk(runbookSchema(), '')
    expect(silent).toEqual([])
  })
})
