/** Declared schemas as JSON Schema (2020-12). What has a name of its own is referred to by it. */
import { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $defs, ...rest } = converted(schema)
  return rest
}

/** Everything with a name of its own that these schemas have in them. */
export function componentsOf(schemas: readonly z.ZodType[]): Readonly<Record<string, JsonSchema>> {
  const named = schemas.flatMap((schema) => Object.entries(converted(schema).$defs ?? {}))
  return Object.fromEntries(named.map(([name, { id, ...part }]) => [name, part]))
}

function converted(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Said of every whole number and every map, they tell nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.propertyNames
    },
  })
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
}
