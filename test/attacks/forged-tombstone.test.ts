/**
 * Somebody with the database alone changes what was said, and puts a tombstone beside it that makes it pass for erased: the
 * chain fits, the heads fit. The anchor, which hears of each erasure before it is done, does not.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { recordLine } from '../../src/cli/doctor/exported-heads.ts'
import { recordFindings } from '../../src/cli/doctor/record-findings.ts'
import { homeAt } from '../../src/host/machine/home.ts'
import { CHAIN_START, chainHash } from '../../src/journal/chain.ts'
import { appendOf, happened } from '../../src/journal/contract/subject.fixture.ts'
import { textDigest } from '../../src/journal/erasure.ts'
import { type Journal, openAnchor, openSqliteJournal, openSqliteReader } from '../../src/journal/index.ts'

function openRecord() {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-forged-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const home = homeAt(dir)
  const exported = join(dir, 'export.jsonl')
  /** As a host does: everything is written down when it ends. */
  const host = async (work: (journal: Journal) => Promise<unknown>): Promise<void> => {
    const journal = await openSqliteJournal({ file: home.database })
    const anchor = openAnchor({
      file: home.anchor,
      journal,
      now: () => 7,
      since: 'crash',
      onFailure: (error) => {
        throw error
      },
    })
    await work(journal)
    await anchor.close()
    await journal.close()
  }
  const keepExport = (journal: Journal) => async (): Promise<void> => {
    const [heads, anchor] = [await journal.heads(0), await journal.anchorNote()]
    await writeFile(exported, `${JSON.stringify(recordLine({ at: 8, anchor, heads }))}\n`)
  }
  const told = async (against: string | null = null): Promise<string[]> => {
    const reader = await openSqliteReader({ file: home.database })
    const found = await recordFindings(reader, { home, against })
    await reader.close()
    return found
      .filter(({ about, state }) => state === 'bad' || about === 'export')
      .map(({ about, state, text }) => `${state} ${about}: ${text}`)
  }
  return { home, exported, host, keepExport, told }
}

const ERASE = {
  at: 9,
  streams: [],
  edit: {
    text: (text: string) => (text.includes('hunter2') ? text.replaceAll('hunter2', '[erased]') : null),
    bytes: () => null,
  },
  project: async () => [],
  note: {
    what: 'text',
    by: { kind: 'person', name: 'alice' },
    reason: '',
    runs: [],
    files: 0,
    changedReplay: [],
  },
}

const said = (text: string) => [happened('answer.given', { text }), happened('done')]

/** What sqlite3 and a calculator are enough for. */
function forge(file: string, erasure: object): void {
  const db = new DatabaseSync(file)
  const body = { stream: 'erasures', version: 1, type: 'erased', at: 5, text: JSON.stringify(erasure) }
  const hash = chainHash(CHAIN_START, body)
  const { position } = db.prepare('SELECT max(position) + 1 AS position FROM events').get() as {
    position: number
  }
  const { id } = db.prepare('SELECT max(id) + 1 AS id FROM streams').get() as { id: number }
  db.prepare('INSERT INTO streams (id, name, version, hash, last) VALUES (?, ?, 1, ?, ?)').run(
    id,
    'erasures',
    hash,
    position,
  )
  db.prepare('INSERT INTO events VALUES (?, ?, 1, ?, 5, ?, ?, 0)').run(
    position,
    id,
    'erased',
    body.text,
    hash,
  )
  db.close()
}

function editDone(file: string): void {
  const db = new DatabaseSync(file)
  const row = db.prepare("SELECT hash, data FROM events WHERE data LIKE '%ship it%'").get() as {
    hash: string
    data: string
  }
  const text = row.data.replace('ship it', 'drop it')
  db.prepare('UPDATE events SET data = ? WHERE hash = ?').run(text, row.hash)
  db.close()
  const event = { stream: 'a', version: 1, hash: row.hash, now: textDigest(text) }
  forge(file, { events: [event], streams: [], bytes: [], note: ERASE.note })
}

it('[J13] a tombstone that nobody ordered does not excuse an edit, also once a host has been there', async ({
  task,
}) => {
  const { home, exported, host, keepExport, told } = openRecord()
  await host((journal) => journal.append(appendOf({ stream: 'a', events: said('ship it') })))
  await host((journal) => keepExport(journal)())
  expect(await told(exported)).toEqual([expect.stringMatching(/^good export: all that was there/)])
  editDone(home.database)
  task.meta.deeds = 1
  const forged =
    /^bad anchor: erasures event 1: this tombstone .* was not ordered .* tampered with: a event 1$/
  const since = /^note export: .* a event 1 was changed by an erasure of 1970-.* by alice/
  expect(await told(exported)).toEqual([expect.stringMatching(forged), expect.stringMatching(since)])
  // The next host writes down where all streams end, this one among them.
  await host((journal) => journal.append(appendOf({ stream: 'b', events: said('more') })))
  expect(await told(exported)).toEqual([expect.stringMatching(forged), expect.stringMatching(since)])
  // Nor do those that were ordered make room for it.
  await host(async (journal) => {
    await journal.append(appendOf({ stream: 'c', events: said('hunter2') }))
    await journal.erase(ERASE)
  })
  expect(await told()).toEqual([expect.stringMatching(forged)])
})

it('[J13] a tombstone that nobody ordered does not excuse a stream that is gone', async ({ task }) => {
  const { home, exported, host, keepExport, told } = openRecord()
  await host(async (journal) => {
    await journal.append(appendOf({ stream: 'a', events: said('ship it') }))
    await journal.append(appendOf({ stream: 'b', events: said('stay') }))
  })
  await host((journal) => keepExport(journal)())
  const db = new DatabaseSync(home.database)
  const { hash } = db.prepare("SELECT hash FROM streams WHERE name = 'a'").get() as { hash: string }
  db.exec("DELETE FROM events WHERE stream = (SELECT id FROM streams WHERE name = 'a')")
  db.exec("DELETE FROM streams WHERE name = 'a'")
  db.close()
  forge(home.database, { events: [], streams: [{ stream: 'a', version: 2, hash }], bytes: [], note: null })
  task.meta.deeds = 1
  expect(await told(exported)).toEqual([
    expect.stringMatching(/^bad anchor: erasures event 1: .* not ordered .* a as a whole$/),
    expect.stringMatching(/^note export: .* a was taken away by an erasure of .* by nobody who is named/),
  ])
})

it('[J13] what was ordered is told as that, and an anchor that was rewritten does not fit an older export', async ({
  task,
}) => {
  const { home, exported, host, keepExport, told } = openRecord()
  await host((journal) => journal.append(appendOf({ stream: 'a', events: said('hunter2') })))
  await host((journal) => keepExport(journal)())
  await host((journal) => journal.erase(ERASE))
  expect(await told(exported)).toEqual([
    expect.stringMatching(/^note export: .* a event 1 was changed by an erasure of .* by alice/),
  ])
  await host((journal) => keepExport(journal)())
  expect(await told(exported)).toEqual([expect.stringMatching(/^good export/)])
  // Database and anchor alike: only what is kept elsewhere knows.
  rmSync(home.anchor)
  const db = new DatabaseSync(home.database)
  db.exec('DELETE FROM anchor')
  db.exec("DELETE FROM events WHERE stream = (SELECT id FROM streams WHERE name = 'erasures')")
  db.exec("DELETE FROM streams WHERE name = 'erasures'")
  db.close()
  await host((journal) => journal.append(appendOf({ stream: 'b', events: said('more') })))
  task.meta.deeds = 1
  expect(await told(exported)).toContainEqual(
    expect.stringMatching(
      /^bad export: the anchor was rewritten: line 3, its last on .* (is gone|is another)/,
    ),
  )
})
