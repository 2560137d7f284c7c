/**
 * What comes in over HTTP, from unknown to known. What is wrong is told in a sentence: where it stands, what would be
 * right, what was given instead.
 */
import type { z } from 'zod'
import { didYouMean } from '../nearest.ts'
import { own } from '../own.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import type { Output } from './schema.ts'

export type Parsed<T> = { readonly value: T } | { readonly problem: string }

export function parseBody<S extends z.ZodType>(schema: S, body: unknown): Parsed<Output<S>> {
  // Whatever a schema does not say for itself is said in our own words below.
  const parsed = schema.safeParse(body, { error: () => '' })
  if (parsed.success) return { value: parsed.data as Output<S> }
  return { problem: bodyProblem(parsed.error.issues[0]!, { schema: jsonSchemaOf(schema), body }) }
}

/** The values of a query are texts: each is read as what its schema wants. */
export function queryParser<S extends z.ZodObject>(
  schema: S,
): (given: Iterable<readonly [string, string]>) => Parsed<Output<S>> {
  const { properties = {}, additionalProperties } = jsonSchemaOf(schema)
  const parameters = properties as Readonly<Record<string, JsonSchema>>
  const isStrict = additionalProperties === false
  return (given) => {
    const texts = new Map<string, string>()
    for (const [name, text] of given) {
      if (isStrict && own(parameters, name) === undefined)
        return { problem: unknownParameter(name, Object.keys(parameters)) }
      if (isStrict && texts.has(name)) return { problem: `\`${name}\` is given twice.` }
      if (!texts.has(name)) texts.set(name, text)
    }
    const values = [...texts].map(([name, text]) => [name, readAs(text, own(parameters, name))] as const)
    const parsed = schema.safeParse(Object.fromEntries(values))
    if (parsed.success) return { value: parsed.data as Output<S> }
    const name = String(parsed.error.issues[0]!.path[0])
    const wanted = wordsFor(own(parameters, name) ?? {})
    return { problem: `\`${name}\` must be ${wanted}, not ${brief(texts.get(name))}.` }
  }
}

function unknownParameter(name: string, known: readonly string[]): string {
  return `There is no parameter ${brief(name)}. ${didYouMean(name, known) ?? 'None is taken here.'}`
}

function readAs(text: string, { type }: JsonSchema = {}): string | number | boolean {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'integer' || type === 'number') return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
  return text
}

function bodyProblem(
  issue: z.core.$ZodIssue,
  { schema, body }: { readonly schema: JsonSchema; readonly body: unknown },
): string {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys') {
    const known = schemasAt(schema, path).flatMap(({ properties = {} }) => Object.keys(properties))
    const [odd = ''] = issue.keys
    return `There is no \`${textOf([...path, odd])}\` here. ${didYouMean(odd, known) ?? ''}`.trimEnd()
  }
  if (path.length === 0) return 'The body must be a JSON object.'
  const must = message === '' ? `must be ${oneOf(schemasAt(schema, path))}` : message
  const given = valueAt(body, path)
  return given === undefined
    ? `\`${textOf(path)}\` is missing: it ${must}.`
    : `\`${textOf(path)}\` ${must}, not ${brief(given)}.`
}

type Path = readonly PropertyKey[]

const textOf = (path: Path): string =>
  path
    .map((part, n) => (typeof part === 'number' ? `[${part}]` : `${n === 0 ? '' : '.'}${String(part)}`))
    .join('')

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inside, part) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part)
        ? (inside as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  )

/** More than one where the body is one of several shapes. */
function schemasAt(schema: JsonSchema, path: Path): JsonSchema[] {
  const shapes = (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[]
  const [part, ...rest] = path
  if (part === undefined) return shapes
  return shapes.flatMap((shape) => {
    const inside =
      typeof part === 'number'
        ? shape.items
        : (own((shape.properties ?? {}) as Record<string, JsonSchema>, String(part)) ??
          shape.additionalProperties)
    return typeof inside === 'object' && !Array.isArray(inside) ? schemasAt(inside as JsonSchema, rest) : []
  })
}

function oneOf(schemas: readonly JsonSchema[]): string {
  const words = schemas.flatMap(
    ({ enum: several, const: one }) => several ?? (one === undefined ? [] : [one]),
  )
  if (words.length > 0) return `one of ${words.join(', ')}`
  return [...new Set(schemas.map(wordsFor))].join(' or ')
}

function wordsFor(schema: JsonSchema): string {
  const { type, enum: words, minLength = 0, minimum, maximum } = schema
  const several = schema.anyOf ?? schema.oneOf
  if (several !== undefined) return oneOf(several as JsonSchema[])
  if (words !== undefined) return `one of ${words.join(', ')}`
  if (Array.isArray(type))
    return oneOf(type.map((each: JsonSchema['type']) => ({ ...schema, type: each }) as JsonSchema))
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum ?? Number.MAX_SAFE_INTEGER}`
  switch (type) {
    case 'string':
      return minLength > 0 ? 'some text' : 'a text'
    case 'integer':
      return `a whole number${range}`
    case 'number':
      return `a number${range}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    case 'null':
      return 'null'
    default:
      return 'an object'
  }
}

const MOST_SHOWN = 60

function brief(given: unknown): string {
  const text = JSON.stringify(given) ?? ''
  return text.length > MOST_SHOWN + 2 ? `${text.slice(0, MOST_SHOWN)}…` : text
}
