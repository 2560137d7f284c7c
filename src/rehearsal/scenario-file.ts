/** A file of scenarios as data: one, or many that may go on where another ended. */
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts'
import { didYouMean } from '../model/nearest.ts'
import { checkShape } from '../runbook/language/shape.ts'
import { createReport, type Report } from '../runbook/report.ts'
import { childOf, entriesOf, itemsOf, plainValue, type Tree, textOf } from '../runbook/tree.ts'
import { readYaml } from '../runbook/yaml/read.ts'
import { SCENARIO, SCENARIOS } from './scenario-language.ts'

export interface Scenario {
  readonly name: string
  readonly root: Tree
  readonly vars: Readonly<Record<string, string>>
  /** With the lines of those it goes on after. */
  readonly play: readonly Tree[]
}

export function readScenarios(
  text: string,
  file: string,
): { readonly scenarios: readonly Scenario[] } | { readonly diagnostics: readonly Diagnostic[] } {
  const report = createReport(file)
  const root = readYaml(text, report)
  const isMany = childOf(root ?? undefined, 'scenarios') !== undefined
  if (root !== null) checkShape(root, isMany ? SCENARIOS : SCENARIO, report)
  if (root === null || hasErrors(report.diagnostics)) return { diagnostics: report.diagnostics }
  const scenarios = isMany ? scenariosIn(root, report) : [scenarioOf(root, file, {}, [])]
  return hasErrors(report.diagnostics) ? { diagnostics: report.diagnostics } : { scenarios }
}

function scenariosIn(root: Tree, report: Report): Scenario[] {
  const known = new Map<string, Scenario>()
  for (const tree of itemsOf(childOf(root, 'scenarios'))) {
    const after = childOf(tree, 'after')
    const earlier = after === undefined ? undefined : known.get(textOf(after) ?? '')
    if (after !== undefined && earlier === undefined)
      report.add({
        code: 'scenario',
        at: after.at,
        path: after.path,
        message: `There is no scenario "${textOf(after)}" above this one.`,
        help: didYouMean(textOf(after) ?? '', known.keys()),
      })
    const scenario = scenarioOf(tree, '', varsOf(root), earlier?.play ?? [])
    if (known.has(scenario.name))
      report.add({
        code: 'scenario',
        at: tree.at,
        path: tree.path,
        message: `There are two scenarios "${scenario.name}".`,
        help: 'Say what each of them shows.',
      })
    known.set(scenario.name, scenario)
  }
  return [...known.values()]
}

const scenarioOf = (root: Tree, file: string, vars: Scenario['vars'], before: readonly Tree[]): Scenario => ({
  name: textOf(childOf(root, 'scenario')) ?? file,
  root,
  vars: { ...vars, ...varsOf(root) },
  play: [...before, ...itemsOf(childOf(root, 'play'))],
})

const varsOf = (root: Tree): Record<string, string> =>
  Object.fromEntries(
    entriesOf(childOf(root, 'vars')).map(({ key, value }) => [key, String(plainValue(value))]),
  )
