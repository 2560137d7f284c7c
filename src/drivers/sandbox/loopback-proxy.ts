/**
 * One proxy for all sandboxes that share the machine's network: each has a password of its own, because every program of
 * the machine can reach it.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import type { DialRules } from './dial.ts'
import { createProxy } from './proxy.ts'

export interface LoopbackProxy {
  readonly port: number
  /** From now on whoever comes by this address is held to the rules. */
  admit(rules: DialRules): { readonly url: string; readonly dismiss: () => void }
  close(): void
}

export async function openLoopbackProxy(): Promise<LoopbackProxy> {
  const admitted = new Map<string, DialRules>()
  const rulesFor = ({ headers }: IncomingMessage) => {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(headers['proxy-authorization'] ?? '') ?? []
    const [, password = ''] = /^signalbox:(.+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
    return admitted.get(password) ?? null
  }
  const proxy = createProxy(rulesFor)
  const server = createServer({ allowHalfOpen: true }, (socket) => proxy.serve(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve, reject) => {
    server.once('listening', resolve).once('error', reject)
  })
  server.unref()
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    port,
    admit(rules) {
      const password = randomBytes(24).toString('base64url')
      admitted.set(password, rules)
      return {
        url: `http://signalbox:${password}@127.0.0.1:${port}`,
        dismiss: () => void admitted.delete(password),
      }
    },
    close() {
      server.close()
      proxy.close()
    },
  }
}
