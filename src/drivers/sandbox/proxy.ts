/**
 * Leads connections from a sandbox to the hosts it may reach, and nowhere else: HTTP proxy with CONNECT. It resolves names
 * itself and connects to the very address it has judged. Every request has a connection of its own, so that none can
 * hide in another. Whoever speaks to it is a program that is not trusted.
 */
import { lookup } from 'node:dns/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import { type HostAndPort, mayLeadTo, parseTarget, type RefusedConnection, reachOf } from './hosts.ts'
import { join } from './joined-streams.ts'

export interface ProxyRules {
  readonly hosts: readonly string[]
  readonly onRefused: ((refused: RefusedConnection) => void) | undefined
}

export interface Proxy {
  /** Serves whoever is at the other end. */
  serve(socket: Socket): void
  close(): void
}

const CONNECT_MS = 30_000
const MOST_CONNECTIONS = 512

/** Whoever asks is held to the rules that it has shown to be its own; null: to nobody's. */
export function createProxy(rulesFor: (req: IncomingMessage) => ProxyRules | null): Proxy {
  const sockets = new Set<Duplex>()
  // A model may think for as long as it likes, and an upload take as long.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 5_000 })
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }

  async function reach(req: IncomingMessage, target: HostAndPort | null): Promise<Socket | Trouble> {
    const rules = rulesFor(req)
    if (rules === null) return { status: 407, why: 'This proxy serves only whom it knows.' }
    if (target === null) return { status: 400, why: 'That is no address of a host.' }
    const judged = await judge(target, rules.hosts)
    if (typeof judged === 'string') {
      rules.onRefused?.({ ...target, why: judged })
      return { status: 403, why: judged }
    }
    const socket = await connectToOne(judged, target.port)
    return socket ?? { status: 502, why: `${target.host}:${target.port} could not be reached.` }
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

interface Trouble {
  readonly status: 400 | 403 | 407 | 502
  readonly why: string
}

const PHRASES = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
} as const

/** The addresses that may be connected to, or why none. */
async function judge(target: HostAndPort, hosts: readonly string[]): Promise<readonly string[] | string> {
  const { host, port } = target
  const reach = reachOf(target, hosts)
  if (reach === null) return `${host}:${port} is not among the hosts that may be reached from this sandbox.`
  const addresses = isIP(host) > 0 ? [host] : await addressesOf(host)
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  const allowed = addresses.filter((address) => mayLeadTo(address, reach, own))
  if (allowed.length === 0 && addresses.length > 0)
    return `${host}:${port} leads to ${addresses[0]}, which is not public and not listed itself.`
  return allowed
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

async function connectToOne(addresses: readonly string[], port: number): Promise<Socket | null> {
  for (const address of addresses) {
    const socket = await connectTo(address, port)
    if (socket !== null) return socket
  }
  return null
}

function connectTo(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true, allowHalfOpen: true })
    const fail = () => {
      socket.destroy()
      resolve(null)
    }
    socket.setTimeout(CONNECT_MS, fail).once('error', fail)
    socket.once('connect', () => {
      socket.setTimeout(0).off('error', fail)
      resolve(socket)
    })
  })
}

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
