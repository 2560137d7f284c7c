/**
 * Agents that speak the Agent Client Protocol over their standard input and output. One process is one session: some
 * agents share MCP servers, and with them tokens, between the sessions of a process.
 */
import type { Driver } from '../driver.ts'
import type { ProcessRegistry } from '../process/registry.ts'

export interface AcpDriverOptions {
  readonly registry: ProcessRegistry | null
  /** Our version, as agents are told it. */
  readonly version?: string
  /** Longest wait for the answer to a cancelled prompt; after that the session is given up. */
  readonly cancelMs?: number
  /** How long an agent may take to leave by itself, and then to obey SIGTERM. */
  readonly leaveMs?: number
  readonly graceMs?: number
}

export function createAcpDriver(options: AcpDriverOptions): Driver {
  // The protocol is loaded with the first session: most commands open none.
  return { open: async (request) => (await import('./open.ts')).openAcp(request, options) }
}
