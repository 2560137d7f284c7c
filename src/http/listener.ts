/** A socket that serves an application, in the clear or with TLS. */
import type { Server as NodeServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type ServerType, serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { TlsFiles } from './wide-reach.ts'

export interface ListenOrder {
  readonly app: Hono
  readonly address: string
  /** 0 for any that is free. */
  readonly port: number
  readonly tls: TlsFiles | null
}

export interface Unopened {
  readonly problem: string
  /** Of the system, such as EADDRINUSE; empty where it has none. */
  readonly code: string
}

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

export async function openListener({ app, address, port, tls }: ListenOrder): Promise<Listening | Unopened> {
  const opened = await new Promise<ServerType | Error>((resolve) => {
    try {
      const place = { fetch: app.fetch, port, hostname: address }
      const encrypted = tls === null ? {} : { createServer: createTlsServer, serverOptions: { ...tls } }
      const server: ServerType = serve({ ...place, ...encrypted }, () => resolve(server))
      server.once('error', resolve)
    } catch (error) {
      // A key or a certificate that is none.
      resolve(error instanceof Error ? error : new Error(String(error)))
    }
  })
  if (opened instanceof Error) {
    const { code = '' } = opened as NodeJS.ErrnoException
    return { problem: `Port ${port} at ${address} cannot be used (${opened.message}).`, code }
  }
  const bound = opened.address()
  const taken = typeof bound === 'object' && bound !== null ? bound.port : port
  const name = address.includes(':') ? `[${address}]` : address
  return {
    url: `${tls === null ? 'http' : 'https'}://${name}:${taken}`,
    close: () => closeServer(opened as NodeServer),
  }
}

/** With the connections that it has. */
export const closeServer = (server: NodeServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
