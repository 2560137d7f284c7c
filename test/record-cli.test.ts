/** What `doctor` sees of somebody who was at the record, on a real home: each is told as what it is. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { openProject } from './runs.fixture.ts'

interface Finding {
  readonly about: string
  readonly state: string
  readonly text: string
}

describe('[J13] the doctor and a record that somebody changed', () => {
  it('tells each change as what it is, and what cannot be known', async () => {
    const project = openProject()
    for (let run = 0; run < 2; run++) expect((await project.run('run', 'fails')).code).toBe(1)
    const exported = join(project.repo, '..', 'export.jsonl')
    expect((await project.run('decision', 'export', '--out', exported)).code).toBe(0)
    const found = async (...more: string[]): Promise<Finding[]> =>
      (await project.json('doctor', ...more)) as Finding[]
    const bad = async (...more: string[]): Promise<string[]> =>
      (await found(...more)).flatMap(({ about, state, text }) =>
        state === 'bad' ? [`${about}: ${text}`] : [],
      )
    expect(await bad('--against', exported)).toEqual([])
    const well = (await found('--against', exported))
      .filter(({ state }) => state === 'good')
      .map(({ about }) => about)
    expect(well).toEqual(
      expect.arrayContaining(['hash chain', 'anchor', 'export', 'kept bytes', 'lists', 'record']),
    )

    const database = join(project.home, 'signalbox.db')
    const anchor = join(project.home, 'anchor.jsonl')
    const changed = async (...changes: string[]): Promise<string[]> => {
      copyFileSync(database, `${database}.whole`)
      const db = new DatabaseSync(database)
      for (const change of changes) db.exec(change)
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      db.close()
      const told = await bad('--against', exported)
      copyFileSync(`${database}.whole`, database)
      rmSync(`${database}-wal`, { force: true })
      rmSync(`${database}-shm`, { force: true })
      return told
    }
    const FIRST = '(SELECT min(id) FROM streams)'
    const CUT_HEAD = `UPDATE streams SET version = version - 1, (hash, last) = (SELECT hash, position FROM events WHERE stream = streams.id AND version = streams.version - 1) WHERE id = ${FIRST}`
    const cut = await changed(
      `DELETE FROM events WHERE stream = ${FIRST} AND version = (SELECT version FROM streams WHERE id = ${FIRST})`,
      CUT_HEAD,
    )
    expect(cut).toContainEqual(
      expect.stringMatching(/^anchor: run\/\w+ event \d+: Event \d+ is missing\. .* cut/),
    )
    expect(cut).toContainEqual(expect.stringMatching(/^export: run\/\w+ event \d+: /))
    expect(cut).not.toContainEqual(expect.stringMatching(/^hash chain/))
    expect(
      await changed(`DELETE FROM events WHERE stream = ${FIRST}`, `DELETE FROM streams WHERE id = ${FIRST}`),
    ).toContainEqual(expect.stringMatching(/^anchor: run\/\w+ event 1: The whole stream is missing/))
    expect(await changed(`UPDATE rows SET data = replace(data, 'abandoned', 'done')`)).toEqual([
      expect.stringMatching(/^lists: run \w+ is changed/),
    ])
    expect(await changed('DELETE FROM rows')).toEqual([expect.stringMatching(/^lists: run \w+ is missing/)])
    expect(await changed(`UPDATE blobs SET bytes = x'00' WHERE rowid = 1`)).toContainEqual(
      expect.stringMatching(/^kept bytes: 1 entry changed/),
    )
    const wayBack = await changed('UPDATE events SET previous = 0 WHERE version = 3')
    expect(wayBack).toContainEqual(
      expect.stringMatching(/^hash chain: run\/\w+ event 2: The way back.* --rebuild/),
    )
    expect(wayBack).toContainEqual(
      expect.stringMatching(/^lists: what they say of run\/\w+.* cannot be checked/),
    )
    expect(await changed('UPDATE streams SET last = 1')).toContainEqual(
      expect.stringMatching(/^hash chain: run\/\w+ event \d+: The way back/),
    )
    const emptied = await changed(
      'DELETE FROM blobs',
      `INSERT INTO rows (model, key, facet, rank, data) VALUES ('run', 'zzzz', 'ended', 1, 'no JSON')`,
    )
    expect(emptied).toContainEqual(
      expect.stringMatching(
        /^kept bytes: \d+ entr.* gone from the database, and not erased: \w{12}…, named by run\/\w+ event 1/,
      ),
    )
    expect(emptied).toContainEqual(
      expect.stringMatching(/^lists: what they say of run.* The program \w+… is not in/),
    )
    expect(emptied).toContainEqual(expect.stringMatching(/^lists: run zzzz is made up/))
    expect(
      await changed('DELETE FROM events', 'DELETE FROM streams', 'DELETE FROM rows', 'DELETE FROM blobs'),
    ).toContainEqual(
      expect.stringMatching(
        /^anchor: the database is another one, or was emptied: of 2 streams none is in it/,
      ),
    )

    const whole = readFileSync(anchor)
    truncateSync(anchor, whole.indexOf('\n') + 1)
    expect(await bad()).toEqual([
      expect.stringMatching(/^anchor: its end was cut off: it has 1 line, and had \d/),
    ])
    rmSync(anchor)
    expect(await bad()).toEqual([expect.stringMatching(/^anchor: the file is gone/)])
    writeFileSync(anchor, whole)
    expect(await bad()).toEqual([])
    const cannot = (await found()).find(({ about }) => about === 'record')
    expect(cannot?.text).toMatch(/leaves no trace on this machine/)
    rmSync(anchor)
    mkdirSync(anchor)
    expect(await bad()).toEqual([
      expect.stringMatching(/^anchor: .*anchor\.jsonl cannot be read: it is a folder/),
    ])
    rmSync(anchor, { recursive: true })
    writeFileSync(anchor, whole)
    for (const odd of ['{"record":{"heads":[]}}', '{"record":{"at":1,"heads":[7]}}', '{"record":null}']) {
      writeFileSync(exported, `${odd}\n`)
      expect(await bad('--against', exported)).toEqual([
        expect.stringMatching(/^export: .*export\.jsonl has a line about the record that no export has/),
      ])
    }
    writeFileSync(exported, '{"record":{"at":1,"heads":[]}}\n')
    expect(await found('--against', exported)).toContainEqual(
      expect.objectContaining({
        about: 'export',
        state: 'note',
        text: expect.stringMatching(/names no stream/),
      }),
    )
    writeFileSync(exported, 'nothing\n')
    expect(await bad('--against', exported)).toEqual([
      expect.stringMatching(/^export: .* is no export with heads/),
    ])
  })

  it('reports a missing journal when an export lists its streams', async () => {
    const project = openProject()
    await project.run('run', 'fails')
    const exported = join(project.repo, '..', 'export.jsonl')
    await project.run('decision', 'export', '--out', exported)
    rmSync(project.home, { recursive: true })
    const findings = async (file: string): Promise<unknown> => {
      const all = (await project.json('doctor', '--against', file)) as Finding[]
      return all.filter(({ about }) => about === 'export')
    }
    expect(await findings(exported)).toEqual([
      {
        about: 'export',
        state: 'bad',
        text: expect.stringMatching(/^no journal here; .* lists \d+ streams? on/),
      },
    ])
    expect(await findings(`${exported}.no`)).toMatchObject([
      { state: 'bad', text: expect.stringContaining('.no') },
    ])
  })
})
