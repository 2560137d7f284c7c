/** How the tests of this area look at a reading: values without positions, and findings as `line:column code`. */
import { createReport } from '../report.ts'
import type { Tree } from '../tree.ts'
import { parseHcl } from './parser.ts'
import { createProblems } from './problems.ts'
import { readHcl } from './read.ts'
import type { BlockBody, Expression } from './syntax.ts'

export function read(text: string) {
  const report = createReport('flow.hcl')
  const tree = readHcl(text, report)
  return { tree, value: tree === null ? null : plainTree(tree), ...findings(report.diagnostics) }
}

export function parse(text: string) {
  const report = createReport('flow.hcl')
  const body = parseHcl(text, createProblems(report))
  return { body, value: plainBody(body), ...findings(report.diagnostics) }
}

type Diagnostics = ReturnType<typeof createReport>['diagnostics']

const findings = (diagnostics: Diagnostics) => ({
  diagnostics,
  findings: diagnostics.map(({ code, at }) => `${at.line}:${at.column} ${code}`),
  messages: diagnostics.map(({ message }) => message),
})

export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

function plainTree(tree: Tree): Plain {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'list') return tree.items.map(plainTree)
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plainTree(value)]))
}

/** Attributes under their names; blocks as `type "label"`, in a list because they may be many. */
function plainBody(body: BlockBody): { [key: string]: Plain } {
  const plain: { [key: string]: Plain } = {}
  for (const part of body) {
    if (part.kind === 'attribute') plain[part.name] = plainValue(part.value)
    else {
      const heading = [part.type, ...part.labels.map(({ text }) => JSON.stringify(text))].join(' ')
      const before = plain[heading]
      plain[heading] = [...(Array.isArray(before) ? before : []), plainBody(part.body)]
    }
  }
  return plain
}

function plainValue(value: Expression): Plain {
  if (value.kind === 'literal') return value.value
  if (value.kind === 'list') return value.items.map(plainValue)
  return plainBody(value.fields)
}
