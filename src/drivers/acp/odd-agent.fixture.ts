/** Small agents that speak raw JSON lines, each odd in its own way, as real ones are. */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Launch } from '../driver.ts'
import { env, temporaryFolder } from '../process/process.fixture.ts'

/**
 * An agent whose methods are replaced by the given ones: an object literal of `(id, params) => …`, in which `send`,
 * `say`, `update`, `tool`, `end` and `refuse` speak, and `answered(message)` hears our answers to its requests.
 */
export function oddAgent(methods: string, cwd = temporaryFolder()): Launch {
  const file = join(cwd, 'odd-agent.mjs')
  writeFileSync(file, `${VOICE}\nObject.assign(methods, {${methods}})\n`)
  return { argv: [process.execPath, file], cwd, env, sandbox: null }
}

const VOICE = `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const update = (update) => send({ method: 'session/update', params: { sessionId: 'odd', update } })
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const tool = (toolCallId, more = {}) => update({ sessionUpdate: 'tool_call_update', toolCallId, ...more })
const end = (id, stopReason = 'end_turn') => send({ id, result: { stopReason } })
const refuse = (id, code, message, data) => send({ id, error: { code, message, data } })
const can = (agentCapabilities) => (id) => send({ id, result: { protocolVersion: 1, agentCapabilities } })
const methods = {
  initialize: can({}),
  'session/new': (id) => send({ id, result: { sessionId: 'odd' } }),
  'session/prompt': (id) => { say('ok'); end(id) },
  answered: () => {},
}
const input = createInterface({ input: process.stdin })
input.on('line', (line) => {
  const message = JSON.parse(line)
  if (message.method === undefined) methods.answered(message)
  else if (methods[message.method]) methods[message.method](message.id, message.params)
  else if (message.id !== undefined) refuse(message.id, -32601, 'Method not found')
})
input.on('close', () => methods.leave ? methods.leave() : process.exit(0))
`

export interface ToolServer {
  readonly url: string
  /** Every request: the method, with the bearer token it came with. */
  readonly heard: { readonly method: string; readonly token: string; readonly params: unknown }[]
  /** Forgets its sessions, as a restarted one would. */
  restart(): void
}

/** An MCP server of one tool, which answers as JSON or as an event stream. */
export async function toolServer(as: 'json' | 'events' = 'json'): Promise<ToolServer> {
  const heard: { method: string; token: string; params: unknown }[] = []
  let life = 1
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { id, method, params } = JSON.parse(body)
    heard.push({ method, params, token: String(request.headers.authorization).replace('Bearer ', '') })
    if (id === undefined) return response.writeHead(202).end()
    if (method !== 'initialize' && request.headers['mcp-session-id'] !== `life-${life}`)
      return response.writeHead(404).end()
    const message = JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method) })
    const type = as === 'json' ? 'application/json' : 'text/event-stream'
    response.writeHead(200, { 'content-type': type, 'mcp-session-id': `life-${life}` })
    return response.end(as === 'json' ? message : `event: message\ndata: ${message}\n\n`)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    heard,
    restart: () => {
      life += 1
    },
  }
}

function resultOf(method: string): unknown {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'tools', version: '1' },
    }
  if (method === 'tools/list') return { tools: [{ name: 'report_outcome', inputSchema: { type: 'object' } }] }
  return { content: [{ type: 'text', text: 'noted' }] }
}
