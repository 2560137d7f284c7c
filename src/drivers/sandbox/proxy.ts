/**
 * An HTTP proxy with CONNECT that leads connections from a sandbox to the hosts it may reach, and nowhere else (`dial.ts`).
 * Every request has a connection of its own, so that none can hide in another. Its clients are programs that are not
 * trusted.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type DialRules, type DialTrouble, dial } from './dial.ts'
import { type HostAndPort, parseTarget } from './hosts.ts'
import { join } from './joined-streams.ts'

export interface Proxy {
  /** Serves whoever is at the other end. */
  serve(socket: Socket): void
  close(): void
}

const MOST_CONNECTIONS = 512

/** Whoever asks is held to the rules that it has shown to be its own; null: to nobody's. */
export function createProxy(rulesFor: (req: IncomingMessage) => DialRules | null): Proxy {
  const sockets = new Set<Duplex>()
  // A model may think for as long as it likes, and an upload take as long.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 5_000 })
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }

  async function reach(req: IncomingMessage, target: HostAndPort | null): Promise<Duplex | Trouble> {
    const rules = rulesFor(req)
    if (rules === null) return { status: 407, why: 'This proxy serves only whom it knows.' }
    if (target === null) return { status: 400, why: 'That is no address of a host.' }
    return dial(target, rules)
  }

  server.on('connect', (req: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(client)
    void reach(req, parseTarget(req.url ?? '')).then((reached) => {
      if ('why' in reached) {
        const body = `${reached.why}\n`
        client.end(
          `HTTP/1.1 ${reached.status} ${PHRASES[reached.status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
        )
        return
      }
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) reached.write(head)
      join(client, keep(reached))
    })
  })

  server.on('request', (req, res) => {
    void forward(req, res)
  })

  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = URL.canParse(req.url ?? '') ? new URL(req.url ?? '') : null
    const isPlain = url?.protocol === 'http:' && url.username === '' && url.password === ''
    const reached = await reach(req, url !== null && isPlain ? parseTarget(url.host, 80) : null)
    if ('why' in reached || url === null) {
      const { status, why } = 'why' in reached ? reached : { status: 400, why: '' }
      res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      res.end(`${why}\n`)
      return
    }
    if (res.destroyed) return void reached.destroy()
    const upstream = request({
      createConnection: () => keep(reached),
      method: req.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(req), host: url.host, connection: 'close' },
    })
    upstream.once('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, endToEnd(answer))
      answer.pipe(res)
      answer.once('error', () => res.destroy())
    })
    upstream.once('error', () => {
      if (res.headersSent) res.destroy()
      else res.writeHead(502, { connection: 'close' }).end(`${url.host} did not answer.\n`)
    })
    res.once('close', () => upstream.destroy())
    req.pipe(upstream)
  }

  return {
    serve(socket) {
      if (sockets.size >= MOST_CONNECTIONS) socket.destroy()
      else server.emit('connection', keep(socket))
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

type Trouble = DialTrouble | { readonly status: 400 | 407; readonly why: string }

const PHRASES = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
} as const

const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]

/** Without what was meant for us alone. */
function endToEnd({ headers }: IncomingMessage): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name))
  return Object.fromEntries(
    kept.filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  )
}
