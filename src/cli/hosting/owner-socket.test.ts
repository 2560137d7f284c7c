import { chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../host/workspace/repository.fixture.ts'
import { fetchOver } from '../../http/socket-fetch.fixture.ts'
import { connectToSocket, listenAtSocket } from './owner-socket.ts'

async function listen(file: string, said: string) {
  const server = createServer((_, response) => response.end(said))
  onTestFinished(() => void server.close())
  const opened = await listenAtSocket(server, file)
  if ('problem' in opened) throw new Error(opened.problem)
  return opened
}

describe('the owner’s socket', () => {
  it('[V19] is there only when it is published, in place of what a killed host left, and goes only if it is still its own', async () => {
    const file = join(temporaryFolder(), 'host.sock')
    const first = await listen(file, 'first')
    expect(existsSync(file)).toBe(false)
    const published = first.publish()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await (await fetchOver(file)('/')).text()).toBe('first')
    // Of a home that was taken away and made again.
    ;(await listen(file, 'second')).publish()
    published.remove()
    expect(await (await fetchOver(file)('/')).text()).toBe('second')
  })

  it('says why where there can be none', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    expect(await listenAtSocket(createServer(), join(folder, 'file/host.sock'))).toEqual({
      problem: expect.stringMatching(/^The host cannot listen at \S+host\.sock \(.*\)\.$/),
    })
  })

  it.runIf(process.getuid?.() === 0)(
    '[V21] is not opened where another user has put it in a home of wide rights',
    async () => {
      const home = join(temporaryFolder(), 'home')
      mkdirSync(home, { mode: 0o777 })
      const file = join(home, 'host.sock')
      ;(await listen(file, 'theirs')).publish()
      chownSync(file, 4_711, 4_711)
      expect(() => connectToSocket(file)).toThrow('belongs to another user')
    },
  )
})
