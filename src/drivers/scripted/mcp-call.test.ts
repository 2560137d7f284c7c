import { serve } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createMcpCaller } from './mcp-call.ts'

describe('calling tools of a real MCP server', () => {
  it('finds and calls them, and tells a tool that fails', async () => {
    const tokens = new Set<string | null>()
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'tools', version: '1' })
      const inputSchema = z.object({ choice: z.string() })
      server.registerTool('report_outcome', { description: 'Reports.', inputSchema }, async ({ choice }) => ({
        content: [{ type: 'text', text: `noted ${choice}` }],
      }))
      return server
    })
    const url = await listening((request) => {
      tokens.add(request.headers.get('authorization'))
      return handler.fetch(request)
    })
    const caller = createMcpCaller({ url, headers: [{ name: 'Authorization', value: 'Bearer mine' }] })
    await caller.connect()
    const { signal } = new AbortController()
    const good = await caller.call({ name: 'report_outcome', arguments: { choice: 'done' } }, signal)
    expect(good).toEqual({ isError: false, text: 'noted done' })
    const bad = await caller.call({ name: 'report_outcome', arguments: { choice: 7 } }, signal)
    expect(bad.isError).toBe(true)
    expect([...tokens]).toEqual(['Bearer mine'])
  })

  it('says why a server cannot be called', async () => {
    const url = await listening(() => new Response('no such token', { status: 401 }))
    const caller = createMcpCaller({ url, headers: [] })
    await expect(caller.connect()).rejects.toThrow('401: no such token')
  })
})

async function listening(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}/`),
    )
    onTestFinished(() => {
      server.close()
    })
  })
}
