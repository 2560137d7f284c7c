/** A port of this machine for a run's own servers: free now, and no other run's that is going on. */
import { createServer } from 'node:net'

/** Below what systems give away by themselves. */
const FIRST = 20_000
const PORTS = 10_000
const MOST_TRIES = 200

/** Null where none was found: then the machine has other troubles. */
export async function freePort(seed: number, taken: ReadonlySet<number>): Promise<number | null> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // A step that shares no divisor with the number of ports visits all of them.
    const port = FIRST + ((seed + tries * 7) % PORTS)
    if (!taken.has(port) && (await isFree(port))) return port
  }
  return null
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
