/** A value of another kind than its key takes, written as its key takes it: in the author's own words. */
import type { Report } from '../report.ts'
import type { Spelled } from '../spelling.ts'
import { childOf, type Tree, textOf, writtenOf } from '../tree.ts'
import type { Shape } from './shape-kinds.ts'

/** Undefined where nothing better can be said than what the key is for. */
export function rightType(tree: Tree, shape: Shape, report: Report): string | undefined {
  const right = rightValue(tree, shape)
  if (right === undefined) return undefined
  const key = tree.path.slice(tree.path.lastIndexOf('.') + 1)
  // An item of a list has no key to be written with; a text in double quotes is one in every language.
  if (/^\d*$/.test(key))
    return typeof right === 'string' && key !== '' ? `Write ${JSON.stringify(right)}.` : undefined
  return `Write \`${report.spell({ [key]: right })}\`.`
}

function rightValue(tree: Tree, shape: Shape): Spelled | undefined {
  switch (shape.kind) {
    case 'either':
      return shape.of.map((one) => rightValue(tree, one)).find((right) => right !== undefined)
    case 'map':
      return tree.kind === 'list' ? byName(tree.items) : undefined
    case 'object':
      return shape.meant !== undefined && tree.kind === 'scalar' && tree.value !== null
        ? { [shape.meant]: tree.value }
        : undefined
    case 'list':
      if (tree.kind === 'map') return [sample(tree)]
      return tree.kind === 'scalar' && tree.value !== null && accepts(tree, shape.of)
        ? [tree.value]
        : undefined
    case 'boolean':
      return TRUTH.get((textOf(tree) ?? '').toLowerCase())
    case 'integer':
    case 'number':
      return digits(textOf(tree) ?? '')
    case 'duration':
      return tree.kind === 'scalar' && typeof tree.value === 'number' ? `${writtenOf(tree)}s` : undefined
    case 'text':
      return shape.values === undefined ? textIn(tree) : undefined
    default:
      return undefined
  }
}

/** `"2"`, `1_000`. */
const digits = (text: string): number | undefined =>
  /^\d[\d_]*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : undefined

/** The one text that a value comes to: `[done]`, `{ name: dev }`, `dev {}`, `1.10`. */
function textIn(tree: Tree): string | undefined {
  if (tree.kind === 'scalar') return writtenOf(tree) ?? undefined
  if (tree.kind === 'list') return tree.items.length === 1 ? textOf(tree.items[0]) : undefined
  const [only, ...more] = tree.entries
  if (only === undefined || more.length > 0) return undefined
  return only.value.kind === 'map' ? only.key : textOf(only.value)
}

const accepts = (tree: Tree, shape: Shape): boolean =>
  shape.kind === 'either'
    ? shape.of.some((one) => accepts(tree, one))
    : shape.kind === 'text' && textOf(tree) !== undefined

/** What YAML 1.1 took for a truth value. */
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'on', 'y', 'true'].map((word) => [word, true] as const),
  ...['no', 'off', 'n', 'false'].map((word) => [word, false] as const),
])

const MOST_SHOWN = 4

const NAMING = ['name', 'id', 'step', 'option', 'key']

/** A list of things as the map it should be: each under its name. */
function byName(items: readonly Tree[]): Spelled {
  const [first] = items
  const others: Record<string, Spelled> = items.length > 1 ? { '…': '…' } : {}
  if (first === undefined) return { NAME: '…' }
  if (textOf(first) !== undefined) {
    const names = items.slice(0, MOST_SHOWN).flatMap((item) => textOf(item) ?? [])
    return {
      ...Object.fromEntries(names.map((name) => [name, '…'])),
      ...(items.length > names.length ? others : {}),
    }
  }
  if (first.kind !== 'map') return { NAME: '…', ...others }
  const pairs = items.flatMap((item) =>
    item.kind === 'map' && item.entries.length === 1 ? item.entries : [],
  )
  if (pairs.length === items.length)
    return Object.fromEntries(pairs.slice(0, MOST_SHOWN).map(({ key, value }) => [key, sample(value)]))
  const naming = NAMING.find((key) => textOf(childOf(first, key)) !== undefined)
  const entries = first.entries.filter(({ key }) => key !== naming)
  return { [textOf(childOf(first, naming ?? '')) ?? 'NAME']: sample({ ...first, entries }), ...others }
}

/** The beginning of a value, enough to recognise it. */
function sample(tree: Tree): Spelled {
  if (tree.kind === 'scalar') return tree.value ?? '…'
  if (tree.kind === 'list') return ['…']
  const [first, ...others] = tree.entries
  if (first === undefined) return '…'
  const value = first.value.kind === 'scalar' ? sample(first.value) : '…'
  return { [first.key]: value, ...(others.length > 0 ? { '…': '…' } : {}) }
}
