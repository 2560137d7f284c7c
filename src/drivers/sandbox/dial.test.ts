/** Where every address is this machine's: a sandbox routes all of them to its own loopback. */
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { run, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import { boxed, describeBoxed } from './sandbox.fixture.ts'

describeBoxed('a connection that comes out at this machine', () => {
  it('[D22] is closed before anything is sent, though no interface has its address', async () => {
    const folder = temporaryFolder()
    const page = join(folder, 'dial.mjs')
    buildSync({
      entryPoints: [join(import.meta.dirname, 'dial.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: page,
    })
    const script = `
      import { createServer } from 'node:net'
      import { dial } from ${JSON.stringify(page)}
      let heard = 0
      const server = createServer((socket) => socket.on('error', () => {}).on('data', () => heard++)).listen(5000, '0.0.0.0')
      await new Promise((done) => server.once('listening', done))
      const reached = async (host, hosts) => {
        const found = await dial({ host, port: 5000 }, { hosts, upstream: null, onRefused: undefined })
        if ('why' in found) return found.why
        found.end('hello')
        return 'reached'
      }
      console.log(await reached('203.0.113.9', ['*']))
      console.log(heard, await reached('203.0.113.9', ['203.0.113.9:5000']))
      process.exit()`
    const sandbox = boxed({ readable: [folder], network: { hosts: ['*'], ports: [] } })
    const running = run('', { argv: ['node', '--input-type=module', '-e', script], sandbox })
    expect(await stdoutOf(running)).toBe('203.0.113.9:5000 could not be reached.\n0 reached\n')
  })
})
