/** One agent as it is listed. */
import type { Probe, Silence } from '../../drivers/acp/probe.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'

export interface AgentRow {
  readonly name: string
  readonly driver: AgentProgram['driver'] | null
  readonly isDefault: boolean
  /** The entry it is another name of. */
  readonly standsFor: string | null
  /** Where it is; null: not installed. */
  readonly path: string | null
  readonly install: string
  readonly version: string | null
  /** The model that the config names for it. */
  readonly model: string | null
  /** How it is told which model to work with: a variable, an argument, `protocol`; null: it is not. */
  readonly modelBy: string | null
  /** What it keeps in the user's home, each part with what the agent gets of it. */
  readonly keeps: readonly string[]
  /** Variables of the user's that it gets beside those that everybody does. */
  readonly passes: readonly string[]
  /** What it answered, now or when it was last asked; null: it was never asked. */
  readonly probe: Probe | Silence | null
  readonly askedAt: string | null
  /** What will not work with it, as far as that is known. */
  readonly lacks: readonly string[]
}
