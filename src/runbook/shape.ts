/**
 * Shapes: one declaration of what the document may look like, read two ways: `checkShape` holds a tree against
 * it and says everything that is wrong at once, `toJsonSchema` (schema.ts) makes the editor's schema from it.
 * Alternatives differ by the kind of value, so a wrong value is always told against the one form it meant.
 */
import { parseDuration } from '../model/duration.ts'
import { didYouMean } from '../model/nearest.ts'
import type { Report } from './report.ts'
import { type Tree, textOf } from './tree.ts'

interface Documented {
  readonly doc: string
}

export interface TextShape extends Documented {
  readonly kind: 'text'
  readonly values?: readonly string[]
  readonly examples?: readonly string[]
}
interface NumberShape extends Documented {
  readonly kind: 'integer' | 'number'
  readonly min: number
  readonly max: number
}
interface BooleanShape extends Documented {
  readonly kind: 'boolean'
}
interface DurationShape extends Documented {
  readonly kind: 'duration'
}
interface ScalarShape extends Documented {
  readonly kind: 'any-scalar'
}
interface AnythingShape extends Documented {
  readonly kind: 'anything'
}
interface ListShape extends Documented {
  readonly kind: 'list'
  readonly of: Shape
  readonly least: number
}
interface MapShape extends Documented {
  readonly kind: 'map'
  readonly of: Shape
  /** What a key names, for messages: "step", "option". */
  readonly noun: string
  readonly least: number
}
/** A map with exactly one key, which may be a path into an inlined flow (`flow/step`). */
interface PlaceShape extends Documented {
  readonly kind: 'place'
  readonly of: Shape
  readonly noun: string
}
export interface ObjectShape extends Documented {
  readonly kind: 'object'
  readonly fields: Readonly<Record<string, Shape>>
  readonly required: readonly string[]
  /** What a whole file of this shape is called. */
  readonly noun?: string
}
interface EitherShape extends Documented {
  readonly kind: 'either'
  readonly of: readonly Shape[]
}

export type Shape =
  | TextShape
  | NumberShape
  | BooleanShape
  | DurationShape
  | ScalarShape
  | AnythingShape
  | ListShape
  | MapShape
  | PlaceShape
  | ObjectShape
  | EitherShape

/** Names of steps, options, agents and the like. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** What every object already has would be found where nothing was declared. */
const isTaken = (name: string): boolean => name in Object.prototype

export function checkShape(tree: Tree, shape: Shape, report: Report): void {
  const wrong = (message: string, help?: string) =>
    report.add({ code: 'wrong-type', at: tree.at, path: tree.path, message, help })

  if (!accepts(tree, shape)) {
    const where = tree.path === '' ? 'The file' : `\`${tree.path}\``
    wrong(`${where} should be ${expected(shape)}, not ${given(tree)}.`, shape.doc)
    return
  }
  switch (shape.kind) {
    case 'text': {
      const text = textOf(tree) ?? ''
      if (shape.values !== undefined && !shape.values.includes(text))
        report.add({
          code: 'unknown-value',
          at: tree.at,
          path: tree.path,
          message: `"${brief(text)}" is not a value of \`${last(tree.path)}\`.`,
          help: didYouMean(text, shape.values),
        })
      return
    }
    case 'integer':
    case 'number': {
      const value = tree.kind === 'scalar' ? Number(tree.value) : Number.NaN
      if (shape.kind === 'integer' && !Number.isInteger(value))
        wrong(`\`${tree.path}\` should be a whole number, not ${value}.`)
      else if (value < shape.min || value > shape.max)
        wrong(
          `\`${tree.path}\` should be ${shape.min === shape.max ? shape.min : `from ${shape.min} to ${shape.max}`}, not ${value}.`,
          shape.doc,
        )
      return
    }
    case 'duration':
      if (parseDuration(textOf(tree) ?? '') === null)
        wrong(
          `"${brief(textOf(tree) ?? '')}" is not a duration.`,
          'Write days, hours, minutes and seconds: 90s, 30m, 1h30m, 2d.',
        )
      return
    case 'list':
      if (tree.kind !== 'list') return
      if (tree.items.length < shape.least)
        wrong(`\`${tree.path}\` needs at least ${shape.least} ${shape.least === 1 ? 'item' : 'items'}.`)
      for (const item of tree.items) checkShape(item, shape.of, report)
      return
    case 'map':
      if (tree.kind !== 'map') return
      if (tree.entries.length < shape.least)
        wrong(`\`${tree.path}\` needs at least ${shape.least} ${shape.noun}${shape.least === 1 ? '' : 's'}.`)
      for (const entry of tree.entries) {
        if (!NAME.test(entry.key) || isTaken(entry.key))
          report.add({
            code: 'bad-name',
            at: entry.at,
            path: entry.value.path,
            message: `"${brief(entry.key)}" cannot name ${article(shape.noun)}.`,
            help: isTaken(entry.key)
              ? 'The word is taken; choose another.'
              : 'A name starts with a letter and goes on with letters, digits, - and _, 64 at most.',
          })
        checkShape(entry.value, shape.of, report)
      }
      return
    case 'place':
      if (tree.kind !== 'map') return
      if (tree.entries.length !== 1)
        wrong(
          `\`${tree.path}\` should have one key, ${article(shape.noun)}, not ${tree.entries.length}.`,
          shape.doc,
        )
      for (const entry of tree.entries) checkShape(entry.value, shape.of, report)
      return
    case 'object':
      checkObject(tree, shape, report)
      return
    case 'either': {
      const match = shape.of.find((alternative) => accepts(tree, alternative))
      if (match !== undefined) checkShape(tree, match, report)
      return
    }
    case 'boolean':
    case 'any-scalar':
    case 'anything':
      return
  }
}

function checkObject(tree: Tree, shape: ObjectShape, report: Report): void {
  if (tree.kind !== 'map') return
  for (const entry of tree.entries) {
    const field = Object.hasOwn(shape.fields, entry.key) ? shape.fields[entry.key] : undefined
    if (field === undefined)
      report.add({
        code: 'unknown-key',
        at: entry.at,
        path: entry.value.path,
        message: `\`${brief(entry.key)}\` is not a key ${tree.path === '' ? `of a ${shape.noun ?? 'file'}` : `of \`${tree.path}\``}.`,
        help: didYouMean(entry.key, Object.keys(shape.fields)),
      })
    else checkShape(entry.value, field, report)
  }
  for (const key of shape.required)
    if (!tree.entries.some((entry) => entry.key === key))
      report.add({
        code: 'missing-key',
        at: tree.at,
        path: tree.path,
        message: `${tree.path === '' ? `The ${shape.noun ?? 'file'}` : `\`${tree.path}\``} has no \`${key}\`.`,
        help: shape.fields[key]?.doc,
      })
}

/** Whether the tree is of the kind of value this shape is about; its details are checked afterwards. */
function accepts(tree: Tree, shape: Shape): boolean {
  const type = tree.kind === 'scalar' ? typeof tree.value : tree.kind
  switch (shape.kind) {
    case 'text':
    case 'duration':
      return type === 'string'
    case 'integer':
    case 'number':
      return type === 'number'
    case 'boolean':
      return type === 'boolean'
    case 'any-scalar':
      return tree.kind === 'scalar' && tree.value !== null
    case 'list':
      return type === 'list'
    case 'map':
    case 'place':
    case 'object':
      return type === 'map'
    case 'anything':
      return true
    case 'either':
      return shape.of.some((alternative) => accepts(tree, alternative))
  }
}

function expected(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return shape.values === undefined ? 'text' : `one of ${shape.values.join(', ')}`
    case 'integer':
      return 'a whole number'
    case 'number':
      return 'a number'
    case 'boolean':
      return 'true or false'
    case 'duration':
      return 'a duration such as 30m'
    case 'any-scalar':
      return 'text, a number or true/false'
    case 'list':
      return 'a list'
    case 'map':
      return `a map of ${shape.noun}s`
    case 'place':
    case 'object':
      return 'a map'
    case 'anything':
      return 'a value'
    case 'either':
      return shape.of.map(expected).join(' or ')
  }
}

function given(tree: Tree): string {
  if (tree.kind === 'list') return 'a list'
  if (tree.kind === 'map') return 'a map'
  if (tree.value === null) return 'nothing'
  return typeof tree.value === 'string' ? `the text "${brief(tree.value)}"` : `${tree.value}`
}

export const brief = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${Array.from(line.slice(0, 200)).slice(0, 87).join('')}…` : line
}
const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)
