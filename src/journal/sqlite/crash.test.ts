import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { openChildren } from './child.fixture.ts'
import { openScratch } from './scratch.fixture.ts'

const scratch = openScratch()
const start = openChildren()

it('[J2] has every acknowledged append, whole, after a writer was killed at any moment', async () => {
  const file = scratch.file('journal.db')
  const acknowledged = new Map<string, number>()
  for (let kill = 0; kill < 10; kill++) {
    const child = start({ mode: 'write', file })
    const enough = randomInt(1, 400)
    await child.said((lines) => lines.length >= enough)
    await child.kill()
    for (const [stream, version] of child.lines
      .filter(isWhole)
      .map((line) => line.split(' ') as [string, string])) {
      acknowledged.set(stream, Math.max(acknowledged.get(stream) ?? 0, Number(version)))
    }
    const journal = await scratch.open('journal.db')
    expect(await journal.verify()).toEqual([])
    for (const [stream, version] of acknowledged) {
      const events = await journal.read(stream, 0)
      expect(events.length, `${stream} after kill ${kill}`).toBeGreaterThanOrEqual(version)
      expect(events.length % 2).toBe(0)
      expect(await journal.ticketsOf(stream)).toHaveLength(events.length / 2)
      expect(await journal.row('runs', stream)).toMatchObject({ data: { nth: events.length / 2 - 1 } })
    }
    await journal.close()
  }
})

it('rejects all appends of a commit for which there is no room, and stays true to its file', async () => {
  const file = scratch.file('full.db')
  const child = start({ mode: 'fill', file, limit: 'ulimit -f 400' })
  await child.ended()
  const [rejected, ...rest] = child.lines
  const version = Number(/^rejected 3 at (\d+)$/.exec(rejected!)?.[1])
  expect(version).toBeGreaterThan(0)
  expect(rest).toEqual([
    `lengths ${version},${version},${version}`,
    `head ${version}`,
    `tickets ${3 * version}`,
  ])
  const journal = await scratch.open('full.db')
  expect(await journal.read('a', 0)).toHaveLength(version)
  expect(await journal.verify()).toEqual([])
})

/** The last line may have been cut by the kill. */
const isWhole = (line: string): boolean => /^run\/\d \d+$/.test(line)
