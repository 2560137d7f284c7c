/** What goes with a decision, and what an order to erase is refused for; on a journal in memory. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { bytesDigest, createMemoryJournal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { openQuietHost } from '../quiet-host.fixture.ts'
import { ALICE, keepRuns, programOf } from '../runs/runs.fixture.ts'
import { raiseDecision } from '../session/raise.ts'
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
  return { journal, home, host, desk: host.decisions(ALICE) }
}

const NAMES = ['helper', 'signalbox']
it.each(NAMES)(
  '[J12] erases what %s asked outside of runs whole, once nobody is asked any more',
  async (agent) => {
    const { journal, host, desk } = open()
    const asker = { agent, program: 'helper-cli', version: '1', model: 'large' }
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
    expect(await journal.fetch(bytesDigest(Buffer.from(SAID)))).toBeNull()
    expect(await desk.show(made.id)).toMatchObject({ code: 'unknown-decision' })
    expect(JSON.stringify(await journal.readAll(0, 100))).not.toContain(EXAMPLE_DECISION.headline)
    expect(await journal.verify()).toEqual([])
    await host.close()
  },
)

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

const AGENT = 'steps: { make: { agent: maker, prompt: Make it., next: done } }'

async function asking() {
  const { journal, home, host, desk } = open()
  const { runs, begin } = keepRuns(programOf(AGENT), journal)
  const address = { step: 'make', visit: 1, member: 0, attempt: 1 }
  const raise = async (run: string, call: string): Promise<void> => {
    await begin(run)
    await runs.execute(run, [{ type: 'attempt.begin', at: 1, ...address, session: null }])
    const raised = await raiseDecision(
      { runs, journal, clock: createManualClock(2) },
      { run, address, payload: EXAMPLE_DECISION, door: 'mcp', call },
    )
    if (!('raised' in raised)) throw new Error(JSON.stringify(raised))
  }
  const ids = async (): Promise<string[]> =>
    (await journal.list({ model: 'decision', facet: null, before: null, limit: 9 })).map(({ key }) => key)
  const of = async (run: string): Promise<string> => {
    for (const id of await ids())
      if (((await journal.row('decision', id))!.data as { run: string }).run === run) return id
    throw new Error(`nothing is asked in ${run}`)
  }
  return { journal, home, host, desk, raise, of }
}

const ANSWER = { note: '', fields: {}, edited: null, digest: null, together: false }
const SAID = JSON.stringify(EXAMPLE_DECISION)

it('[J12] leaves what other decisions and worktrees say alone when it erases one of a run', async () => {
  const { journal, home, host, desk, raise, of } = await asking()
  await raise('first', `first ${SAID}`)
  await raise('second', `second ${SAID}`)
  const [first, second] = [await of('first'), await of('second')]
  const pending = await desk.show(second)
  const before = await journal.read('run/second', 0)
  const page = join(home.worktrees, 'repo-second', 'page.txt')
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, EXAMPLE_DECISION.context)
  await desk.answer(first, { ...ANSWER, pick: 'sqlite' })

  expect(await host.erase({ ...ORDER, decision: first }, ALICE)).toMatchObject({ done: true, files: [] })
  expect(JSON.stringify(await desk.show(first))).not.toContain(EXAMPLE_DECISION.context)
  expect(JSON.stringify(await journal.read('run/first', 0))).not.toContain(EXAMPLE_DECISION.context)
  expect(await desk.show(second)).toEqual(pending)
  expect(await journal.read('run/second', 0)).toEqual(before)
  expect(readFileSync(page, 'utf8')).toBe(EXAMPLE_DECISION.context)
  expect(await journal.verify()).toEqual([])
  await host.close()
})

it.each(NAMES)('[J12] keeps the bytes of a call that %s asked by as well', async (agent) => {
  const { journal, host, desk, raise, of } = await asking()
  await raise('first', SAID)
  const asker = { agent, program: '', version: '', model: '' }
  await desk.create({ payload: EXAMPLE_DECISION, asker, door: 'cli', resume: null, repo: '' })
  await desk.answer(await of('first'), { ...ANSWER, pick: 'sqlite' })
  expect(await host.erase({ ...ORDER, decision: await of('first') }, ALICE)).toMatchObject({
    bytes: 0,
    remains: [expect.stringMatching(/another question's or another run's as well/)],
  })
  expect(await journal.fetch(bytesDigest(Buffer.from(SAID)))).not.toBeNull()
  await host.close()
})

it('[J12] keeps the bytes of a call that another question came by as well, and says so', async () => {
  const { journal, host, desk, raise, of } = await asking()
  await raise('first', SAID)
  await raise('second', SAID)
  await desk.answer(await of('first'), { ...ANSWER, pick: 'sqlite' })
  expect(await host.erase({ ...ORDER, decision: await of('first') }, ALICE)).toMatchObject({
    done: true,
    bytes: 0,
    remains: [expect.stringMatching(/another question's or another run's as well/)],
  })
  expect(JSON.stringify(await desk.show(await of('second')))).toContain(EXAMPLE_DECISION.context)
  expect(await journal.alteredBytes()).toEqual([])
  await host.close()
})

it('[J12] says that what a step asks stands in the runbook', async () => {
  const { journal, host, desk } = open()
  const { begin } = keepRuns(programOf(DECIDE), journal)
  await begin('r1')
  const [row] = await journal.list({ model: 'decision', facet: null, before: null, limit: 1 })
  await desk.answer(row!.key, { ...ANSWER, pick: 'ship' })
  expect(await host.erase({ ...ORDER, decision: row!.key }, ALICE)).toMatchObject({
    done: false,
    remains: [expect.stringMatching(/stands in the runbook, at the step a,/)],
  })
  await host.close()
})

const DECIDE = 'steps: { a: { decide: Ship it now?, options: { ship: done, hold: abandoned } } }'

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
