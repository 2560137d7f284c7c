/** The door for MCP clients outside any run: a real host, a real client, and commands that are really run. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expect, it, onTestFinished } from 'vitest'
import type { Host } from '../src/host/host.ts'
import { createOperations, type Operations } from '../src/host/operations.ts'
import { openQuietHost } from '../src/host/quiet-host.fixture.ts'
import { openSqliteJournal } from '../src/journal/index.ts'
import { createOutsideServer } from '../src/mcp/outside.ts'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import type { DecisionRecord } from '../src/model/decision-record.ts'
import { type House, houses } from './host/host.fixture.ts'
import { eventually, PERSON } from './host/run.fixture.ts'

const openHouse = houses()
const ASK = 'steps: { ship: { decide: Ship it?, options: { yes: done, no: abandoned } } }'

const ANSWER = { pick: 'sqlite', note: 'Small.', fields: {}, edited: null, digest: null, together: false }

/** As a command that is not the host asks where there is none: opened, and not at work. */
async function openAsked(house: House) {
  const { home, clock } = house
  const journal = await openSqliteJournal({ file: home.database })
  const host = openQuietHost({
    journal,
    home,
    clock,
    onBug: (error) => {
      throw error
    },
  })
  return {
    host,
    close: async () => {
      await host.close()
      await journal.close()
    },
  }
}

async function outside(
  house: House,
  { remote = {}, host = house.host }: { readonly remote?: unknown; readonly host?: () => Host } = {},
) {
  const operations = (): Operations =>
    createOperations({
      host: host(),
      now: () => house.clock.now(),
      by: PERSON,
      compile: async () => ({ problems: ['not here'] }),
    })
  const server = createOutsideServer({
    version: '1',
    withOperations: (act) => act(operations(), { remote }),
    kinds: [{ name: 'tradeoff', hint: 'Two ways.', requires: ['costs'] }],
    repo: house.repo.dir,
    cwd: house.repo.dir,
  })
  const client = new Client({ name: 'cursor', version: '9.1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  await client.connect(theirs)
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const call = async (name: string, given: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...given } })
    return { isError: isError === true, text: content[0]?.type === 'text' ? content[0].text : '' }
  }
  const create = async (more: object = {}): Promise<string> => {
    const { text, isError } = await call('create_decision', { ...EXAMPLE_DECISION, ...more })
    expect([isError, text]).toEqual([false, expect.stringMatching(/^Decision \w{10} lies with a person/)])
    return /^Decision (\w+)/.exec(text)![1]!
  }
  const record = async (id: string) => (await operations().decisions.show(id)) as DecisionRecord
  return { client, call, create, record, decisions: operations().decisions }
}

it('[Q24] raises a decision in its own name, waits for it, and is seen to act on it', async () => {
  const house = await openHouse({ runbook: ASK })
  const { client, call, create, record, decisions } = await outside(house)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['create_decision', 'wait_decision', 'list_runs', 'read_run'])
  const id = await create()
  expect(await record(id)).toMatchObject({
    run: null,
    cause: 'outside',
    repo: house.repo.dir,
    asker: { agent: 'cursor', program: 'cursor', version: '9.1', model: '' },
    proof: { door: 'mcp', prompts: [], dictated: [] },
  })
  expect((await call('wait_decision', { decision: id, seconds: 0 })).text).toContain('is still open')
  const waiting = call('wait_decision', { decision: id, seconds: 30 })
  await decisions.answer(id, ANSWER)
  expect((await waiting).text).toContain('sqlite (SQLite file)')
  expect(await record(id)).toMatchObject({ status: 'delivered' })
  // Asking again is not acting.
  expect((await call('wait_decision', { decision: id, seconds: 0 })).text).toContain('Small.')
  expect(await record(id)).toMatchObject({ status: 'delivered' })
  await call('list_runs')
  expect(await record(id)).toMatchObject({ status: 'acted', did: 'called list_runs' })
})

it('[Q24] FIELD 17: finds an answer that came before it waited, also where nobody hosts', async () => {
  const house = await openHouse({ runbook: ASK })
  const { call, create, decisions } = await outside(house, { remote: null })
  const [first, second] = [await create(), await create({ headline: 'And the cache?' })]
  await decisions.answer(first, ANSWER)
  expect((await call('wait_decision', { decision: first })).text).toContain('sqlite (SQLite file)')
  const waiting = call('wait_decision', { decision: second, seconds: 30 })
  await decisions.answer(second, { ...ANSWER, pick: 'redis' })
  expect((await waiting).text).toContain('redis (Redis)')
})

it('[Q24] is resumed by the command it named, and [Q12] may put another in its place', async () => {
  const house = await openHouse({ runbook: ASK })
  const { create, record, decisions } = await outside(house)
  const command = ['sh', '-c', 'cat > "answer of $SIGNALBOX_DECISION.txt"']
  const old = await create()
  const id = await create({ supersedes: old, resume: { command, cwd: house.repo.dir } })
  expect(await record(old)).toMatchObject({ status: 'superseded', supersededBy: id })
  await decisions.answer(id, ANSWER)
  const file = join(house.repo.dir, `answer of ${id}.txt`)
  await eventually(() => existsSync(file)).toBe(true)
  await eventually(async () => (await record(id)).status).toBe('acted')
  expect(readFileSync(file, 'utf8')).toContain('Picked: sqlite (SQLite file)')
})

it('[Q24] raised while nobody hosts, has its command run and its deadline kept by the next host', async () => {
  const house = await openHouse({ runbook: ASK })
  let ids: readonly string[] = []
  await house.restart(async () => {
    const asked = await openAsked(house)
    const { create, decisions } = await outside(house, { remote: null, host: () => asked.host })
    const command = ['sh', '-c', 'cat > late.txt']
    ids = [
      await create({ resume: { command, cwd: house.repo.dir } }),
      await create({ headline: 'In time?', deadline: '1h' }),
    ]
    await decisions.answer(ids[0]!, ANSWER)
    await asked.close()
  })
  const { record } = await outside(house)
  await eventually(async () => (await record(ids[0]!)).status).toBe('acted')
  expect(readFileSync(join(house.repo.dir, 'late.txt'), 'utf8')).toContain('sqlite')
  house.clock.advance(3_600_000)
  await eventually(async () => (await record(ids[1]!)).status).toBe('expired')
})

it('[Q5] FIELD 10: says of a wrong call what is asked, what was given and what would be right', async () => {
  const { call } = await outside(await openHouse({ runbook: ASK }))
  const wrong = await call('create_decision', { headline: 'x', options: [] })
  expect(wrong.isError).toBe(true)
  for (const part of [
    '`options` must be a list of 2 to 6',
    '{"headline":"x","options":[]}',
    JSON.stringify(EXAMPLE_DECISION),
  ])
    expect(wrong.text).toContain(part)
  const resume = await call('create_decision', { ...EXAMPLE_DECISION, resume: { command: 'sh -c x' } })
  expect(resume.isError).toBe(true)
  expect(resume.text).toMatch(/`command` is a list of texts[\s\S]*sh -c x[\s\S]*"my-agent"/)
  expect((await call('create_decision', { ...EXAMPLE_DECISION, unknown: 1 })).isError).toBe(false)
  for (const given of [{}, { decision: 7 }, { decision: 'zzzz' }])
    expect((await call('wait_decision', given)).isError).toBe(true)
})

it('[A9] cannot answer, whatever it calls', async () => {
  const house = await openHouse({ runbook: ASK })
  const { call, create, record } = await outside(house)
  const run = await house.start()
  await run.question()
  const id = await create()
  for (const name of ['answer_decision', 'undo', 'act', 'constructor'])
    expect(await call(name, { decision: id, pick: 'sqlite' })).toMatchObject({ isError: true })
  expect(await record(id)).toMatchObject({ status: 'open' })
  const short = JSON.parse((await call('read_run', { run: run.id.slice(0, 4) })).text)
  expect(short).toMatchObject({ run: run.id, status: 'waiting', asks: [{ headline: 'Ship it?' }] })
  expect(JSON.stringify(short).length).toBeLessThan(1500)
  const read = JSON.parse((await call('read_run', { run: run.id.slice(0, 4), all: true })).text)
  expect(read).toMatchObject({ row: { run: run.id }, questions: [{ headline: 'Ship it?' }] })
  const question = read.questions[0].id
  expect(await call('wait_decision', { decision: question })).toMatchObject({ isError: true })
  await run.tell({ type: 'run.cancel', reason: '' })
})
