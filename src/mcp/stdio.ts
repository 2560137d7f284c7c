/** The door for agents outside any run: an MCP server over standard input and output, started by their own config. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createOutsideServer, type OutsideOptions } from './outside.ts'

export interface StdioOptions extends OutsideOptions {
  readonly signal: AbortSignal
}

export async function serveAgentsOutside({ signal, ...options }: StdioOptions): Promise<void> {
  const handle = serveStdio(() => createOutsideServer(options))
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  await handle.close()
}
