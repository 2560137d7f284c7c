/** The JSON Schema of the YAML form, for editors. Made from the same shapes that check a file. */

import { NAME } from './bad-name.ts'
import { RUNBOOK } from './language.ts'
import type { Shape } from './shape.ts'

export type RunbookSchema = { readonly [key: string]: unknown }

export const runbookSchema = (): RunbookSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Signalbox runbook',
  ...schemaOf(RUNBOOK),
})

function schemaOf(shape: Shape): RunbookSchema {
  const description = shape.doc
  switch (shape.kind) {
    case 'text':
      return {
        type: 'string',
        description,
        ...(shape.values === undefined ? {} : { enum: shape.values }),
        ...(shape.examples === undefined ? {} : { examples: shape.examples }),
      }
    case 'integer':
    case 'number':
      return { type: shape.kind, minimum: shape.min, maximum: shape.max, description }
    case 'boolean':
      return { type: 'boolean', description }
    case 'duration':
      return { type: 'string', pattern: '^(?=\\d)(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?$', description }
    case 'any-scalar':
      return { type: ['string', 'number', 'boolean'], description }
    case 'anything':
      return { description }
    case 'place':
      return {
        type: 'object',
        additionalProperties: schemaOf(shape.of),
        minProperties: 1,
        maxProperties: 1,
        description,
      }
    case 'list':
      return { type: 'array', items: schemaOf(shape.of), minItems: shape.least, description }
    case 'map':
      return {
        type: 'object',
        propertyNames: { pattern: NAME.source },
        additionalProperties: schemaOf(shape.of),
        minProperties: shape.least,
        description,
      }
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(shape.fields).map(([key, field]) => [key, schemaOf(field)]),
        ),
        ...(shape.required.length === 0 ? {} : { required: shape.required }),
        additionalProperties: false,
        description,
        ...(shape.kinds === undefined ? {} : ofOneKind(shape.kinds)),
      }
    case 'either':
      return { anyOf: shape.of.map(schemaOf), description }
  }
}

const ofOneKind = (kinds: Readonly<Record<string, readonly string[]>>): RunbookSchema => ({
  oneOf: Object.keys(kinds).map((kind) => ({ required: [kind] })),
  allOf: Object.entries(kinds).map(([kind, keys]) => ({
    if: { required: [kind] },
    then: { propertyNames: { enum: keys } },
  })),
})
