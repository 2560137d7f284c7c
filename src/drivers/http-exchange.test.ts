/** A host that goes in any moment of a request: whoever asked is told. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundledBridge } from './bundle.fixture.ts'
import { exchange, type HttpOrder, listen } from './http-exchange.ts'

/** What happens to each connection. */
async function serve(meet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    meet(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const orderFor = (url: string, more: Partial<HttpOrder> = {}): HttpOrder => ({
  url,
  method: 'POST',
  headers: {},
  body: '{}',
  ...more,
})

const afterSaying = (text: string) => (socket: Socket) => socket.once('data', () => socket.end(text))
const HEAD = 'HTTP/1.1 200 OK\r\n'
const GONE = 'the connection was closed before the reply was whole'

const GOES: readonly (readonly [when: string, meet: (socket: Socket) => void])[] = [
  ['as soon as it is there', (socket) => socket.destroy()],
  ['as soon as it is there, politely', (socket) => socket.end()],
  ['as soon as it is there, with a reset', (socket) => socket.resetAndDestroy()],
  ['a moment later', (socket) => setImmediate(() => socket.destroy())],
  ['when it has heard the request', (socket) => socket.once('data', () => socket.destroy())],
  ['then, with a reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['within the first line', afterSaying('HTTP/1.1 20')],
  ['within the headers', afterSaying(`${HEAD}content-length: 2\r\nx-a`)],
  ['after the headers', afterSaying(`${HEAD}content-length: 2\r\n\r\n`)],
  ['within the body', afterSaying(`${HEAD}content-length: 20\r\n\r\n{"a":`)],
  ['between two parts', afterSaying(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  ['after saying that it goes on', afterSaying('HTTP/1.1 100 Continue\r\n\r\n')],
]

describe('a host that goes', () => {
  it.each(GOES)('[V17] is told where it closes the connection %s', async (_, meet) => {
    const url = await serve(meet)
    await expect(exchange(orderFor(url))).rejects.toThrow(GONE)
    await expect(exchange(orderFor(url, { method: 'GET', body: null }))).rejects.toThrow(GONE)
  })

  it.each(GOES)('[V17] is told to who listens where it closes the connection %s', async (_, meet) => {
    const parts: string[] = []
    const listening = (async () => {
      for await (const part of listen(orderFor(await serve(meet)))) parts.push(part)
    })()
    await expect(listening).rejects.toThrow(GONE)
  })

  it.each(GOES.slice(0, 5))(
    '[V17] is told to an agent over its pipes where it closes %s',
    async (_, meet) => {
      // A process of its own: its first request is the one that matters.
      const env = { SIGNALBOX_MCP_URL: await serve(meet), SIGNALBOX_MCP_TOKEN: 't' }
      const bridge = spawn(process.execPath, [bundledBridge()], { env, stdio: ['pipe', 'pipe', 'inherit'] })
      onTestFinished(() => void bridge.kill('SIGKILL'))
      bridge.stdin.write('{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n')
      const [said] = (await once(bridge.stdout, 'data')) as [Buffer]
      expect(JSON.parse(said.toString())).toMatchObject({
        id: 7,
        error: { message: expect.stringContaining(GONE) },
      })
    },
  )

  it('does not answer on a connection that was kept', async () => {
    let met = 0
    const url = await serve((socket) => {
      met++
      socket.once('data', () => {
        socket.write(`${HEAD}connection: keep-alive\r\ncontent-length: 2\r\n\r\n{}`)
        socket.once('data', () => socket.destroy())
      })
    })
    for (let nth = 1; nth <= 3; nth++) expect((await exchange(orderFor(url))).body.toString()).toBe('{}')
    expect(met).toBe(3)
  })
})

describe('a request', () => {
  it('is told what is no reply, and where nobody listens', async () => {
    await expect(exchange(orderFor(await serve(afterSaying('SSH-2.0\r\n\r\n'))))).rejects.toThrow(
      'Parse Error',
    )
    await expect(exchange(orderFor('http://127.0.0.1:1/'))).rejects.toThrow('ECONNREFUSED')
    for (const url of ['https://127.0.0.1/', 'nonsense'])
      await expect(exchange(orderFor(url))).rejects.toThrow()
  })

  it('ends with the reason of whoever gives it up, before the reply and in the midst of it', async () => {
    const reason = new Error('enough')
    const heard = (abort: AbortController) => (socket: Socket) =>
      socket.once('data', () => abort.abort(reason))
    const abort = new AbortController()
    await expect(exchange(orderFor(await serve(heard(abort)), { signal: abort.signal }))).rejects.toBe(reason)
    await expect(exchange(orderFor(await serve(() => {}), { signal: abort.signal }))).rejects.toBe(reason)
    const midway = new AbortController()
    const url = await serve((socket) => {
      socket.once('data', () => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n`))
    })
    const listening = listen(orderFor(url, { signal: midway.signal }))
    expect((await listening.next()).value).toBe('hi')
    midway.abort(reason)
    await expect(listening.next()).rejects.toBe(reason)
  })

  it('gives a reply as it is, a letter of several bytes too where it came in two parts', async () => {
    const bytes = Buffer.from('ü')
    const url = await serve((socket) => {
      socket.once('data', () => {
        socket.write(`${HEAD}x-a: b\r\ntransfer-encoding: chunked\r\n\r\n1\r\n`)
        socket.write(bytes.subarray(0, 1))
        socket.write('\r\n1\r\n')
        socket.write(bytes.subarray(1))
        socket.end('\r\n0\r\n\r\n')
      })
    })
    const { status, headers, body } = await exchange(orderFor(url))
    expect([status, headers['x-a'], body.toString()]).toEqual([200, 'b', 'ü'])
    let said = ''
    for await (const part of listen(orderFor(url))) said += part
    expect(said).toBe('ü')
  })

  it('does not listen to a refusal', async () => {
    const url = await serve(afterSaying('HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n'))
    await expect(listen(orderFor(url)).next()).rejects.toThrow('the reply is 401')
  })
})
