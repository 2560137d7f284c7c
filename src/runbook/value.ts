/** A plain value (what the TypeScript builder makes) → Tree. It has no text, so things are placed by their path. */
import type { Report } from './report.ts'
import { type Tree, under } from './tree.ts'

const NOWHERE = { line: 0, column: 0 }
const DEEPEST = 48

export function treeOfValue(value: unknown, report: Report): Tree {
  return convert(value, '', report, 0)
}

function convert(value: unknown, path: string, report: Report, depth: number): Tree {
  const node = { at: NOWHERE, path }
  if (depth > DEEPEST) {
    report.add({ code: 'too-deep', ...node, message: `Nested more than ${DEEPEST} levels deep.` })
    return { ...node, kind: 'scalar', value: null }
  }
  if (Array.isArray(value))
    return {
      ...node,
      kind: 'list',
      items: Array.from(value, (item: unknown, index) =>
        convert(item, under(path, index), report, depth + 1),
      ),
    }
  if (typeof value === 'object' && value !== null)
    return {
      ...node,
      kind: 'map',
      entries: Object.entries(value).flatMap(([key, child]) =>
        child === undefined
          ? []
          : [{ key, at: NOWHERE, value: convert(child, under(path, key), report, depth + 1) }],
      ),
    }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { ...node, kind: 'scalar', value }
  report.add({
    code: 'wrong-type',
    ...node,
    message: `\`${path || 'The runbook'}\` is ${typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`}.`,
    help: 'A runbook is plain data: texts, numbers, true/false, lists and objects.',
  })
  return { ...node, kind: 'scalar', value: null }
}
