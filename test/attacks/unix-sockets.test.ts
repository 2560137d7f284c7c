/** Servers of the user's behind Unix sockets, by path and abstract: keys, containers, the session's bus. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
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
