/**
 * The door for agents outside any run: an MCP server over standard input and output, started by their own config. It
 * reads what there is and changes nothing.
 */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Operations } from '../host/operations.ts'

export interface StdioOptions {
  readonly version: string
  /** Asked anew for each call: hosts come and go while a client stays. */
  readonly withOperations: <T>(act: (operations: Operations) => Promise<T>) => Promise<T>
  readonly signal: AbortSignal
}

const TOOLS = [
  {
    name: 'list_runs',
    title: 'List runs',
    description:
      'The runs of Signalbox on this machine: which step each is at, and whether it waits for a person.',
    inputSchema: {
      type: 'object' as const,
      properties: { all: { type: 'boolean', description: 'Ended ones too.' } },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'read_run',
    title: 'Read a run',
    description: 'Where one run is, what it asks, what it left, and every event so far.',
    inputSchema: {
      type: 'object' as const,
      properties: { run: { type: 'string', description: 'Its id, or the beginning of it.' } },
      required: ['run'],
    },
    annotations: { readOnlyHint: true },
  },
]

export async function serveAgentsOutside({ version, withOperations, signal }: StdioOptions): Promise<void> {
  const handle = serveStdio(() => {
    const server = new Server({ name: 'signalbox', version }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools: TOOLS }))
    server.setRequestHandler('tools/call', ({ params }) =>
      withOperations((operations) => call(operations, params.name, params.arguments ?? {})),
    )
    return server
  })
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  await handle.close()
}

async function call(operations: Operations, name: string, given: Readonly<Record<string, unknown>>) {
  if (name === 'list_runs')
    return said(await operations.runs({ all: given['all'] === true, limit: 50 }), false)
  if (name !== 'read_run') return said(`There is no tool "${name}"; there are list_runs and read_run.`, true)
  const found = await operations.find(typeof given['run'] === 'string' ? given['run'] : '')
  if ('problem' in found) return said(found.problem, true)
  const detail = await operations.show(found.run)
  if ('problem' in detail) return said(detail.problem, true)
  const events = (await operations.events(found.run, 0)).map(({ data }) => data)
  return said({ ...detail, events }, false)
}

const said = (what: unknown, isError: boolean) => ({
  content: [{ type: 'text' as const, text: typeof what === 'string' ? what : JSON.stringify(what, null, 2) }],
  isError,
})
