import { expect, it } from 'vitest'
import { appendOf, happened } from '../contract/subject.fixture.ts'
import { openChildren } from './child.fixture.ts'
import { openSqliteJournal } from './journal.ts'
import { openSqliteReader } from './reader.ts'
import { openScratch, sql } from './scratch.fixture.ts'

const scratch = openScratch()
const start = openChildren()

it('sees what another process commits, while it commits', async () => {
  const file = scratch.file('journal.db')
  const child = start({ mode: 'write', file })
  await child.said((lines) => lines.length >= 20)
  const reader = await openSqliteReader({ file })
  for (const line of child.lines.slice(0, 20)) await expectThere(line)
  const seen = child.lines.length
  await child.said((lines) => lines.length >= seen + 20)
  await expectThere(child.lines.at(-1)!)
  expect(await reader.verify()).toEqual([])
  await child.kill()
  expect(await reader.verify()).toEqual([])
  await reader.close()

  async function expectThere(line: string): Promise<void> {
    const [stream, version] = line.split(' ') as [string, string]
    expect((await reader.read(stream, 0)).length).toBeGreaterThanOrEqual(Number(version))
    expect((await reader.ticketsOf(stream)).length).toBeGreaterThanOrEqual(Number(version) / 2)
    expect(await reader.row('runs', stream)).toMatchObject({ facet: 'open' })
  }
})

it('reads everything a writer can, also when no writer is there', async () => {
  const journal = await scratch.open('journal.db')
  const row = { model: 'runs', key: 'a', facet: 'open', rank: 1, data: {} }
  await journal.append(appendOf({ stream: 'a', events: [happened('one')], rows: [row] }))
  const digest = await journal.keep(new Uint8Array([7]))
  const written = await journal.readAll(0, 9)
  await journal.close()
  const reader = await openSqliteReader({ file: scratch.file('journal.db') })
  expect(await reader.readAll(0, 9)).toEqual(written)
  expect(await reader.list({ model: 'runs', facet: null, before: null, limit: 9 })).toEqual([row])
  expect(await reader.keysWith('runs', 'a', 9)).toEqual(['a'])
  expect(await reader.count('runs', 'open')).toBe(1)
  expect([...(await reader.fetch(digest))!]).toEqual([7])
  await reader.close()
  await reader.close()
})

it('refuses a file that is missing, old or new', async () => {
  const file = scratch.file('journal.db')
  await expect(openSqliteReader({ file })).rejects.toThrow(`Cannot open the journal ${file}.`)
  await (await scratch.open('journal.db')).close()
  sql(file, 'PRAGMA user_version = 1')
  await expect(openSqliteReader({ file })).rejects.toThrow('has format 1, and this Signalbox reads format 4')
  sql(file, 'PRAGMA user_version = 9')
  await expect(openSqliteReader({ file })).rejects.toThrow('written by a newer Signalbox')
})

it.each(['no JSON', 'null'])(
  '[J9] leaves out of a list what is %s, says which, and gives full pages of the others',
  async (text) => {
    const journal = await scratch.open('journal.db')
    const rows = ['a', 'b', 'c', 'd'].map((key, rank) => ({
      model: 'runs',
      key,
      facet: 'open',
      rank,
      data: {},
    }))
    await journal.append(appendOf({ stream: 'a', events: [happened('one')], rows }))
    await journal.close()
    const file = scratch.file('journal.db')
    sql(file, `UPDATE rows SET data = '${text}' WHERE key IN ('b', 'd')`)
    const told: string[] = []
    const again = await openSqliteJournal({ file, onUnreadable: (sentence) => told.push(sentence) })
    const list = async (limit: number) =>
      (await again.list({ model: 'runs', facet: 'open', before: null, limit })).map(({ key }) => key)
    expect(await list(2)).toEqual(['c', 'a'])
    expect(await list(1)).toEqual(['c'])
    expect(told).toContainEqual(
      expect.stringMatching(/\(runs d\) .* cannot be read\. .*signalbox doctor --rebuild/),
    )
    await expect(again.row('runs', 'd')).rejects.toThrow(/signalbox doctor --rebuild/)
    await again.close()
  },
)

it('[J9] gives out every duty but the one that is no JSON, and says whose that is', async () => {
  const journal = await scratch.open('journal.db')
  const tickets = ['a1', 'a2'].map((id) => ({ id, stream: 'a', kind: 'do', dueAt: 0, data: {} }))
  await journal.append(appendOf({ stream: 'a', events: [happened('one')], tickets }))
  await journal.close()
  const file = scratch.file('journal.db')
  sql(file, "UPDATE tickets SET data = 'no JSON' WHERE id = 'a1'")
  const told: string[] = []
  const again = await openSqliteJournal({ file, onUnreadable: (sentence) => told.push(sentence) })
  const claims = await again.claim({ limit: 9, now: 1, leaseMs: 1_000, kinds: null })
  expect(claims.map(({ ticket }) => ticket.id)).toEqual(['a2'])
  expect(told).toEqual([expect.stringMatching(/duty of a .*cannot be read\. .*signalbox doctor --rebuild/)])
  await again.close()
})
