/** An MCP server that offers nothing and remembers what it was asked, in order. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface ToolServer {
  readonly url: string
  /** Methods, in the order they came. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string }
}

export async function openToolServer(): Promise<ToolServer> {
  const asked: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method = '', params } = (await json(request)) as Message
    asked.push(method)
    if (id === undefined) return void response.writeHead(202).end()
    const protocolVersion = params?.protocolVersion ?? '2025-06-18'
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'mute', version: '0' },
      },
      'tools/list': { tools: [] },
    }
    const result = results[method]
    const outcome = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
