/** One run or decision whose record somebody changed is its own matter: the host begins, and all others go on. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import type { PersonAnswer } from '../../src/host/inbox/decisions.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()

/** Edits the first event of a stream by hand. */
function alter({ home }: House, stream: string): void {
  const db = new DatabaseSync(home.database)
  const changed = db
    .prepare(
      'UPDATE events SET data = replace(data, \'"at":\', \'"at":1\') WHERE version = 1 AND stream = (SELECT id FROM streams WHERE name = ?)',
    )
    .run(stream)
  db.close()
  expect(Number(changed.changes)).toBe(1)
}

const ofRun = ({ id }: RunInHouse): string => `run/${id}`
const desk = (house: House) => house.host().decisions(PERSON)
const answer = (pick: string, over: Partial<PersonAnswer> = {}): PersonAnswer => ({
  ...{ pick, note: '', fields: {}, edited: null, digest: null, together: false },
  ...over,
})

/** Whatever was told was of this stream, and each thing once. */
function onlyTold(house: House, stream: string): void {
  const told = house.bugs.map((bug) => (bug as Error).message)
  expect(told).toEqual([expect.stringContaining(`The record of ${stream} was changed`)])
  house.bugs.length = 0
}

async function pendingIds(house: House): Promise<string[]> {
  const page = await desk(house).list({ status: 'pending', cursor: null, limit: 20 })
  if ('problem' in page) throw new Error(page.problem)
  return page.rows.map(({ id }) => id)
}

it.concurrent('[J9] the host begins, and new runs do, beside one that a person has taken over and somebody changed', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        serve: { check: 'test -n "\${run.port}"', options: { pass: wait, fail: abandoned } }
        wait: { decide: Ship it?, options: { ship: { to: done }, drop: { to: abandoned } } }
    `,
  })
  const [changed, other] = [await house.start(), await house.start()]
  await Promise.all([changed.question(), other.question()])
  for (const { id } of [changed, other])
    expect(await house.host().course(PERSON).take(id, 'let me')).toMatchObject({ run: id })
  await house.restart(() => alter(house, ofRun(changed)))
  const begun = await house.start()
  await begun.question()
  await begun.answer({ decision: 'ship' })
  expect(await begun.end()).toBe('done')
  expect(await house.host().course(PERSON).take(other.id, 'again')).toMatchObject({ run: other.id })
  onlyTold(house, ofRun(changed))
})

it.concurrent('[J9] what asks the same is answered and taken back together, but for the one that somebody changed', async () => {
  const house = await openHouse({
    runbook:
      'steps: { question: { decide: Ship it?, options: { ship: { to: rest }, drop: { to: abandoned } } }, rest: { decide: Sure?, options: { yes: { to: done }, no: { to: abandoned } } } }',
  })
  const runs = [await house.start(), await house.start(), await house.start()]
  for (const run of runs) await run.question()
  const [changed, ...others] = runs
  const ids = await pendingIds(house)
  const idOf = async (run: RunInHouse): Promise<string> => {
    const page = await desk(house).list({ status: 'all', run: run.id, cursor: null, limit: 1 })
    return 'problem' in page ? '' : page.rows[0]!.id
  }
  const lost = await idOf(changed!)
  expect(ids).toContain(lost)
  await house.restart(() => alter(house, ofRun(changed!)))
  const first = await idOf(others[0]!)
  const answered = await desk(house).answer(first, answer('ship', { together: true, holdMs: 60_000 }))
  expect(answered).toMatchObject({
    answered: expect.arrayContaining([first, await idOf(others[1]!)]),
    refused: [{ id: lost, problem: expect.stringContaining(`The record of ${ofRun(changed!)}`) }],
  })
  await house.restart(() => alter(house, ofRun(others[1]!)))
  const second = await idOf(others[1]!)
  expect(await desk(house).undo(first)).toEqual({
    undone: [first],
    late: [],
    refused: [{ id: second, problem: expect.stringContaining(`The record of ${ofRun(others[1]!)}`) }],
  })
  house.bugs.length = 0
})

it.concurrent('[J9] [A21] who waits for the day goes on when more is allowed, but for the one that somebody changed', async () => {
  const house = await openHouse({
    runbook: 'steps: { work: { agent: dev, next: more }, more: { agent: dev, next: done } }',
    plays: {
      work: [[{ usage: { costUsd: 6, tokens: 1 } }, { say: 'FINISHED' }]],
      more: [[{ usage: { costUsd: 1, tokens: 1 } }, { say: 'FINISHED' }]],
    },
    dayLimits: { costUsd: 5, tokens: null },
  })
  house.clock.advance(
    (new Date(house.clock.now()).setHours(12, 0, 0, 0) + 86_400_000 - house.clock.now()) % 86_400_000,
  )
  // Those that began last are looked at first.
  const [other, changed] = [await house.start(), await house.start()]
  await Promise.all([changed.until('attempt.parked'), other.until('attempt.parked')])
  await eventually(async () => (await pendingIds(house)).length).toBe(1)
  await house.restart(() => alter(house, ofRun(changed)))
  const [asked] = await pendingIds(house)
  expect(await desk(house).answer(asked!, answer('raise'))).toMatchObject({ answered: [asked] })
  expect(await other.end()).toBe('done')
  onlyTold(house, ofRun(changed))
})

it.concurrent('[J9] [A21] a question about the day that somebody changed is asked anew, and keeps nobody from beginning', async () => {
  const house = await openHouse({
    runbook: 'steps: { work: { agent: dev, next: more }, more: { agent: dev, next: done } }',
    plays: {
      work: [[{ usage: { costUsd: 6, tokens: 1 } }, { say: 'FINISHED' }]],
      more: [[{ say: 'FINISHED' }]],
    },
    dayLimits: { costUsd: 5, tokens: null },
  })
  house.clock.advance(
    (new Date(house.clock.now()).setHours(12, 0, 0, 0) + 86_400_000 - house.clock.now()) % 86_400_000,
  )
  const run = await house.start()
  await run.until('attempt.parked')
  await eventually(async () => (await pendingIds(house)).length).toBe(1)
  const [asked] = await pendingIds(house)
  await house.restart(() => alter(house, `decision/${asked}`))
  await eventually(async () => (await pendingIds(house)).length).toBe(2)
  const anew = (await pendingIds(house)).find((id) => id !== asked)!
  expect(await desk(house).answer(anew, answer('raise'))).toMatchObject({ answered: [anew] })
  expect(await run.end()).toBe('done')
  onlyTold(house, `decision/${asked}`)
})

it.concurrent('[J9] [J12] words that a program needs can be erased: its runs stand still, and say so, and others go on', async () => {
  const house = await openHouse({
    runbook:
      'steps: { sign: { decide: Ship it?, options: { ship: { to: done }, drop: { to: abandoned } } } }',
  })
  const run = await house.start()
  await run.question()
  const order = { reason: 'leaked', dry: false, also: [] }
  // What is left of the program is no JSON.
  expect(await house.host().erase({ ...order, text: '"kind":"decide"' }, PERSON)).toMatchObject({
    done: true,
  })
  await expect(house.host().runs.load(run.id)).rejects.toThrow(/words were erased that it needs/)
  await house.restart()
  // The same program is kept anew.
  const begun = await house.start()
  await begun.question()
  // An event of which nothing can be made any more.
  expect(await house.host().erase({ ...order, text: 'run.placed' }, PERSON)).toMatchObject({ done: true })
  await expect(house.host().runs.load(begun.id)).rejects.toThrow(/Nothing can be made of the record of run/)
  await house.restart()
  const last = await house.start()
  await last.question()
  await last.answer({ decision: 'ship' })
  expect(await last.end()).toBe('done')
  for (const bug of house.bugs) expect(bug).toMatchObject({ code: 'altered' })
  house.bugs.length = 0
})

it.concurrent('[J9] what somebody made no duty of keeps no other from being done', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        sign: { decide: Ship it?, options: { ship: { to: look }, drop: { to: abandoned } } }
        look: { check: "true", options: { pass: done, fail: abandoned } }
    `,
  })
  const runs = [await house.start(), await house.start(), await house.start()]
  for (const run of runs) await run.question()
  const [first, second, other] = runs as [RunInHouse, RunInHouse, RunInHouse]
  const change = (run: RunInHouse, data: string): void => {
    const db = new DatabaseSync(house.home.database)
    const insert = db.prepare(
      "INSERT INTO tickets (stream, id, kind, due_at, data) SELECT id, 'made up', 'run-check', 0, ? FROM streams WHERE name = ?",
    )
    insert.run(data, ofRun(run))
    db.close()
  }
  await house.restart(() => {
    change(first, 'null')
    change(second, '{}')
  })
  await eventually(async () => house.bugs.length).toBe(2)
  for (const run of [other, first, second]) await run.answer({ decision: 'ship' })
  for (const run of [other, first, second]) expect(await run.end()).toBe('done')
  for (const bug of house.bugs)
    expect(bug).toMatchObject({
      message: expect.stringMatching(/A duty of run.* is none\. .*doctor --rebuild/),
    })
  house.bugs.length = 0
})

it.concurrent('[J9] a line of the lists that says something else keeps no other from being listed, and no run from going on', async () => {
  const house = await openHouse({
    runbook: 'steps: { work: { agent: dev, next: more }, more: { agent: dev, next: done } }',
    plays: {
      work: [[{ usage: { costUsd: 1, tokens: 1 } }, { say: 'FINISHED' }]],
      more: [[{ usage: { costUsd: 1, tokens: 1 } }, { say: 'FINISHED' }]],
    },
    dayLimits: { costUsd: 50, tokens: null },
  })
  const changed = await house.start()
  expect(await changed.end()).toBe('done')
  const payload = EXAMPLE_DECISION
  const asker = { agent: 'claude', program: '', version: '', model: '' }
  const order = { payload, asker, door: 'cli', resume: null, repo: '' } as const
  const [one, other] = [await desk(house).create(order), await desk(house).create(order)]
  if ('problem' in one || 'problem' in other) throw new Error('they are asked')
  await house.restart(() => {
    const db = new DatabaseSync(house.home.database)
    for (const data of ['{}', '{"spent":7}', '[]'])
      db.prepare("UPDATE rows SET data = ? WHERE model = 'spending' AND key = ?").run(data, changed.id)
    db.prepare("UPDATE rows SET data = '{}' WHERE model = 'decision' AND key = ?").run(one.id)
    db.close()
  })
  expect(await pendingIds(house)).toEqual([other.id])
  const run = await house.start()
  expect(await run.end()).toBe('done')
})

it.concurrent('[J9] [J12] a run of which nothing can be made any more is listed still, and can be taken away', async () => {
  const house = await openHouse({
    runbook:
      'steps: { sign: { decide: Ship it?, options: { ship: { to: done }, drop: { to: abandoned } } } }',
  })
  const run = await house.start()
  await run.question()
  const [asked] = await pendingIds(house)
  const order = { reason: 'leaked', dry: false, also: [] }
  expect(await house.host().erase({ ...order, text: '"kind":"decide"' }, PERSON)).toMatchObject({
    done: true,
  })
  expect(await house.host().erase({ ...order, text: 'run.placed' }, PERSON)).toMatchObject({ done: true })
  await expect(house.host().runs.load(run.id)).rejects.toThrow(/words were erased that it needs/)
  const { journal } = house.host()
  expect(await journal.row('run', run.id)).toMatchObject({ facet: 'open' })
  expect(await pendingIds(house)).toEqual([asked])
  const all = { runs: [run.id], olderThanMs: null, states: null, unmerged: 'take', what: 'run' } as const
  const report = await house.host().prune({ ...all, reason: 'of no use', dry: false }, PERSON)
  expect(report).toMatchObject({ runs: [{ run: run.id }], kept: [] })
  expect(await journal.row('run', run.id)).toBeNull()
  expect(await pendingIds(house)).toEqual([])
  expect(existsSync(run.work.dir)).toBe(false)
  house.bugs.length = 0
})

it.concurrent('[J9] [J14] ended runs are pruned, but for the one that cannot be read, which says why', async () => {
  const house = await openHouse({
    runbook: 'steps: { look: { check: "true", options: { pass: done, fail: abandoned } } }',
  })
  const [changed, other] = [await house.start(), await house.start()]
  await Promise.all([changed.end(), other.end()])
  await house.restart(() => {
    const db = new DatabaseSync(house.home.database)
    db.prepare('UPDATE streams SET last = 1 WHERE name = ?').run(ofRun(changed))
    db.close()
  })
  const order = { runs: null, olderThanMs: null, states: null, unmerged: 'take', what: 'prune' } as const
  const report = await house.host().prune({ ...order, reason: 'room', dry: false }, PERSON)
  expect(report.runs.map(({ run }) => run)).toEqual([other.id])
  expect(report.kept).toEqual([{ run: changed.id, why: expect.stringMatching(/way back/) }])
  expect(await house.host().journal.read(ofRun(other), 0)).toEqual([])
  // Nor does it keep a text from being erased elsewhere.
  const erased = await house
    .host()
    .erase({ text: 'sk-live-123', reason: 'leaked', dry: true, also: [] }, PERSON)
  expect(erased).toMatchObject({ events: 0, remains: [expect.stringMatching(/way back/)] })
  house.bugs.length = 0
})

it.concurrent('[J9] [Q12] what was replaced while nobody hosted is closed, but for the one that somebody changed', async () => {
  const house = await openHouse({
    runbook:
      'steps: { question: { decide: Ship it?, options: { ship: { to: done }, drop: { to: abandoned } } } }',
  })
  const asker = { agent: 'claude', program: '', version: '', model: '' }
  const raise = async (supersedes?: string): Promise<string> => {
    const payload = { ...EXAMPLE_DECISION, ...(supersedes === undefined ? {} : { supersedes }) }
    const made = await desk(house).create({ payload, asker, door: 'cli', resume: null, repo: '' })
    if ('problem' in made) throw new Error(made.problem)
    return made.id
  }
  const [changed, other] = [await raise(), await raise()]
  const stand = [await raise(changed), await raise(other)]
  await house.restart(() => {
    // As it is when a host is killed between the two.
    const db = new DatabaseSync(house.home.database)
    for (const id of [changed, other]) {
      const stream = db.prepare('SELECT id FROM streams WHERE name = ?').get(`decision/${id}`) as {
        id: number
      }
      const [first] = db
        .prepare('SELECT position, hash FROM events WHERE stream = ? AND version = 1')
        .all(stream.id) as { position: number; hash: string }[]
      db.prepare('DELETE FROM events WHERE stream = ? AND version > 1').run(stream.id)
      db.prepare('UPDATE streams SET version = 1, hash = ?, last = ? WHERE id = ?').run(
        first!.hash,
        first!.position,
        stream.id,
      )
      db.prepare(
        "UPDATE rows SET facet = 'pending', data = replace(data, '\"superseded\"', '\"open\"') WHERE model = 'decision' AND key = ?",
      ).run(id)
    }
    db.close()
    alter(house, `decision/${changed}`)
  })
  expect(await desk(house).show(other)).toMatchObject({ status: 'superseded', supersededBy: stand[1] })
  onlyTold(house, `decision/${changed}`)
})
