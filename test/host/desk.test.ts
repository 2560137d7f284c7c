/** What a person does at the one desk, and what becomes of it in runs with real agents. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PersonAnswer } from '../../src/host/inbox/decisions.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import type { DecisionRecord } from '../../src/model/decision-record.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON, questionsIn, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const WORK = 'steps: { work: { agent: dev, time: 10m, stall: 5m, options: { good: done, poor: abandoned } } }'
const raise = { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } } as const
const good = { answer: { decision: 'good' }, via: 'mcp' } as const

const desk = (house: House) => house.host().decisions(PERSON)
const pick = (key: string, over: Partial<PersonAnswer> = {}): PersonAnswer => ({
  pick: key,
  note: '',
  fields: {},
  edited: null,
  digest: null,
  together: false,
  ...over,
})

/** The decision of this run that was opened last. */
async function latest(house: House, run: RunInHouse): Promise<DecisionRecord> {
  await run.question()
  const page = await desk(house).list({ status: 'all', run: run.id, cursor: null, limit: 10 })
  if ('problem' in page) throw new Error(page.problem)
  const [row] = page.rows.toSorted((a, b) => b.openedAt - a.openedAt)
  const record = await desk(house).show(row!.id)
  if ('problem' in record) throw new Error(record.problem)
  return record
}

it.concurrent('[Q11] an answer that waits for an open turn can be taken back, and only the one that stands is delivered', async () => {
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [[raise, { wait: 4000 }, { say: 'I wait.' }], [good]] },
    doors: true,
  })
  const run = await house.start()
  const { id } = await latest(house, run)
  expect(await desk(house).answer(id, pick('redis'))).toMatchObject({ answered: [id] })
  expect(await desk(house).undo(id)).toMatchObject({ undone: [id] })
  expect(await desk(house).show(id)).toMatchObject({ status: 'open' })
  expect(await desk(house).answer(id, pick('sqlite', { edited: 'In memory.' }))).toMatchObject({
    answered: [id],
  })
  expect(await run.end()).toBe('done')
  expect(run.prompts()).toHaveLength(2)
  expect(run.prompts()[1]).toContain('Picked: sqlite')
  expect(run.prompts()[1]).toContain('as they changed it: In memory.')
  expect(await desk(house).undo(id)).toMatchObject({ code: 'too-late' })
  expect(await desk(house).show(id)).toMatchObject({ status: 'acted', edited: 'In memory.' })
})

it.concurrent('[Q28] [K1] an answer that is held reaches its agent when its time is over, also through a restart, and once', async () => {
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [[raise, { say: 'I wait.' }], [good]] },
    doors: true,
  })
  const run = await house.start()
  const { id } = await latest(house, run)
  expect(await desk(house).answer(id, pick('redis', { holdMs: 60_000 }))).toMatchObject({
    undoableUntil: expect.any(Number),
  })
  expect(await desk(house).undo(id)).toMatchObject({ undone: [id] })
  const held = await desk(house).answer(id, pick('sqlite', { holdMs: 60_000 }))
  if ('problem' in held) throw new Error(held.problem)
  const { undoableUntil } = held
  await house.restart()
  expect(await desk(house).show(id)).toMatchObject({ status: 'answered', pick: 'sqlite', undoableUntil })
  expect(run.prompts()).toHaveLength(1)
  house.clock.advance(60_000)
  expect(await run.end()).toBe('done')
  expect(run.prompts().filter((text) => text.includes('Picked: sqlite'))).toHaveLength(1)
  expect(await desk(house).undo(id)).toMatchObject({ code: 'too-late' })
})

it.concurrent('[Q8] [Q28] an agent that waits in its turn is told only then', async () => {
  const waiting = {
    tool: { name: 'wait_decision', arguments: { decision: 'work#1.0?1', seconds: 40 } },
  } as const
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [[raise, waiting, good]] },
    doors: true,
  })
  const run = await house.start()
  const { id } = await latest(house, run)
  await desk(house).answer(id, pick('redis', { holdMs: 5000 }))
  expect(await desk(house).undo(id)).toMatchObject({ undone: [id] })
  await desk(house).answer(id, pick('sqlite', { holdMs: 5000 }))
  house.clock.advance(5000)
  expect(await run.end()).toBe('done')
  expect(await desk(house).show(id)).toMatchObject({ pick: 'sqlite' })
})

const SIGN = `
steps:
  work: { agent: dev, next: sign }
  sign:
    decide: Ship?
    context: cat a.txt
    options: { ship: done, drop: abandoned }
`

it.concurrent('[Q13] what has changed since it was shown is shown again instead of being approved', async () => {
  const house = await openHouse({ runbook: SIGN, plays: { work: [[{ say: 'FINISHED' }]] } })
  const run = await house.start()
  const seen = await latest(house, run)
  expect(seen.shown.context).toEqual({ context: 'a' })
  writeFileSync(join(run.work.dir, 'a.txt'), 'something else\n')
  expect(await desk(house).answer(seen.id, pick('ship', { digest: seen.digest }))).toMatchObject({
    code: 'superseded',
    problem: expect.stringContaining('(context)'),
  })
  const now = await latest(house, run)
  expect(now.shown.context).toEqual({ context: 'something else' })
  expect(now.id).toBe(seen.id)
  expect(await desk(house).answer(seen.id, pick('ship', { digest: seen.digest }))).toMatchObject({
    code: 'superseded',
  })
  expect(await desk(house).answer(seen.id, pick('ship', { digest: now.digest }))).toMatchObject({
    answered: [seen.id],
  })
  expect(await run.end()).toBe('done')
})

it.concurrent('[Q11] an answer that ended a run can be taken back, and the run goes on', async () => {
  const house = await openHouse({ runbook: SIGN, plays: { work: [[{ say: 'FINISHED' }]] } })
  const run = await house.start()
  const { id } = await latest(house, run)
  await desk(house).answer(id, pick('drop'))
  expect(await run.end()).toBe('abandoned')
  expect(await desk(house).undo(id)).toMatchObject({ undone: [id] })
  expect((await run.question()).cause).toBe('step')
  await desk(house).answer(id, pick('ship'))
  expect((await run.until('run.ended', 2)).end).toBe('done')
})

it.concurrent('[Q16] an answer that cannot reach its agent is tried again, then lies with a person, who retries', async () => {
  let broken = false
  const house = await openHouse({
    runbook: WORK,
    plays: { 'work#2': [[good]], work: [[raise, { say: 'I wait.' }], [good]] },
    doors: true,
    programFor: (_use, scripted) => (broken ? { ...scripted, driver: 'acp', argv: ['false'] } : scripted),
  })
  const run = await house.start()
  const { id } = await latest(house, run)
  await house.restart()
  broken = true
  await desk(house).answer(id, pick('redis', { note: 'The fast one.' }))
  for (let nth = 1; nth <= 5; nth++) {
    await run.until('decision.undelivered', nth)
    house.clock.advance(600_000)
  }
  await run.until('decision.undelivered', 6)
  await eventually(async () => (await questionsIn(house.host(), run.id)).length).toBe(1)
  expect(await desk(house).show(id)).toMatchObject({ status: 'undeliverable', delivery: { failures: 6 } })
  const page = await desk(house).list({ status: 'undeliverable', cursor: null, limit: 5 })
  expect('rows' in page && page.rows.map((row) => row.id)).toEqual([id])
  broken = false
  expect(await desk(house).retry(id)).toEqual({ done: true })
  expect(await run.end()).toBe('done')
  // A fresh session is told what was decided.
  expect(run.prompts().at(-1)).toContain('Decided by a person before')
  expect(run.prompts().at(-1)).toContain('The fast one.')
  // Nothing is left in the inbox of what has been seen to.
  expect(await desk(house).list({ status: 'pending', cursor: null, limit: 5 })).toMatchObject({ rows: [] })
  expect(await desk(house).retry(id)).toMatchObject({ code: 'not-waiting' })
})

it.concurrent('[Q16] a client outside is resumed by the command it named, again if that fails', async () => {
  const house = await openHouse({ runbook: WORK })
  const note = join(house.home.dir, 'told.txt')
  const order = {
    payload: EXAMPLE_DECISION,
    asker: { agent: 'me', program: 'script', version: '', model: '' },
    door: 'cli',
    repo: house.repo.dir,
  } as const
  const script = `[ -e "$0.again" ] || { touch "$0.again"; echo broken >&2; exit 3; }; { echo "$SIGNALBOX_DECISION"; cat; } > "$0"`
  const resume = { argv: ['sh', '-c', script, note], cwd: house.repo.dir }
  const made = await desk(house).create({ ...order, resume })
  if ('problem' in made) throw new Error(made.problem)
  await desk(house).answer(made.id, pick('sqlite'))
  const failures = async (): Promise<number> => {
    const record = await desk(house).show(made.id)
    return 'delivery' in record ? record.delivery.failures : -1
  }
  await eventually(failures).toBe(1)
  house.clock.advance(2000)
  await eventually(() => existsSync(note) && readFileSync(note, 'utf8').includes('Picked')).toBe(true)
  expect(readFileSync(note, 'utf8')).toMatch(new RegExp(`^${made.id}\n`))
  await eventually(() => desk(house).show(made.id)).toMatchObject({ status: 'acted', did: 'ran sh' })
})
