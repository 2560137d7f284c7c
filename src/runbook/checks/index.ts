/** The checks that look at a whole flow. One page a check; docs/checks.md has a section for every code. */
import { hasErrors } from '../../model/diagnostic.ts'
import type { Program } from '../../model/program.ts'
import type { Scope } from '../compile/scope.ts'
import { exploreProgram } from '../exploration.ts'
import { checkAdvisoryPanels } from './advisory-panel.ts'
import { checkAssignment } from './assignment.ts'
import { checkBounded } from './bounded.ts'
import type { Checked } from './checked.ts'
import { checkDeadlines } from './deadline.ts'
import { checkGates } from './gate.ts'
import { checkIndistinguishable } from './indistinguishable.ts'
import { checkLookUps } from './names.ts'
import { checkReachability } from './reachability.ts'
import { checkTables } from './tables.ts'
import { checkThens } from './then.ts'
import { checkBudgets } from './unused-budget.ts'

export function checkProgram(program: Program, scope: Scope): void {
  const exploration = exploreProgram(program)
  const checked: Checked = { program, scope, graph: exploration.graph, exploration }
  checkLookUps(checked)
  checkTables(checked)
  checkReachability(checked)
  checkBounded(checked)
  checkAssignment(checked)
  if (!hasErrors(scope.report.diagnostics)) checkThens(checked)
  checkBudgets(checked)
  checkAdvisoryPanels(checked)
  checkGates(checked)
  checkDeadlines(checked)
  checkIndistinguishable(checked)
}
