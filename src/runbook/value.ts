/**
 * A plain value (what the TypeScript builder makes) → Tree. It has no text of its own: things stand where its source
 * has them written out, and else are placed by their path alone.
 */
import type { Position } from '../model/diagnostic.ts'
import { createLines } from './lines.ts'
import type { Report } from './report.ts'
import { type Tree, under } from './tree.ts'
import { placesIn } from './typescript/places.ts'

const NOWHERE = { line: 0, column: 0 }
const DEEPEST = 48

export function treeOfValue(value: unknown, source: string | undefined, report: Report): Tree {
  return convert(value, '', { report, spots: spotsIn(source, value), depth: 0 })
}

interface Spot {
  readonly key: Position
  readonly at: Position
  readonly lookUps?: readonly Position[]
}

interface Conversion {
  readonly report: Report
  readonly spots: (path: string) => Spot
  readonly depth: number
}

function spotsIn(source: string | undefined, value: unknown): (path: string) => Spot {
  if (source === undefined) return () => ({ key: NOWHERE, at: NOWHERE })
  const places = placesIn(source, value)
  const lines = createLines(source, 0)
  return (path) => {
    const place = places.get(path)
    if (place === undefined) return { key: NOWHERE, at: NOWHERE }
    const { key, value: at, lookUps } = place
    return {
      key: lines.positionAt(key),
      at: lines.positionAt(at),
      ...(lookUps === null ? {} : { lookUps: lookUps.map((offset) => lines.positionAt(offset)) }),
    }
  }
}

function convert(value: unknown, path: string, conversion: Conversion): Tree {
  const { report, spots, depth } = conversion
  const { at, lookUps } = spots(path)
  const node = { at, path }
  const inner = { ...conversion, depth: depth + 1 }
  if (depth > DEEPEST) {
    report.add({ code: 'too-deep', ...node, message: `Nested more than ${DEEPEST} levels deep.` })
    return { ...node, kind: 'scalar', value: null }
  }
  if (Array.isArray(value))
    return {
      ...node,
      kind: 'list',
      items: Array.from(value, (item: unknown, index) => convert(item, under(path, index), inner)),
    }
  if (typeof value === 'object' && value !== null)
    return {
      ...node,
      kind: 'map',
      entries: Object.entries(value).flatMap(([key, child]) =>
        child === undefined
          ? []
          : [{ key, at: spots(under(path, key)).key, value: convert(child, under(path, key), inner) }],
      ),
    }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { ...node, kind: 'scalar', value, ...(lookUps === undefined ? {} : { lookUps }) }
  report.add({
    code: 'wrong-type',
    ...node,
    message: `\`${path || 'The runbook'}\` is ${typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`}.`,
    help: 'A runbook is plain data: texts, numbers, true/false, lists and objects.',
  })
  return { ...node, kind: 'scalar', value: null }
}
