/**
 * Servers of the user's behind Unix sockets, by path and abstract: keys, containers, the session's bus. Some are there before the
 * agent is, some begin while it works, and the kernel does not say of all of them where they are.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()

/** Says a secret to whoever comes. */
async function serve(...addresses: string[]): Promise<void> {
  const server = `for (const address of JSON.parse(process.env.ADDRESSES))
    require('net').createServer((socket) => socket.end('top-secret-of-a-server')).listen(
      address.replace('@', '\\0'), () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', server], {
    env: { ADDRESSES: JSON.stringify(addresses) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
}

const call = (address: string): string =>
  `'${process.execPath}' -e "
    require('net').connect('${address}'.replace('@', '\\0')).on('data', (said) => console.log(String(said)))
      .on('error', ({ code }) => console.log(code))
  "`

const byPath = ({ victim }: Lair): string => join(victim.home, 'agent.sock')
/** Of a length that no internet address has: else every sandbox of the machine would be refused its own sockets, too. */
const abstract = ({ house }: Lair): string => `@${house.ground}/the-servers-abstract-name`

for (const network of [true, false])
  attack(
    `[D14] nobody answers, ${network ? 'with' : 'without'} a network`,
    {
      rules: { network: network ? 'on' : 'off' },
      prepare: (lair) => serve(byPath(lair), abstract(lair)),
      plays: (lair) => ({
        develop: [[lair.steal('path', call(byPath(lair))), lair.steal('abstract', call(abstract(lair)))]],
      }),
    },
    async ({ run }) => {
      expect(await run.end()).toBe('done')
    },
  )

/** Binds by relative paths where it is started; one is renamed, and on each line that it hears it binds what the line says. */
const SHIFTY = `
  const { createInterface } = require('readline')
  const bind = (at) => new Promise((done) => {
    require('net').createServer((socket) => socket.on('error', () => {}).end('top-secret-of-a-server')).listen(at.replace('@', '\\0'), done)
  })
  bind('relative').then(() => bind('before')).then(() => {
    require('fs').renameSync('before', 'renamed')
    console.log('bound')
    createInterface({ input: process.stdin }).on('line', (line) =>
      Promise.all(line.split(' ').map(bind)).then(() => console.log('bound')))
  })`

/** Granted by the user's config, and beside what is held against its state before. */
const TOOL = mkdtempSync('/var/tmp/signalbox-tool-')
afterAll(() => rmSync(TOOL, { recursive: true }))
const inTool = (name: string): string => join(TOOL, name)
const late = ({ house }: Lair): string => `@${house.ground}/late`

attack(
  '[D14] nobody answers in a folder that may be read, nor by an abstract name, though bound later or out of sight of the kernel’s list',
  {
    rules: { readable: [TOOL] },
    prepare: async (lair) => {
      const child = spawn(process.execPath, ['-e', SHIFTY], {
        cwd: TOOL,
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      onTestFinished(() => void child.kill())
      await once(child.stdout, 'data')
      void until(() => existsSync(join(lair.dir, 'ready')), 'the agent works').then(async () => {
        child.stdin.write(`later ${late(lair)}\n`)
        await once(child.stdout, 'data')
        writeFileSync(join(lair.dir, 'bound'), '')
      })
    },
    plays: (lair) => ({
      develop: [
        [
          lair.steal('relative', call(inTool('relative'))),
          lair.steal('renamed', call(inTool('renamed'))),
          lair.plant(
            'wait',
            `touch '${lair.dir}/ready'; until [ -e '${lair.dir}/bound' ]; do sleep 0.02; done`,
          ),
          lair.attempt('later', call(inTool('later'))),
          lair.attempt('link', `ln -s ${TOOL} way; ${call('way/later')}; cd ${TOOL} && ${call('later')}`),
          lair.attempt('abstract', call(late(lair))),
        ],
      ],
    }),
  },
  async (scene) => {
    expect(await scene.run.end()).toBe('done')
    const outside = (address: string) => text(connect(address.replace('@', '\0')))
    for (const address of [inTool('later'), late(scene)])
      expect(await outside(address)).toMatch(/^top-secret/)
  },
)
