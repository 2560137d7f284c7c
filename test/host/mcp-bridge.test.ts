/** The tools for agents that speak MCP over standard input and output only. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { bundledBridge } from '../../src/drivers/bundle.fixture.ts'
import { findSandbox } from '../../src/drivers/index.ts'
import { type HouseOptions, houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const bridge = bundledBridge()
const sandbox = await findSandbox(process.env['PATH'] ?? '')
if ('why' in sandbox && process.env['CI']) throw new Error(sandbox.why)
const engine = 'engine' in sandbox ? sandbox.engine : null
const JUDGE = 'steps: { judge: { agent: dev, options: { good: done, poor: abandoned } } }'

async function connect(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '0' })
  onTestFinished(() => client.close())
  const env = { SIGNALBOX_MCP_URL: url, SIGNALBOX_MCP_TOKEN: token }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bridge], env }))
  return client
}

const call = async (client: Client, name: string, given: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name, arguments: given })
  return { isError: isError === true, text: content[0]?.type === 'text' ? content[0].text : '' }
}

it('carries what a client over stdio says to the door, and back', async () => {
  const house = await openHouse({ runbook: JUDGE, doors: true, plays: { judge: [[{ hang: true }]] } })
  const run = await house.start()
  await run.until('attempt.began')
  const client = await connect(`${house.url()}/mcp`, house.tokens()[0]!)
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('report_outcome')
  const wrong = await call(client, 'report_outcome', { decision: 'perhaps' })
  expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('good, poor')])
  const waiting = call(client, 'wait_decision', { decision: 'none', seconds: 1 })
  expect((await call(client, 'report_outcome', { decision: 'good' })).isError).toBe(false)
  await waiting
})

it('[K6] refuses what is too much to whoever waits, carries what Unicode takes for an end of line, and goes on', async () => {
  const house = await openHouse({ runbook: JUDGE, doors: true, plays: { judge: [[{ hang: true }]] } })
  const run = await house.start()
  await run.until('attempt.began')
  const client = await connect(`${house.url()}/mcp`, house.tokens()[0]!)
  const notes: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`)
  await expect(call(client, 'report_outcome', { decision: 'good', notes })).rejects.toThrow('nested deeper')
  const long = call(client, 'report_outcome', { decision: 'good', notes: 'x'.repeat(5 * 1024 * 1024) })
  await expect(long).rejects.toThrow('longer than 4 MiB')
  const said = await call(client, 'report_outcome', { decision: 'good', notes: 'one\u2028two' })
  expect(said.isError).toBe(false)
  await run.tell({ type: 'run.cancel', reason: 'that was all' })
})

it('says why where the door is shut, or is not there', async () => {
  const house = await openHouse({ runbook: JUDGE, doors: true })
  await expect(connect(`${house.url()}/mcp`, 'unknown')).rejects.toThrow('Signalbox answered 401')
  await expect(connect('http://127.0.0.1:9/mcp', 'token')).rejects.toThrow('Signalbox cannot be reached')
})

/** An agent that can start MCP servers and cannot reach them by HTTP. */
const STDIO_ONLY = `
  const { spawn } = require('node:child_process')
  const { createInterface } = require('node:readline')
  const send = (to, message) => to.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  const open = new Map()
  let server = null
  const ask = (method, params) => new Promise((resolve) => {
    open.set(open.size + 1, resolve)
    send(server.stdin, { id: open.size, method, params })
  })
  const answers = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': async ({ mcpServers: [{ command, args, env }] }) => {
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      server = spawn(command, args, { env: variables, stdio: ['pipe', 'pipe', 'inherit'] })
      createInterface({ input: server.stdout }).on('line', (line) => {
        const { id, result } = JSON.parse(line)
        open.get(id)?.(result)
      })
      const clientInfo = { name: 'odd', version: '1' }
      await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      send(server.stdin, { method: 'notifications/initialized' })
      await ask('tools/list', {})
      return { sessionId: 's' }
    },
    'session/prompt': async () => {
      await ask('tools/call', { name: 'report_outcome', arguments: { decision: 'good' } })
      return { stopReason: 'end_turn' }
    },
  }
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id !== undefined) send(process.stdout, { id, result: (await answers[method]?.(params)) ?? {} })
  }).on('close', () => process.exit(0))
`
const stdioOnly: Partial<HouseOptions> = {
  programFor: (_, scripted) => ({ ...scripted, driver: 'acp', argv: [process.execPath, '-e', STDIO_ONLY] }),
}

const boxes = [['', null] as const, ...(engine === null ? [] : [[' inside the sandbox', engine] as const])]

it.each(boxes)('[D3] lets an agent that cannot do HTTP answer over MCP%s', async (_, box) => {
  const house = await openHouse({ runbook: JUDGE, doors: true, engine: box, ...stdioOnly })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('answer.received')).via).toBe('mcp')
  expect(run.prompts()[0]).toContain('report_outcome')
  await eventually(() => house.running()).toEqual([])
})

it.skipIf(engine === null)('[X7] is reached also where the sandbox has no network', async () => {
  const rules = { network: 'off' } as const
  const house = await openHouse({ runbook: JUDGE, doors: true, engine, rules, ...stdioOnly })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('answer.received')).via).toBe('mcp')
})
