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

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

export async function openListener({
  app,
  address,
  port,
  tls,
}: ListenOrder): Promise<Listening | { readonly problem: string }> {
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
  if (opened instanceof Error) return { problem: `Port ${port} cannot be used (${opened.message}).` }
  const bound = opened.address()
  const taken = typeof bound === 'object' && bound !== null ? bound.port : port
  const name = address.includes(':') ? `[${address}]` : address
  return {
    url: `${tls === null ? 'http' : 'https'}://${name}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        opened.close(() => resolve())
        ;(opened as NodeServer).closeAllConnections()
      }),
  }
}
