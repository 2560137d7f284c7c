/** An agent without a network sends what it has to a server of this machine, by every way there may be. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

/** Says a secret to whoever comes; gives its port. */
async function serve(): Promise<number> {
  const server = `const { createServer } = require('net')
    createServer((socket) => socket.end('top-secret-of-a-server')).listen(0, '0.0.0.0', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return Number(said.toString())
}

const call = (host: string, port: number): string => `'${process.execPath}' -e "
  require('net').connect(${port}, '${host}').on('error', (e) => console.log(e.code)).on('data', (d) => console.log(String(d)))"`

const ports: number[] = []

attack(
  '[X7] nobody hears it',
  {
    doors: true,
    runbook: `
      agents: { dev: { network: 'off' } }
      steps: { develop: { agent: dev, gate: 'true', next: done, on: { else: abandoned } } }
    `,
    prepare: async () => {
      ports.push(await serve())
    },
    plays: ({ steal, attempt, plant, house }) => {
      const port = ports[0]!
      return {
        develop: [
          [
            steal('address', call('127.0.0.1', port)),
            steal('name', call('localhost', port)),
            steal('any', call('0.0.0.0', port)),
            steal('mapped', call('::ffff:127.0.0.1', port)),
            attempt(
              'proxy',
              `'${process.execPath}' -e "
              const at = new URL(process.env.HTTPS_PROXY || process.env.https_proxy || 'http://127.0.0.1:9');
              require('http').request({ host: at.hostname, port: at.port, method: 'CONNECT', path: '127.0.0.1:${port}' })
                .on('connect', (r, s) => { console.log(r.statusCode); s.on('data', (d) => console.log(String(d))) })
                .on('error', (e) => { console.log(e.code); process.exit(1) }).end()"`,
            ),
            plant(
              'door',
              `'${process.execPath}' -e "fetch('${house.url()}').then(() => process.exit(0), () => process.exit(1))"`,
            ),
          ],
        ],
      }
    },
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)
