/** A host that is there and does not answer is told from one that is not there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { homeAt } from '../../host/machine/home.ts'
import { acquireHostLock } from '../../journal/index.ts'
import { hostPresence, silentText } from './host-presence.ts'

/** Beyond what any machine numbers its processes with. */
const GONE = 2 ** 30

it('[J8] tells a host that does not answer, with its process, from none', async () => {
  const home = homeAt(mkdtempSync(join(tmpdir(), 'signalbox-home-')))
  onTestFinished(() => rmSync(home.dir, { recursive: true }))
  const environment = { home: home.dir }
  expect(await hostPresence(environment, 0)).toEqual({ is: 'absent' })

  const lock = acquireHostLock({ file: home.lock })
  expect(await hostPresence(environment, 0)).toEqual({ is: 'silent', pid: null })

  writeFileSync(home.door, JSON.stringify({ url: 'http://127.0.0.1:1', token: 't', pid: GONE }))
  expect(await hostPresence(environment, 0)).toEqual({ is: 'silent', pid: null })

  // It takes connections and says nothing, as one that was stopped does.
  const mute = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void mute.close())
  await new Promise((listening) => mute.once('listening', listening))
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
  writeFileSync(home.door, JSON.stringify({ url, token: 't', pid: process.pid }))
  const found = await hostPresence(environment, 0)
  expect(found).toEqual({ is: 'silent', pid: process.pid })
  expect(silentText({ is: 'silent', pid: process.pid })).toMatch(/does not answer.*kill -9 \d+.*signalbox up/)

  rmSync(home.door)
  lock?.release()
  expect(await hostPresence(environment, 0)).toEqual({ is: 'absent' })
})
