import { lutimesSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { withLock } from './issue-lock.ts'

it('lets one in at a time, also where many wait for a lock that was left by somebody who died', async () => {
  for (let round = 0; round < 2; round++) {
    const folder = temporaryFolder()
    const lock = join(folder, 'issues.lock')
    writeFileSync(lock, 'of somebody who died')
    utimesSync(lock, new Date(0), new Date(0))
    let inside = 0
    let most = 0
    let done = 0
    await Promise.all(
      Array.from({ length: 12 }, () =>
        withLock(lock, async () => {
          most = Math.max(most, ++inside)
          await pause(1)
          inside--
          done++
        }),
      ),
    )
    expect([most, done, readdirSync(folder)]).toEqual([1, 12, []])
  }
})

it('takes a link that leads nowhere for what somebody left, and follows none', async () => {
  const folder = temporaryFolder()
  const lock = join(folder, 'issues.lock')
  symlinkSync(join(folder, 'nowhere'), lock)
  lutimesSync(lock, new Date(0), new Date(0))
  expect(await withLock(lock, async () => readdirSync(folder))).toEqual(['issues.lock'])
  expect(readdirSync(folder)).toEqual([])
})
