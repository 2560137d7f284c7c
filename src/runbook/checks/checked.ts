/** What every check looks at. */
import type { Program } from '../../model/program.ts'
import type { Scope } from '../compile/scope.ts'
import type { Exploration } from '../exploration.ts'
import type { FlowGraph } from '../flow-graph.ts'

export interface Checked {
  readonly program: Program
  readonly scope: Scope
  readonly graph: FlowGraph
  readonly exploration: Exploration
}
