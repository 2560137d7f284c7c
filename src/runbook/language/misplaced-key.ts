/** Keys that are known, and stand at the wrong level. */

import type { Entry } from '../tree.ts'
import type { Shape } from './shape-kinds.ts'

/** Where below this shape the key would belong: `steps.NAME`. */
export function levelsOf(key: string, shape: Shape, path: readonly string[] = []): readonly string[] {
  if (path.length > DEEPEST) return []
  switch (shape.kind) {
    case 'either':
      return shape.of.flatMap((one) => levelsOf(key, one, path))
    case 'map':
      return levelsOf(key, shape.of, [...path, 'NAME'])
    case 'object': {
      const own = path.length > 0 && Object.hasOwn(shape.fields, key) ? [path.join('.')] : []
      const inner = Object.entries(shape.fields).flatMap(([name, field]) =>
        levelsOf(key, field, [...path, name]),
      )
      return [...own, ...inner]
    }
    default:
      return []
  }
}

/** Deep enough for what stands in a step or in an agent. */
const DEEPEST = 2

/**
 * Keys that stand beside an empty entry and belong into it: its body was not indented. By the entry they belong to.
 */
export function unindented(entries: readonly Entry[], of: Shape): ReadonlyMap<Entry, Entry> {
  const found = new Map<Entry, Entry>()
  let empty: Entry | null = null
  for (const entry of entries) {
    if (isEmpty(entry)) empty = entry
    else if (empty !== null && entry.value.kind !== 'map' && isKeyOf(entry.key, of)) found.set(entry, empty)
    else empty = null
  }
  return found
}

const isEmpty = ({ value }: Entry): boolean => value.kind === 'scalar' && value.value === null

const isKeyOf = (key: string, shape: Shape): boolean =>
  shape.kind === 'object'
    ? Object.hasOwn(shape.fields, key)
    : shape.kind === 'either' && shape.of.some((one) => isKeyOf(key, one))
