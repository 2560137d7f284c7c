/** What a conversation is carried on with: the world at its edges. */
import type { Driver } from '../../drivers/index.ts'
import type { Journal } from '../../journal/index.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import type { AgentProgram } from './agent-program.ts'

export interface Edges extends DutyNeeds {
  /** When an agent may be begun again; null: now. */
  readonly closedUntil: () => Promise<number | null>
  /** When this host began: what was at work before it is not any more. */
  readonly upSince: number
  /** The host is going: whoever waits for something need not wait longer. */
  readonly closing: AbortSignal
  readonly journal: Pick<Journal, 'keep' | 'fetch' | 'follow' | 'release'>
  readonly programFor: (use: string, repo: string) => AgentProgram | null
  readonly driverFor: (program: AgentProgram) => Driver
  /** The MCP server's address; null while there is none. */
  readonly mcpUrl: () => string | null
  /** The command that serves the same over standard input and output. */
  readonly mcpBridge: readonly string[]
  /** Wire traffic of agents, for traces. */
  readonly trace: ((run: string, who: string, direction: 'in' | 'out', message: unknown) => void) | null
}
