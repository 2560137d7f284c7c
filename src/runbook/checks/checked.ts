/** What every check looks at. */
import type { Program, Step } from '../../model/program.ts'
import type { Scope } from '../compile/scope.ts'
import type { Exploration } from '../proof/exploration.ts'
import type { FlowGraph } from '../proof/flow-graph.ts'

export interface Checked {
  readonly program: Program
  /** The steps of this runbook itself: what is inlined was judged in its own file. */
  readonly own: readonly Step[]
  readonly scope: Scope
  readonly exploration: Exploration
  /** With everything inside its flows. */
  readonly wholeGraph: () => FlowGraph
}
