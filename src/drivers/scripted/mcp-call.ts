/**
 * Just enough of an MCP client, over streamable HTTP, for a scripted agent to call tools: one request at a time, answers
 * as JSON or as an event stream. A server that has forgotten the session is greeted again.
 */
import { messagesOf } from '../event-stream.ts'
import { exchange, type HttpReply } from '../http-exchange.ts'

export interface McpServerAddress {
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
}

export interface McpCaller {
  /** Greets the server and looks at its tools. */
  connect(): Promise<void>
  call(tool: { readonly name: string; readonly arguments: unknown }, signal: AbortSignal): Promise<ToolResult>
}

const PROTOCOL = '2025-06-18'

export function createMcpCaller(server: McpServerAddress): McpCaller {
  let nextId = 1
  let session: { readonly id: string | null } | null = null
  let greeting: Promise<void> | null = null

  function post(message: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<HttpReply> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === null ? {} : { 'mcp-protocol-version': PROTOCOL }),
      ...(session?.id ? { 'mcp-session-id': session.id } : {}),
      ...Object.fromEntries(server.headers.map(({ name, value }) => [name.toLowerCase(), value])),
    }
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return exchange({ url: server.url, method: 'POST', headers, body, signal })
  }

  async function request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const id = nextId++
    let reply = await post({ id, method, params }, signal)
    if (reply.status === 404 && session !== null) {
      session = null
      await greet()
      reply = await post({ id, method, params }, signal)
    }
    if (reply.status >= 300)
      throw new Error(`The MCP server answered ${reply.status}: ${reply.body.toString()}`)
    if (method === 'initialize') session = { id: [reply.headers['mcp-session-id']].flat()[0] ?? null }
    const answer = readAnswer(reply, id)
    if (answer.error !== undefined) throw new Error(`The MCP server refused: ${answer.error.message}`)
    return answer.result
  }

  // Whoever comes while it is under way joins in.
  function greet(): Promise<void> {
    greeting ??= introduce().finally(() => {
      greeting = null
    })
    return greeting
  }

  async function introduce(): Promise<void> {
    const clientInfo = { name: 'scripted', version: '1' }
    await request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo })
    await post({ method: 'notifications/initialized' })
  }

  return {
    connect: async () => {
      await greet()
      await request('tools/list', {})
    },
    call: async (tool, signal) => {
      if (session === null || greeting !== null) await greet()
      const result = (await request('tools/call', tool, signal)) as {
        isError?: boolean
        content?: { text?: string }[]
      }
      const text = (result.content ?? []).map((block) => block.text ?? '').join('\n')
      return { isError: result.isError === true, text }
    },
  }
}

interface RpcAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

function readAnswer({ headers, body: bytes }: HttpReply, id: number): RpcAnswer {
  const body = bytes.toString()
  const streamed = headers['content-type']?.includes('text/event-stream') === true
  const messages: RpcAnswer[] = (streamed ? messagesOf(body) : [body]).map(
    (text) => JSON.parse(text) as RpcAnswer,
  )
  const answer = messages.find((message) => message.id === id)
  if (answer === undefined) throw new Error('The MCP server sent no answer.')
  return answer
}
