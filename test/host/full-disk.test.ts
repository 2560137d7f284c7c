/** A disk that is full for a while, in the middle of anything: told in a sentence, and nothing needs anybody to go on. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fetchOver } from '../../src/http/socket-fetch.fixture.ts'
import { openSmallDisk, type SmallDisk, whyNoSmallDisk } from '../../src/journal/sqlite/small-disk.fixture.ts'
import { type House, type HouseOptions, houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const asked = it.skipIf(whyNoSmallDisk !== null)
const where = whyNoSmallDisk ?? 'on a real one'

const good = (via: 'mcp' | 'file') => ({ answer: { decision: 'good' }, via }) as const
const JUDGED = `
steps:
  judge: { agent: dev, options: { good: ship, poor: abandoned }, gate: "true", on: { else: abandoned } }
  ship: { check: "true", options: { pass: done, fail: abandoned }, on: { else: abandoned } }
`

const onSmallDisk = async (options: Omit<HouseOptions, 'runbook'>): Promise<[House, SmallDisk]> => {
  const disk = openSmallDisk({ megabytes: 7 })
  const house = await openHouse({ runbook: JUDGED, under: disk.dir, doors: true, ...options })
  return [house, disk]
}

/** Usage is told to the run at once, so that each of these is a write. */
const busy = { repeat: { times: 400, do: [{ usage: { tokens: 1_000 } }] } } as const

asked(
  `[K9] an agent whose word cannot be kept for a while is waited for, and its run goes on by itself (${where})`,
  async () => {
    const play = [busy, { write: { path: 'src/new.ts', text: '1\n' } }, { wait: 1_500 }, good('mcp')]
    const [house, disk] = await onSmallDisk({ plays: { judge: [play] } })
    const run = await house.start()
    await run.until('attempt.began')
    disk.fill()
    await eventually(() => house.saidOfDisk.length).toBe(1)
    const refusedAt = house.clock.now()
    const refused = await post(house, `/api/v1/runs/${run.id}/actions`, {
      kind: 'cancel',
      reason: 'x'.repeat(200),
    })
    expect(refused).toEqual({
      status: 503,
      body: { code: 'cannot-write', message: expect.stringContaining('its disk is full.') },
    })
    await eventually(() => house.clock.now() - refusedAt > 2_000).toBe(true)
    disk.empty()
    expect(await run.end()).toBe('done')
    // Its program met the full disk too, and was taken up again: it is still the same attempt.
    expect(await run.all('member.faulted')).toEqual([])
    expect((await run.all('visit.entered')).map(({ step }) => step)).toEqual(['judge.trial', 'judge', 'ship'])
    expect(house.saidOfDisk[0]).toMatch(
      /: its disk is full\. Everything waits, and goes on by itself when there is room\.$/,
    )
    expect(house.saidOfDisk.at(-1)).toMatch(/^What Signalbox keeps can be written again, after \d+ s\.$/)
    expect(await house.host().journal.verify()).toEqual([])
    await house.close()
  },
)

asked(`[K9] a worktree that cannot be made for a while is nobody’s failed attempt (${where})`, async () => {
  const [house, disk] = await onSmallDisk({ plays: { judge: [[good('file')]] } })
  // Started with room, so that there is something to do, and not a byte for it.
  const run = await house.start()
  disk.fill()
  await eventually(() => house.saidOfDisk.length > 0).toBe(true)
  disk.empty()
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
  await house.close()
})

asked(`[K9] a check that failed and left no room is asked again when there is some (${where})`, async () => {
  const disk = openSmallDisk({ megabytes: 7 })
  const tried = join(disk.dir, 'tried')
  const command = `test -e ${tried} || { touch ${tried}; head -c 20M /dev/zero > ${disk.dir}/ballast; exit 1; }`
  const runbook = `steps: { test: { check: "${command}", options: { pass: done, fail: abandoned } } }`
  const house = await openHouse({ runbook, under: disk.dir })
  const run = await house.start()
  await eventually(() => house.saidOfDisk.length > 0).toBe(true)
  disk.empty()
  expect(await run.end()).toBe('done')
  expect((await run.all('check.reported')).map(({ evidence }) => evidence.exitCode)).toEqual([0])
  await house.close()
})

asked(
  `[K9] a check that says so, with little room left, is asked again until there is more (${where})`,
  async () => {
    const disk = openSmallDisk({ megabytes: 30 })
    const count = join(disk.dir, 'count')
    // As a program does whose own writing gave back what it had taken.
    const command = `echo x >> ${count}; test $(wc -l < ${count}) -ge 8 || { echo 'ENOSPC: no space left on device, write'; exit 1; }`
    const runbook = `steps: { test: { check: "${command}", options: { pass: done, fail: abandoned } } }`
    const house = await openHouse({ runbook, under: disk.dir })
    const run = await house.start()
    expect(await run.end()).toBe('done')
    expect(house.saidOfDisk.join()).toContain('it seems: only')
    expect((await run.all('check.reported')).map(({ evidence }) => evidence.exitCode)).toEqual([0])
    await house.close()
  },
)

asked(
  `[K10] a home that was taken away is told of at the door, and nothing is acknowledged (${where})`,
  async () => {
    const [house] = await onSmallDisk({ plays: { judge: [[{ hang: true }]] } })
    const run = await house.start()
    await run.until('attempt.began')
    rmSync(house.home.database)
    const refused = await post(house, `/api/v1/runs/${run.id}/actions`, { kind: 'cancel', reason: 'x' })
    expect(refused).toEqual({
      status: 503,
      body: { code: 'home-gone', message: expect.stringMatching(/was deleted, moved or replaced/) },
    })
    await house.close()
  },
)

async function post(house: House, path: string, body: unknown) {
  const response = await fetchOver(house.home.socket)(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
