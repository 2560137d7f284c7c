/**
 * Shapes: one declaration of what the document may look like, read two ways: `checkShape` holds a tree against
 * it and says everything that is wrong at once, `toJsonSchema` (schema.ts) makes the editor's schema from it.
 * Alternatives differ by the kind of value, so a wrong value is always told against the one form it meant.
 */
import { parseDuration } from '../../model/duration.ts'
import { didYouMean, nearest } from '../../model/nearest.ts'
import { oddCharacter } from '../odd-characters.ts'
import type { Report } from '../report.ts'
import { type MapTree, type Tree, textOf, writtenOf } from '../tree.ts'
import { badName, isName } from './bad-name.ts'
import { levelsOf, unindented } from './misplaced-key.ts'
import type { MapShape, ObjectShape, Shape } from './shape-kinds.ts'
import { rightType } from './wrong-type.ts'

export type { ObjectShape, Shape, TextShape } from './shape-kinds.ts'

export function checkShape(tree: Tree, shape: Shape, report: Report): void {
  const wrong = (message: string, help?: string) =>
    report.add({ code: 'wrong-type', at: tree.at, path: tree.path, message, help })

  if (!accepts(tree, shape)) {
    const where = tree.path === '' ? 'The file' : `\`${tree.path}\``
    wrong(
      `${where} should be ${expected(shape)}, not ${given(tree)}.`,
      rightType(tree, shape, report) ?? shape.doc,
    )
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
        wrong(`\`${tree.path}\` should be a whole number, not ${writtenOf(tree)}.`, shape.doc)
      else if (value < shape.min || value > shape.max)
        wrong(
          `\`${tree.path}\` should be ${shape.min === shape.max ? shape.min : `from ${shape.min} to ${shape.max}`}, not ${writtenOf(tree)}.`,
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
        wrong(
          `\`${tree.path}\` needs at least ${shape.least} ${shape.least === 1 ? 'item' : 'items'}.`,
          shape.doc,
        )
      for (const item of tree.items) checkShape(item, shape.of, report)
      return
    case 'map':
      if (tree.kind !== 'map') return
      if (tree.entries.length < shape.least)
        wrong(
          `\`${tree.path}\` needs at least ${shape.least} ${shape.noun}${shape.least === 1 ? '' : 's'}.`,
          shape.doc,
        )
      checkMap(tree, shape, report)
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

function checkMap(tree: MapTree, shape: MapShape, report: Report): void {
  const stray = unindented(tree.entries, shape.of)
  const bare = new Set(stray.values())
  for (const [entry, owner] of stray)
    report.add({
      code: 'wrong-type',
      at: entry.at,
      path: entry.value.path,
      message: `\`${entry.key}\` stands beside \`${brief(owner.key)}\`, and belongs into it.`,
      help: `Indent it deeper than \`${brief(owner.key)}\`.`,
    })
  for (const entry of tree.entries) {
    if (stray.has(entry)) continue
    if (!isName(entry.key))
      report.add({
        code: 'bad-name',
        at: entry.at,
        path: entry.value.path,
        ...badName(entry.key, { noun: shape.noun, shown: brief(entry.key) }),
      })
    if (!bare.has(entry)) checkShape(entry.value, shape.of, report)
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
        help: shape.absent?.[entry.key] ?? unseen(entry.key) ?? elsewhere(entry.key, shape),
      })
    else checkShape(entry.value, field, report)
  }
  for (const key of shape.required)
    if (!tree.entries.some((entry) => entry.key === key || isSlipOf(entry.key, key, shape)))
      report.add({
        code: 'missing-key',
        at: tree.at,
        path: tree.path,
        message: `${tree.path === '' ? `The ${shape.noun ?? 'file'}` : `\`${tree.path}\``} has no \`${key}\`.`,
        help: missing(key, shape.fields[key], report),
      })
}

/** Whether an unknown key is told already to be this one, misspelt. */
export const isSlipOf = (given: string, key: string, { fields }: ObjectShape): boolean =>
  !Object.hasOwn(fields, given) && nearest(given, Object.keys(fields)) === key

/** A key that differs from a known one by what nobody sees. */
function unseen(key: string): string | undefined {
  const odd = oddCharacter(key)
  return odd === null ? undefined : `There is ${odd.name} in it; replace it by a plain space, or remove it.`
}

function elsewhere(key: string, shape: ObjectShape): string | undefined {
  const levels = levelsOf(key, shape)
  const known = Object.keys(shape.fields)
  if (levels.length === 0) return didYouMean(key, known)
  const near = nearest(key, known)
  return `\`${key}\` is a key of ${levels.map((level) => `\`${level}\``).join(' and ')}${near === undefined ? '.' : `; here you may mean "${near}".`}`
}

function missing(key: string, shape: Shape | undefined, report: Report): string | undefined {
  if (shape?.kind === 'integer' && shape.min === shape.max)
    return `Write \`${report.spell({ [key]: shape.min })}\`.`
  return shape?.doc
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
  return typeof tree.value === 'string' ? `the text "${brief(tree.value)}"` : `${writtenOf(tree)}`
}

export const brief = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${Array.from(line.slice(0, 200)).slice(0, 87).join('')}…` : line
}
const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)
