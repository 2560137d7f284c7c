/** A declared shape as a table of a manual: its keys, what each takes, what it means. */
import type { ObjectShape, Shape } from './shape.ts'

/** All keys below a shape, dotted. */
export function shapeTable(shape: Shape): string[] {
  const entries = flatten(shape, '', 0)
  return entries.length === 0 ? [] : table(entries)
}

/** The keys of an object, and none below them. */
export const keysTable = ({ fields }: ObjectShape): string[] =>
  table(Object.entries(fields).map(([key, shape]) => ({ key, shape })))

interface Told {
  readonly key: string
  readonly shape: Shape
  /** The kinds it stands at, where there are kinds. */
  readonly at?: string
}

/** The keys below a shape, dotted; what repeats itself (`then` in `then`) is told twice at most. */
function flatten(shape: Shape, prefix: string, depth: number): Told[] {
  if (depth > 4 || (prefix.match(/then/g)?.length ?? 0) > 1) return []
  switch (shape.kind) {
    case 'object':
      return flattenObject(shape, prefix, depth)
    case 'map':
      return flatten(shape.of, `${prefix}NAME.`, depth)
    case 'place':
      return [{ key: `${prefix}NAME`, shape: shape.of }]
    case 'list':
      return flatten(shape.of, `${prefix}`, depth)
    case 'either':
      // One, or a list of them: the same keys.
      return [
        ...new Map(
          shape.of.flatMap((each) => flatten(each, prefix, depth)).map((told) => [told.key, told]),
        ).values(),
      ]
    default:
      return []
  }
}

function flattenObject(shape: ObjectShape, prefix: string, depth: number): Told[] {
  return Object.entries(shape.fields).flatMap(([key, field]): Told[] => {
    const own = { key: `${prefix}${key}`, shape: field }
    return [
      shape.kinds === undefined ? own : { ...own, at: kindsText(shape.kinds, key) },
      ...(key === 'on' ? [] : flatten(field, `${prefix}${key}.`, depth + 1)),
    ]
  })
}

function kindsText(kinds: Readonly<Record<string, readonly string[]>>, key: string): string {
  const at = Object.keys(kinds).filter((kind) => kinds[kind]!.includes(key))
  return at.length === Object.keys(kinds).length ? 'all' : at.join(', ')
}

function table(entries: readonly Told[]): string[] {
  const hasKinds = entries.some(({ at }) => at !== undefined)
  const row = (cells: readonly string[], at: string): string =>
    `| ${(hasKinds ? cells.toSpliced(1, 0, at) : cells).join(' | ')} |`
  return [
    row(['key', 'value', 'meaning'], 'kinds of step'),
    hasKinds ? '|---|---|---|---|' : '|---|---|---|',
    ...entries.map(({ key, shape, at = '' }) =>
      row([`\`${key}\``, kindOf(shape), shape.doc.replaceAll('|', '\\|')], at),
    ),
  ]
}

function kindOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return shape.values === undefined ? 'text' : shape.values.map((value) => `\`${value}\``).join(', ')
    case 'integer':
      return shape.max > 1_000_000 ? `whole number, ${shape.min} or more` : `${shape.min} to ${shape.max}`
    case 'number':
      return 'number'
    case 'boolean':
      return 'true, false'
    case 'duration':
      return 'duration'
    case 'any-scalar':
    case 'anything':
      return 'value'
    case 'list':
      return `list of ${kindOf(shape.of)}`
    case 'map':
    case 'place':
    case 'object':
      return 'map'
    case 'either':
      return [...new Set(shape.of.map(kindOf))].join(' or ')
  }
}
