import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StorageFailure } from '../../model/storage-failure.ts'
import type { Append, Journal, Ticket } from '../journal.ts'
import { acquireHostLock } from './host-lock.ts'
import { openSqliteJournal } from './journal.ts'
import { openScratch, sql } from './scratch.fixture.ts'
import { openSmallDisk, whyNoSmallDisk } from './small-disk.fixture.ts'

const scratch = openScratch()

it.skipIf(whyNoSmallDisk !== null)(
  `[J10] what a full disk does not take is not acknowledged, and can be asked again (${whyNoSmallDisk ?? 'a real one'})`,
  async () => {
    const disk = openSmallDisk({ megabytes: 2 })
    const file = join(disk.dir, 'journal.db')
    const journal = await openSqliteJournal({ file })
    await journal.append(noted('a', 0))
    disk.fill()
    const refused = await appendUntilRefused(journal, 1)
    expect(refused.error).toBeInstanceOf(StorageFailure)
    expect(refused.error).toMatchObject({
      code: 'cannot-write',
      message: expect.stringContaining('disk is full'),
    })
    expect(await journal.read('a', 0)).toHaveLength(refused.version)
    disk.empty()
    expect(await journal.append(noted('a', refused.version))).toMatchObject({ done: true })
    expect(await journal.verify()).toEqual([])
    await journal.close()
    const again = await openSqliteJournal({ file })
    expect(await again.read('a', 0)).toHaveLength(refused.version + 1)
    await again.close()
  },
)

it.skipIf(whyNoSmallDisk !== null)(
  `[J10] who would be the host on a full disk is told so, and may be later (${whyNoSmallDisk ?? 'a real one'})`,
  () => {
    const disk = openSmallDisk({ megabytes: 1 })
    const file = join(disk.dir, 'host.lock')
    acquireHostLock({ file })!.release()
    disk.fill()
    expect(() => acquireHostLock({ file })).toThrow(
      /^Nothing can be written to .*host\.lock: its disk is full\.$/,
    )
    disk.empty()
    acquireHostLock({ file })!.release()
  },
)

it('[J10] a file that another process writes to is no bug, and is waited for by asking again', async () => {
  const file = scratch.file('busy.db')
  const journal = await scratch.open('busy.db')
  await journal.append(noted('a', 0))
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  await expect(journal.append(noted('a', 1))).rejects.toMatchObject({
    code: 'cannot-write',
    message: `Nothing can be written to ${file}: another process is writing to it.`,
  })
  other.exec('ROLLBACK')
  other.close()
  expect(await journal.append(noted('a', 1))).toMatchObject({ done: true, version: 2 })
})

it.skipIf(whyNoSmallDisk !== null)(
  `[J10] a ticket is given back also where that cannot be written (${whyNoSmallDisk ?? 'a real one'})`,
  async () => {
    const disk = openSmallDisk({ megabytes: 2 })
    const journal = await openSqliteJournal({ file: join(disk.dir, 'journal.db') })
    await journal.append({ ...noted('a', 0), tickets: [ticket] })
    const [claim] = await journal.claim({ limit: 1, now: 10, leaseMs: 60_000, kinds: null })
    disk.fill()
    await appendUntilRefused(journal, 1)
    let told = 0
    journal.watch(() => told++)
    await journal.release(claim!, 20)
    expect(told).toBe(1)
    expect(await journal.nextDueAt()).toBe(20)
    expect(await journal.claim({ limit: 1, now: 20, leaseMs: 60_000, kinds: null })).toHaveLength(1)
    await journal.close()
  },
)

const taken: readonly { readonly how: string; readonly take: (dir: string) => void }[] = [
  { how: 'deleted', take: (dir) => rmSync(join(dir, 'journal.db')) },
  { how: 'deleted with all its folder', take: (dir) => rmSync(dir, { recursive: true }) },
  { how: 'moved with its folder', take: (dir) => renameSync(dir, `${dir}-elsewhere`) },
  {
    how: 'replaced',
    take: (dir) => {
      renameSync(join(dir, 'journal.db'), join(dir, 'old.db'))
      sql(join(dir, 'journal.db'), 'SELECT 1')
    },
  },
  { how: 'robbed of its log', take: (dir) => rmSync(join(dir, 'journal.db-wal')) },
  { how: 'robbed of the lock beside it', take: (dir) => rmSync(join(dir, 'host.lock')) },
]

it.each(taken)('[J11] a journal that was $how acknowledges nothing any more', async ({ take }) => {
  const dir = scratch.file('home')
  mkdirSync(dir)
  const lock = acquireHostLock({ file: join(dir, 'host.lock') })
  const journal = await openSqliteJournal({ file: join(dir, 'journal.db'), beside: [join(dir, 'host.lock')] })
  await journal.append(noted('a', 0))
  expect(journal.whyGone()).toBeNull()
  const heard: number[] = []
  journal.follow((events) => heard.push(events.length))
  take(dir)
  expect(journal.whyGone()).toMatch(/was deleted, moved or replaced/)
  await expect(journal.append(noted('a', 1))).rejects.toMatchObject({ code: 'home-gone' })
  await expect(journal.append(noted('b', 0))).rejects.toMatchObject({ code: 'home-gone' })
  await expect(journal.keep(new Uint8Array([1]))).rejects.toMatchObject({ code: 'home-gone' })
  expect(heard).toEqual([])
  await journal.close()
  lock!.release()
})

const ticket: Ticket = { id: 't', stream: 'a', kind: 'do', dueAt: 0, data: null }

const noted = (stream: string, expected: number): Append => ({
  stream,
  expected,
  events: [{ type: 'noted', at: 1, data: { text: 'x'.repeat(3_000) } }],
  tickets: [],
  retire: [],
  settle: null,
  rows: [],
})

async function appendUntilRefused(
  journal: Journal,
  from: number,
): Promise<{ readonly version: number; readonly error: unknown }> {
  for (let version = from; version < from + 2_000; version++)
    try {
      await journal.append(noted('a', version))
    } catch (error) {
      return { version, error }
    }
  throw new Error('the disk took it all')
}
