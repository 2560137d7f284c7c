import { expect, it } from 'vitest'
import { openChildren } from './child.fixture.ts'
import { acquireHostLock } from './host-lock.ts'
import { openScratch } from './scratch.fixture.ts'

const scratch = openScratch()
const start = openChildren()
const hasSpoken = (lines: readonly string[]) => lines.length > 0

it('[J8] gives the lock to one, until it is released', () => {
  const file = scratch.file('host.lock')
  const first = acquireHostLock({ file })
  expect(first).not.toBeNull()
  expect(acquireHostLock({ file })).toBeNull()
  first!.release()
  first!.release()
  const second = acquireHostLock({ file })
  expect(second).not.toBeNull()
  second!.release()
})

it('[J8] refuses another process, and gives way when that one holds it', async () => {
  const file = scratch.file('host.lock')
  const own = acquireHostLock({ file })
  const refused = start({ mode: 'lock', file })
  await refused.ended()
  expect(refused.lines).toEqual(['refused'])
  own!.release()
  const holder = start({ mode: 'lock', file })
  await holder.said(hasSpoken)
  expect(holder.lines).toEqual(['held'])
  expect(acquireHostLock({ file })).toBeNull()
})

it('[J8] is free again when its holder was killed', async () => {
  const file = scratch.file('host.lock')
  const holder = start({ mode: 'lock', file })
  await holder.said(hasSpoken)
  expect(acquireHostLock({ file })).toBeNull()
  await holder.kill()
  const own = acquireHostLock({ file })
  expect(own).not.toBeNull()
  own!.release()
})

it('says so when the file cannot be locked at all', () => {
  expect(() => acquireHostLock({ file: scratch.file('no-such-folder/host.lock') })).toThrow(
    /Cannot lock .*host\.lock: /,
  )
})
