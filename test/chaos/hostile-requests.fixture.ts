/** Requests that mean harm, at the host's doors: each is refused with a word, and none is a bug of the host's. */

import { connect } from 'node:net'
import type { FoundHost } from '../../src/cli/hosting/find-host.ts'
import { fetchOver } from '../../src/http/socket-fetch.fixture.ts'

interface HostileRequest {
  readonly path: string
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const REQUESTS: readonly HostileRequest[] = [
  { path: '/api/v1/runs', method: 'POST', body: deep(20_000) },
  { path: '/api/v1/runs', method: 'POST', body: `"${'x'.repeat(9_000_000)}"` },
  { path: '/api/v1/runs', method: 'POST', body: '{"runbook":' },
  { path: '/api/v1/decisions', method: 'POST', body: deep(300) },
  { path: '/api/v1/decisions/%00%ff/answer', method: 'POST', body: '[]' },
  { path: '/api/v1/runs/..%2f..%2fetc%2fpasswd' },
  { path: `/api/v1/find?prefix=${'%25'.repeat(2_000)}` },
  { path: '/api/v1/events?after=-1&limit=1e999' },
  { path: '/mcp', method: 'POST', body: deep(5_000), headers: { authorization: 'Bearer nobody' } },
  { path: '/mcp', method: 'POST', body: '[{"jsonrpc":"2.0","method":"tools/call","params":[[]]}]' },
  { path: '/api/v1/runs', headers: { authorization: `Bearer ${'x'.repeat(9_000)}` } },
]

/** Gives back what went wrong. */
export async function sendHostileRequests({ url, socket }: FoundHost): Promise<string[]> {
  const answered = await Promise.all(
    REQUESTS.map(async ({ path, method = 'GET', body, headers = {} }) => {
      const ask =
        path === '/mcp' ? (at: string, init: RequestInit) => fetch(`${url}${at}`, init) : fetchOver(socket)
      const response = await ask(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
      }).catch(() => null)
      // One that is too large may be cut off before it was read.
      const status = response?.status ?? 0
      await response?.body?.cancel()
      return status >= 500 && status !== 503 ? [`${method} ${path} was answered with ${status}`] : []
    }),
  )
  await Promise.all(LINES.map((line) => sendRaw(url, line)))
  return answered.flat()
}

const LINES = [
  'GET / HTTP/9.9\r\n\r\n',
  '\u0000\u0001\u0002',
  'POST /mcp HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
]

/** What is no HTTP, on a connection that is dropped in the middle. */
const sendRaw = (url: string, text: string): Promise<void> =>
  new Promise((done) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(text)
      setTimeout(() => socket.destroy(), 20)
    })
    socket.once('error', () => socket.destroy()).once('close', () => done())
  })
