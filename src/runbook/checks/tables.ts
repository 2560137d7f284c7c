/** Decision tables: the rows cover every combination, and each row is the first to fit some combination. */
import { matches, type Row, type Variable } from '../../model/contract.ts'
import { routeSpot } from '../compile/routes.ts'
import { stepSpot } from '../compile/steps.ts'
import type { Checked } from './checked.ts'

/** Combinations that are worth looking through; a larger table is asked for an `otherwise` row. */
const MOST = 200_000

export function checkTables({ program, scope }: Checked): void {
  for (const step of Object.values(program.steps)) {
    const { rows, variables } = step.contract
    const spot = scope.spots.get(stepSpot(step.name))
    if (rows.length === 0 || variables.length === 0 || spot === undefined) continue
    // A row that names what does not exist was told already, and would only be blamed for it again.
    if (
      scope.report.diagnostics.some(
        ({ code, path }) => code.startsWith('unknown-') && path.startsWith(`${spot.path}.`),
      )
    )
      continue
    const size = variables.reduce((product, variable) => product * variable.options.length, 1)
    if (size > MOST) {
      scope.report.add({
        code: 'incomplete-table',
        ...spot,
        message: `The table of "${step.name}" has ${size.toLocaleString('en')} combinations, too many to prove complete.`,
        help: 'Ask fewer variables, or ask in two steps.',
      })
      continue
    }
    const { missing, used } = walk(rows, variables)
    if (missing !== null)
      scope.report.add({
        code: 'incomplete-table',
        ...spot,
        message: `No row of "${step.name}" fits ${variables.map(({ name }) => `${name} = ${missing[name]}`).join(', ')}.`,
        help: 'Add a row for it, or a last row without `if`.',
      })
    for (const row of rows)
      if (!used.has(row))
        scope.report.add({
          code: 'dead-row',
          severity: 'warning',
          ...(scope.spots.get(routeSpot(step.name, row.outcome)) ?? spot),
          message: 'This row can never match: the rows above it take all it could.',
          help: 'Move it up, or remove it.',
        })
  }
}

function walk(rows: readonly Row[], variables: readonly Variable[]) {
  const used = new Set<Row>()
  let missing: Record<string, string> | null = null
  const choices: Record<string, string> = {}
  const visit = (index: number): void => {
    const variable = variables[index]
    if (variable === undefined) {
      const row = rows.find((candidate) => matches(candidate, choices))
      if (row !== undefined) used.add(row)
      else missing ??= { ...choices }
      return
    }
    for (const option of variable.options) {
      choices[variable.name] = option.value
      visit(index + 1)
    }
  }
  visit(0)
  return { missing: missing as Record<string, string> | null, used }
}
