import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openScratch } from './scratch.fixture.ts'

const scratch = openScratch()

it('a log has its room before it is written to, so that commits do not change its size', async () => {
  const log = `${scratch.file('journal.db')}-wal`
  const journal = await scratch.open('journal.db')
  const { size, blocks } = statSync(log)
  expect(size).toBe(8 * 1024 * 1024)
  // Room that is only promised would be taken at the commit.
  expect(blocks * 512).toBeGreaterThanOrEqual(size)
  for (let version = 0; version < 100; version++)
    await journal.append({
      stream: 'a',
      expected: version,
      events: [{ type: 'noted', at: version, data: {} }],
      tickets: [],
      retire: [],
      settle: null,
      rows: [],
    })
  expect(statSync(log).size).toBe(size)
  expect(await journal.verify()).toEqual([])
})
