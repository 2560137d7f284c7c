/** The words that the schemas of this door are written in. */
import type { Schema } from './route.ts'

export const text: Schema = { type: 'string' }
export const whole: Schema = { type: 'integer' }
export const number: Schema = { type: 'number' }
export const flag: Schema = { type: 'boolean' }
export const instant: Schema = { type: 'integer', description: 'Milliseconds since 1970.' }
export const anything: Schema = {}
export const map = (of: Schema): Schema => ({ type: 'object', additionalProperties: of })
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: values })
export const orNull = (schema: Schema): Schema =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
export const says = (description: string, schema: Schema): Schema => ({ ...schema, description })
/** Exactly the keys of its type: one that is added there and not here does not compile. */
export const object = <T>(
  properties: { readonly [K in keyof Required<T>]: Schema },
  optional: readonly (keyof T)[] = [],
): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key as keyof T)),
})
