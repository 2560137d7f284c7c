import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOperations } from './doors.fixture.ts'
import { startServer } from './server.ts'

/** Holds a port, as another program would. */
function hold(address: string, port: number): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, address, () => done((server.address() as { readonly port: number }).port))
  })
}

const hasIpv6 = await hold6().then(
  () => true,
  () => false,
)

function hold6(): Promise<void> {
  const server = createServer()
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(0, '::1', () => server.close(() => done()))
  })
}

describe('a host on this machine', () => {
  it('[V18] is at both loopbacks by one port, or at the only one there is', async () => {
    const server = await startServer(openOperations().options)
    if ('problem' in server) throw new Error(server.problem)
    onTestFinished(() => server.close())
    const { port } = new URL(server.url)
    const names = hasIpv6 ? ['127.0.0.1', '[::1]', 'localhost'] : ['127.0.0.1', 'localhost']
    for (const name of names)
      expect(await (await fetch(`http://${name}:${port}/api/v1/health`)).json()).toEqual({ version: '1.2.3' })
  })

  it.runIf(hasIpv6)(
    '[V18] does not start where another program has its port at the other loopback',
    async () => {
      const port = await hold('::1', 0)
      const { options } = openOperations()
      expect(await startServer({ ...options, port })).toEqual({
        problem: expect.stringMatching(new RegExp(`^Port ${port} at ::1 cannot be used .*--port\\.$`)),
      })
      // And leaves nothing behind at the one that was free.
      await hold('127.0.0.1', port)
    },
  )
})
