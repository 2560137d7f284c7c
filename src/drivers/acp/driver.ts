/**
 * Agents that speak the Agent Client Protocol over their standard input and output. One process is one session: some
 * agents share MCP servers, and with them tokens, between the sessions of a process.
 */
import type { Driver } from '../driver.ts'
import type { AcpDriverOptions } from './open.ts'

export type { AcpDriverOptions }

export function createAcpDriver(options: AcpDriverOptions): Driver {
  // The protocol is loaded with the first session: most commands open none.
  return { open: async (request) => (await import('./open.ts')).openAcp(request, options) }
}
