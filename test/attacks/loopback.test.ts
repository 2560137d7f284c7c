/**
 * An agent with the network that every run has by default looks for servers of this machine: a daemon that runs whatever
 * it is asked to, as other agents leave them behind. And for a way to have what it serves itself taken for something else.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()
const node = `'${process.execPath}'`

/** Gives what it says when it listens. */
async function serve(program: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return said.toString().trim()
}

/** Runs what it is told, and tells what came of it. */
const HUB = `
  const { execFile } = require('child_process')
  const { createServer } = require('http')
  createServer((req, res) => {
    const words = decodeURIComponent(req.url.slice(1))
    execFile('/bin/sh', ['-c', words], (error, stdout) => res.end(stdout))
  }).listen(0, '::', function () { console.log(this.address().port) })`

const own = Object.values(networkInterfaces()).flatMap((all) =>
  (all ?? []).filter(({ scopeid }) => !scopeid).map(({ address }) => address),
)
const mapped = own.filter((address) => !address.includes(':')).map((address) => `::ffff:${address}`)
const HOSTS = [
  ...new Set([
    ...own,
    ...mapped,
    '127.0.0.1',
    '127.1',
    '127.8.8.8',
    '::1',
    '0.0.0.0',
    '::',
    '0',
    '2130706433',
  ]),
  ...[
    '0x7f.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    'localhost',
    'localhost.',
    hostname(),
  ],
]

/** Asks the hub by every address there is; by the proxy, too, if there is one. */
const ask = (port: number, words: string, hosts: readonly string[] = HOSTS): string => `${node} -e "
  const http = require('http')
  const path = '/' + encodeURIComponent('${words}')
  const proxy = process.env.HTTP_PROXY && new URL(process.env.HTTP_PROXY)
  const hear = (res) => res.on('error', () => {}).on('data', (said) => console.log(String(said)))
  for (const host of ${JSON.stringify(hosts).replaceAll('"', "'")}) {
    const authority = (host.includes(':') ? '[' + host + ']' : host) + ':${port}'
    const direct = { host, port: ${port}, path, timeout: 2000, agent: false }
    http.get(direct, hear).on('error', () => {}).on('timeout', function () { this.destroy() })
    if (!proxy) continue
    const by = { host: proxy.hostname, port: proxy.port, headers: { host: authority }, agent: false }
    http.get({ ...by, path: 'http://' + authority + path }, hear).on('error', () => {})
    http.request({ ...by, method: 'CONNECT', path: authority }).on('error', () => {}).on('connect', (res, socket) => {
      hear(socket.on('error', () => {}))
      socket.end('GET ' + path + ' HTTP/1.0\\r\\n\\r\\n')
    }).end()
  }"`

const letter = ({ victim }: Lair): string =>
  `cat ${victim.documents}/letters/1.txt; echo owned > ${victim.documents}/owned`

const ports: Record<string, number> = {}

attack(
  '[D21] nobody runs its commands, whichever address of this machine it tries',
  {
    prepare: async () => {
      ports['hub'] = Number(await serve(HUB))
    },
    plays: (lair) => ({
      develop: [
        [
          lair.steal('hub', ask(ports['hub']!, `cat ${lair.victim.documents}/letters/1.txt`)),
          lair.attempt('owned', ask(ports['hub']!, letter(lair))),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)

attack(
  '[X13] a runbook that lists this machine opens nothing of it',
  {
    runbook: `
      agents: { dev: { network: ['*', localhost, 127.0.0.1, '0.0.0.0', '127.1', ${own.filter((each) => !each.includes(':')).join(', ')}] } }
      steps: { develop: { agent: dev, next: done } }
    `,
    prepare: async () => {
      ports['listed'] = Number(await serve(HUB))
    },
    plays: (lair) => ({
      develop: [[lair.steal('hub', ask(ports['listed']!, `cat ${lair.victim.documents}/letters/1.txt`))]],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)

attack(
  '[D21] its own server is a server to nobody else: not to its gate, nor to a program of the user’s',
  {
    runbook: `
      agents: { dev: {}, check: { writes: [] } }
      steps:
        develop: { agent: dev, gate: { run: "${node} -e \\"require('net').connect(39118, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))\\"", max: 0, expect: none }, next: abandoned, on: { failed: done } }
    `,
    plays: ({ plant, dir }) => ({
      develop: [
        [
          plant(
            'serve',
            `(setsid ${node} -e "require('net').createServer((s) => s.end('forged')).listen(39118)" >/dev/null 2>&1 &)
             until ${node} -e "require('net').connect(39118, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"; do :; done
             touch '${dir}/served'; until [ -e '${dir}/heard' ]; do sleep 0.02; done`,
          ),
        ],
      ],
    }),
    prepare: ({ dir }) => {
      void until(() => existsSync(join(dir, 'served')), 'it serves').then(async () => {
        const heard = await text(connect(39118, '127.0.0.1')).catch(({ code }: NodeJS.ErrnoException) => code)
        writeFileSync(join(dir, 'heard'), String(heard))
      })
    },
  },
  async ({ run, dir }) => {
    expect(await run.end()).toBe('done')
    expect(readFileSync(join(dir, 'heard'), 'utf8')).toBe('ECONNREFUSED')
  },
)
