/** Decision tables: the rows cover every combination, and each row is the first to fit some combination. */
import { MOST_COMBINATIONS, surveyOf } from '../../model/combinations.ts'
import type { Contract, TableRow } from '../../model/contract.ts'
import { subjectsOf, valuesText } from '../../model/subjects.ts'
import { routeSpot } from '../compile/routes.ts'
import { stepSpot } from '../compile/steps.ts'
import type { Checked } from './checked.ts'

export function checkTables({ own, scope }: Checked): void {
  for (const step of own) {
    const { contract } = step
    const spot = scope.spots.get(stepSpot(step.name))
    if (contract.rows.length === 0 || subjectsOf(contract).length === 0 || spot === undefined) continue
    // A row that names what cannot decide was told already, and would only be blamed for it again.
    if (
      scope.report.diagnostics.some(
        ({ code, path }) => /^(?:unknown-|routed-)/.test(code) && path.startsWith(`${spot.path}.`),
      )
    )
      continue
    const { size, missing, ways } = surveyOf(contract)
    if (size > MOST_COMBINATIONS) {
      scope.report.add({
        code: 'incomplete-table',
        ...spot,
        message: `The table of "${step.name}" tells ${size.toLocaleString('en')} combinations apart, too many to prove complete.`,
        help: 'Ask fewer variables, or ask in two steps.',
      })
      continue
    }
    if (missing !== null)
      scope.report.add({
        code: 'incomplete-table',
        ...spot,
        message: `No row of "${step.name}" fits ${valuesText(contract, missing)}.`,
        help: 'Add a row for it, or a last row without `if` (in `next`: `else`).',
      })
    for (const row of contract.rows)
      if (!ways.has(row.outcome))
        scope.report.add({
          code: 'dead-row',
          severity: 'warning',
          ...(scope.spots.get(routeSpot(step.name, row.outcome)) ?? spot),
          ...causeOf(contract, row),
        })
  }
}

function causeOf(contract: Contract, row: TableRow): { message: string; help: string } {
  const fitsAlone = surveyOf({ ...contract, rows: [row] }).ways.has(row.outcome)
  return fitsAlone
    ? {
        message: 'This row can never match: the rows above it take all it could.',
        help: 'Move it up, or remove it.',
      }
    : {
        message: 'This row can never match: no answer can have this combination.',
        help: 'A handoff that is not `partial` comes with all it must hold, or not at all. Remove the row, or allow a part of it.',
      }
}
