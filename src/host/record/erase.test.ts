/** What goes with a decision, and what an order to erase is refused for; on a journal in memory. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMemoryJournal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { openQuietHost } from '../quiet-host.fixture.ts'
import { ALICE } from '../runs/runs.fixture.ts'
import { asBoundUser, runsAsRoot } from '../workspace/bound-user.fixture.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { listTombstones } from './tombstones.ts'

const ORDER = { also: [], reason: 'private', dry: false }

function open(home = homeAt(temporaryFolder()), journal = createMemoryJournal()) {
  const host = openQuietHost({
    journal,
    home,
    clock: createManualClock(1000),
    onBug: (error) => {
      throw error
    },
  })
  return { journal, host, desk: host.decisions(ALICE) }
}

it('[J12] erases a decision outside of runs whole, once nobody is asked any more', async () => {
  const { journal, host, desk } = open()
  const asker = { agent: 'helper', program: 'helper-cli', version: '1', model: 'large' }
  const made = await desk.create({ payload: EXAMPLE_DECISION, asker, door: 'mcp', resume: null, repo: '' })
  if ('problem' in made) throw new Error(made.problem)
  const order = { ...ORDER, decision: made.id }
  expect(await host.erase(order, ALICE)).toMatchObject({ code: 'not-waiting' })
  await desk.withdraw(made.id, 'not needed')
  expect(await host.erase({ ...order, dry: true }, ALICE)).toMatchObject({
    done: false,
    streams: [`decision/${made.id}`],
  })
  expect(await host.erase(order, ALICE)).toMatchObject({ done: true })
  expect(await journal.read(`decision/${made.id}`, 0)).toEqual([])
  expect(await desk.show(made.id)).toMatchObject({ code: 'unknown-decision' })
  expect(JSON.stringify(await journal.readAll(0, 100))).not.toContain(EXAMPLE_DECISION.headline)
  expect(await journal.verify()).toEqual([])
  await host.close()
})

it.skipIf(!runsAsRoot)('[J12] tells what the erasing came to, and not what was seen before it', async () => {
  const home = homeAt(temporaryFolder())
  mkdirSync(home.logs)
  writeFileSync(join(home.logs, 'theirs'), 'a secret of ours')
  const { host, journal } = open(home)
  const order = { ...ORDER, text: 'secret of ours' }
  await asBoundUser([home.dir, home.logs, home.processes], async () => {
    expect(await host.erase(order, ALICE)).toMatchObject({
      done: false,
      files: [],
      remains: [expect.stringMatching(/theirs has it, and could not be overwritten/)],
    })
    writeFileSync(join(home.logs, 'ours'), 'a secret of ours', { mode: 0o400 })
    const files = [join(home.logs, 'ours'), join(home.logs, 'theirs')]
    const seen = await host.erase({ ...order, dry: true }, ALICE)
    expect('files' in seen && seen.files.toSorted()).toEqual(files)
    expect(await host.erase(order, ALICE)).toMatchObject({
      done: true,
      files: [files[0]],
      remains: [expect.stringMatching(/theirs has it, and could not be overwritten/)],
    })
    expect(readFileSync(files[0]!, 'utf8')).toBe('a **************')
  })
  expect(await listTombstones(journal)).toMatchObject([{ files: 1 }])
  await host.close()
})

it('[J12] erases what was written while it was at it', async () => {
  const home = homeAt(temporaryFolder())
  mkdirSync(home.logs)
  const said = ['before', 'meanwhile'].map((name) => join(home.logs, name))
  writeFileSync(said[0]!, 'a secret of ours')
  const journal = createMemoryJournal()
  const { host } = open(home, {
    ...journal,
    erase: (order) => {
      writeFileSync(said[1]!, 'a secret of ours')
      return journal.erase(order)
    },
  })
  expect(await host.erase({ ...ORDER, text: 'secret of ours' }, ALICE)).toMatchObject({
    done: true,
    files: said,
    remains: [],
  })
  expect(readFileSync(said[1]!, 'utf8')).toBe('a **************')
  await host.close()
})

it('[J12] is told what is to be erased, and not too little of it', async () => {
  const { host } = open()
  expect(await host.erase(ORDER, ALICE)).toMatchObject({
    code: 'bad-request',
    problem: expect.stringMatching(/Say what/),
  })
  expect(await host.erase({ ...ORDER, text: 'key' }, ALICE)).toMatchObject({ code: 'bad-request' })
  expect(await host.erase({ ...ORDER, text: 'sk-live', reason: 'sk-live leaked' }, ALICE)).toMatchObject({
    code: 'bad-request',
    problem: expect.stringMatching(/The reason has/),
  })
  expect(await host.erase({ ...ORDER, decision: 'none' }, ALICE)).toMatchObject({ code: 'unknown-decision' })
  expect(await host.erase({ ...ORDER, text: 'never said' }, ALICE)).toMatchObject({
    done: false,
    events: 0,
    files: [],
  })
  await host.close()
})
