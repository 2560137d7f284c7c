/** The checks that look at a whole flow. One page a check; docs/checks.md has a section for every code. */
import { hasErrors } from '../../model/diagnostic.ts'
import type { Program } from '../../model/program.ts'
import type { Scope } from '../compile/scope.ts'
import { exploreProgram, wholeGraphOf } from '../proof/exploration.ts'
import type { FlowGraph } from '../proof/flow-graph.ts'
import { checkAdvisoryPanels } from './advisory-panel.ts'
import { checkAssignment } from './assignment.ts'
import { checkBounded } from './bounded.ts'
import type { Checked } from './checked.ts'
import { checkDeadlines } from './deadline.ts'
import { checkGates } from './gate.ts'
import { checkGateReach } from './gate-in-reach.ts'
import { checkIndistinguishable } from './indistinguishable.ts'
import { checkLookUps } from './names.ts'
import { checkOverBudget } from './over-budget.ts'
import { checkReachability } from './reachability.ts'
import { checkRoles } from './roles.ts'
import { checkTables } from './tables.ts'
import { checkThens } from './then.ts'
import { checkUnattended } from './unattended.ts'
import { checkBudgets } from './unused-budget.ts'

export function checkProgram(program: Program, scope: Scope): void {
  const exploration = exploreProgram(program, scope.unchanged)
  const own = Object.values(program.steps).filter(({ name }) => !name.includes('/'))
  let whole: FlowGraph | null = null
  const wholeGraph = (): FlowGraph => {
    whole ??= wholeGraphOf(program, exploration)
    return whole
  }
  const checked: Checked = { program, own, scope, exploration, wholeGraph }
  checkLookUps(checked)
  checkTables(checked)
  checkReachability(checked)
  checkBounded(checked)
  checkAssignment(checked)
  if (!hasErrors(scope.report.diagnostics)) checkThens(checked)
  checkBudgets(checked)
  checkAdvisoryPanels(checked)
  checkOverBudget(checked)
  checkUnattended(checked)
  checkGates(checked)
  checkGateReach(checked)
  checkRoles(checked)
  checkDeadlines(checked)
  checkIndistinguishable(checked)
}
