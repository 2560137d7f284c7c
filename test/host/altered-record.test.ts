/** Somebody changed bytes in the journal's store: nothing goes on with them. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import { fileTickets, ticketsUnlike } from '../../src/host/runs/tickets-unlike.ts'
import { fetchOver } from '../../src/http/socket-fetch.fixture.ts'
import { KeptBytesError } from '../../src/journal/index.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()

const SIGN_OFF = `
  steps:
    sign_off:
      decide: Ship it?
      options: { ship: { to: done }, drop: { to: abandoned } }
`

const post = (house: House, path: string, body: object): Promise<Response> =>
  fetchOver(house.home.socket)(`/api/v1${path}`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
  })

const HEADERS = { 'content-type': 'application/json' }

function replaceInStore(database: string, from: string, to: string): void {
  const db = new DatabaseSync(database)
  const changed = db
    .prepare(
      'UPDATE blobs SET bytes = CAST(replace(CAST(bytes AS TEXT), ?, ?) AS BLOB) WHERE instr(bytes, CAST(? AS BLOB))',
    )
    .run(from, to, from)
  db.close()
  expect(Number(changed.changes)).toBeGreaterThan(0)
}

it.concurrent('[J9] a run whose program was edited stands still, at every door', async () => {
  const house = await openHouse({
    doors: true,
    runbook: SIGN_OFF,
  })
  const run = await house.start()
  await run.question()
  const [row] = await house.host().journal.list({ model: 'decision', facet: null, before: null, limit: 1 })
  const before = await run.events()
  await house.restart(() => replaceInStore(house.home.database, '"done"', '"abandoned"'))
  await expect(house.host().runs.load(run.id)).rejects.toThrow(KeptBytesError)
  const answered = await post(house, `/decisions/${encodeURIComponent(row!.key)}/answer`, { pick: 'ship' })
  expect([answered.status, await answered.json()]).toEqual([
    409,
    { code: 'altered', message: expect.stringMatching(/was changed in the journal's store .* do not go on/) },
  ])
  expect(await run.events()).toEqual(before)
  house.bugs.length = 0
})

it.concurrent('[J9] a run whose events were edited stands still, and others go on', async () => {
  const house = await openHouse({
    doors: true,
    runbook: SIGN_OFF,
  })
  const [run, other] = [await house.start(), await house.start()]
  await Promise.all([run.question(), other.question()])
  const before = await run.events()
  await house.restart(() => {
    const db = new DatabaseSync(house.home.database)
    db.prepare(
      'UPDATE events SET data = replace(data, \'"at":\', \'"at":1\') WHERE version = 1 AND stream = (SELECT id FROM streams WHERE name = ?)',
    ).run(`run/${run.id}`)
    db.close()
  })
  await expect(house.host().runs.load(run.id)).rejects.toThrow(
    /Event 1: .* hash does not fit.* signalbox doctor/,
  )
  const cancelled = await post(house, `/runs/${run.id}/actions`, { kind: 'cancel' })
  expect([cancelled.status, await cancelled.json()]).toEqual([
    409,
    { code: 'altered', message: expect.stringContaining(`The record of run/${run.id} was changed`) },
  ])
  expect(await run.events()).toHaveLength(before.length)
  await other.answer({ decision: 'ship' })
  expect(await other.end()).toBe('done')
  house.bugs.length = 0
})

it.concurrent('[J9] [J5] runs that cannot be loaded are told so at every door, and an export goes on without them', async () => {
  const house = await openHouse({
    doors: true,
    runbook: SIGN_OFF,
  })
  const [lost, whole] = [await house.start(), await house.start()]
  await Promise.all([lost.question(), whole.question()])
  const rows = await house.host().journal.list({ model: 'decision', facet: null, before: null, limit: 9 })
  const idOf = (run: string): string => rows.find(({ data }) => (data as { run: string }).run === run)!.key
  await house.restart(() => {
    const db = new DatabaseSync(house.home.database)
    db.prepare('UPDATE streams SET last = 1 WHERE name = ?').run(`run/${lost.id}`)
    db.close()
  })
  const told = { code: 'altered', message: expect.stringMatching(/way back.*doctor --rebuild/) }
  for (const asked of [
    await fetchOver(house.home.socket)(`/api/v1/runs/${lost.id}`),
    await post(house, `/decisions/${idOf(lost.id)}/answer`, { pick: 'ship' }),
  ])
    expect([asked.status, await asked.json()]).toEqual([409, told])
  const lines = (await (await fetchOver(house.home.socket)('/api/v1/decisions/export')).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toHaveLength(2)
  expect(lines).toContainEqual({ leftOut: { decision: idOf(lost.id), problem: told.message } })
  expect(lines).toContainEqual(expect.objectContaining({ id: idOf(whole.id) }))
  house.bugs.length = 0
})

it.concurrent('[J6] duties whose tickets somebody took, moved or made up are told, and filed anew from the events', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        sign_off:
          decide: Ship it?
          deadline: { expire: 3h }
          options: { ship: { to: done }, drop: { to: abandoned } }
          on: { expired: abandoned }
    `,
  })
  const run = await house.start()
  await run.question()
  const journal = () => house.host().journal
  const unlike = () => ticketsUnlike(journal(), house.clock.now())
  const [ticket] = await journal().ticketsOf(`run/${run.id}`)
  expect(ticket?.kind).toBe('wait-until')
  expect(await unlike()).toEqual([])
  const changed = async (sql: string): Promise<void> => {
    await house.restart(() => {
      const db = new DatabaseSync(house.home.database)
      db.exec(sql)
      db.close()
    })
  }
  await changed('DELETE FROM tickets')
  expect(await unlike()).toMatchObject([{ stream: `run/${run.id}`, missing: [ticket], odd: [] }])
  expect(await fileTickets(journal(), house.clock.now())).toBe(1)
  expect(await unlike()).toEqual([])
  await changed('UPDATE tickets SET due_at = 32503680000000')
  expect(await unlike()).toMatchObject([{ missing: [ticket], odd: [ticket!.id] }])
  await fileTickets(journal(), house.clock.now())
  expect(await journal().ticketsOf(`run/${run.id}`)).toEqual([ticket])
  await changed("INSERT INTO tickets SELECT stream, 'made-up', kind, due_at, data FROM tickets")
  expect(await unlike()).toMatchObject([{ missing: [], odd: ['made-up'] }])
  await fileTickets(journal(), house.clock.now())
  expect(await unlike()).toEqual([])
  await changed("UPDATE tickets SET data = 'no JSON'")
  expect(await unlike()).toMatchObject([{ missing: [ticket], odd: [ticket!.id] }])
  await fileTickets(journal(), house.clock.now())
  expect(await journal().ticketsOf(`run/${run.id}`)).toEqual([ticket])
  house.clock.advance(4 * 60 * 60_000)
  expect(await run.end()).toBe('abandoned')
})

it.concurrent('[J6] an answer outside of runs that nobody delivers, because somebody took its ticket, is told and filed anew', async () => {
  const house = await openHouse({ runbook: SIGN_OFF })
  const desk = () => house.host().decisions({ kind: 'person', name: 'alice' })
  const made = await desk().create({
    payload: EXAMPLE_DECISION,
    asker: { agent: 'claude', program: '', version: '', model: '' },
    door: 'cli',
    resume: { argv: ['sh', '-c', `cat > ${house.ground}/told`], cwd: house.ground },
    repo: '',
  })
  if ('problem' in made) throw new Error(made.problem)
  const given = { note: '', fields: {}, edited: null, digest: null, together: false, holdMs: 60_000 }
  const answered = await desk().answer(made.id, { pick: EXAMPLE_DECISION.options[0]!.key, ...given })
  expect(answered).toMatchObject({ answered: [made.id] })
  const journal = () => house.host().journal
  const stream = `decision/${made.id}`
  const [ticket] = await journal().ticketsOf(stream)
  await house.restart(() => {
    const db = new DatabaseSync(house.home.database)
    db.exec('DELETE FROM tickets')
    db.close()
  })
  expect(await ticketsUnlike(journal(), house.clock.now())).toMatchObject([
    { stream, missing: [ticket], odd: [] },
  ])
  expect(await fileTickets(journal(), house.clock.now())).toBe(1)
  house.clock.advance(60_000)
  await eventually(() => existsSync(`${house.ground}/told`)).toBe(true)
})

it.concurrent('[J9] an answer that was edited in the store is a fault of its step, and not an answer', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        review:
          agent: dev
          asks: verdict
          options: { approve: { to: done }, reject: { to: abandoned } }
          on: { failed: stopped }
      ends: { stopped: { success: false } }
    `,
    plays: {
      review: [[{ tool: { name: 'report_outcome', arguments: { verdict: 'reject' } } }, { hang: true }]],
    },
    doors: true,
  })
  const run = await house.start()
  await run.until('answer.reported')
  await house.restart(() =>
    replaceInStore(house.home.database, '{"verdict":"reject"}', '{"verdict":"approve"}'),
  )
  expect(await run.end()).toBe('stopped')
  expect((await run.all('member.faulted')).at(-1)?.detail).toMatch(/is not what was kept there/)
  await eventually(() => house.bugs.length).toBe(1)
  house.bugs.length = 0
})
