/** Shapes in few words, for the pages that declare the language. */
import type { ObjectShape, Shape, TextShape } from './shape-kinds.ts'

export const text = (doc: string, examples?: readonly string[]): TextShape =>
  examples === undefined ? { kind: 'text', doc } : { kind: 'text', doc, examples }
export const oneOf = (values: readonly string[], doc: string): Shape => ({ kind: 'text', values, doc })
export const integer = (min: number, max: number, doc: string): Shape => ({ kind: 'integer', min, max, doc })
export const flag = (doc: string): Shape => ({ kind: 'boolean', doc })
export const duration = (doc: string): Shape => ({ kind: 'duration', doc })
export const list = (of: Shape, doc: string, least = 0): Shape => ({ kind: 'list', of, doc, least })
export const map = (noun: string, of: Shape, doc: string, least = 0): Shape => ({
  kind: 'map',
  noun,
  of,
  doc,
  least,
})
export const either = (doc: string, ...of: Shape[]): Shape => ({ kind: 'either', of, doc })
export const object = (doc: string, fields: Record<string, Shape>, required: string[] = []): ObjectShape => ({
  kind: 'object',
  doc,
  fields,
  required,
})
