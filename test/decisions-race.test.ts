/** Fifty people answer the same hundred decisions at once, each over a connection of their own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../src/host/machine/clock.ts'
import { homeAt } from '../src/host/machine/home.ts'
import { createOperations } from '../src/host/operations.ts'
import { openQuietHost } from '../src/host/quiet-host.fixture.ts'
import { programOf, startOf } from '../src/host/runs/runs.fixture.ts'
import { keysAt, secretsAt } from '../src/http/keys.fixture.ts'
import { startServer } from '../src/http/server.ts'
import { personalToken } from '../src/http/visitor.ts'
import { openSqliteJournal } from '../src/journal/index.ts'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import type { DecisionRecord } from '../src/model/decision-record.ts'

const CLIENTS = 50
const DECISIONS = 100
/** Of each decision; 1,000 answers in all. */
const CONTENDERS = 10

const STEP = 'steps: { sign: { decide: Ship it?, options: { sqlite: done, redis: abandoned } } }'
const AGENT = 'steps: { work: { agent: dev, options: { good: done, poor: abandoned } } }'

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const closing of closings.splice(0).toReversed()) await closing()
})

async function openDoor() {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-'))
  closings.push(() => rmSync(dir, { recursive: true, force: true }))
  const home = homeAt(dir)
  const journal = await openSqliteJournal({ file: home.database })
  closings.push(() => journal.close())
  const bugs: unknown[] = []
  const host = openQuietHost({ journal, home, clock: systemClock, onBug: (error) => bugs.push(error) })
  closings.push(() => expect(bugs).toEqual([]))
  closings.push(() => host.close())
  const compile = () => Promise.resolve({ problems: ['not here'] })
  const server = await startServer({
    operationsFor: (by) => createOperations({ host, now: () => systemClock.now(), by, compile }),
    keys: keysAt(home, { owner: 'alice', agents: host.agents, isListed: () => true }),
    version: '0',
    port: 0,
    mcp: { fetch: async () => new Response('none') },
  })
  if ('problem' in server) throw new Error(server.problem)
  closings.push(() => server.close())
  const secrets = secretsAt(home)
  const tokenFor = (name: string) =>
    personalToken({ name, endsAt: Date.now() + 3_600_000 }, secrets.ensure(name))
  return { host, url: server.url, tokenFor }
}

type Door = Awaited<ReturnType<typeof openDoor>>

/** Half of them in runs: asked by a step, and by an agent. */
async function raiseAll({ host }: Door): Promise<string[]> {
  const [step, agent] = [programOf(STEP), programOf(AGENT)]
  const desk = host.decisions({ kind: 'person', name: 'alice' })
  for (let nth = 0; nth < DECISIONS / 4; nth++) {
    await host.runs.begin({ program: step, start: startOf(`step-${nth}`) })
    await host.runs.begin({ program: agent, start: startOf(`agent-${nth}`) })
    const seat = { step: 'work', visit: 1, member: 0, attempt: 1 }
    await host.runs.execute(`agent-${nth}`, [
      { type: 'attempt.ask', at: 1, ...seat, payload: EXAMPLE_DECISION },
    ])
  }
  for (let nth = 0; nth < DECISIONS / 2; nth++)
    await desk.create({
      payload: EXAMPLE_DECISION,
      asker: { agent: `client ${nth}`, program: 'test', version: '', model: '' },
      door: 'http',
      resume: null,
      repo: '',
    })
  const page = await desk.list({ status: 'pending', cursor: null, limit: 500 })
  if ('problem' in page) throw new Error(page.problem)
  return page.rows.map(({ id }) => id)
}

interface Reply {
  readonly status: number
  readonly data: { readonly message?: string; readonly code?: string }
}

interface Client {
  readonly name: string
  answer(id: string, pick: string): Promise<Reply>
}

/** One connection, kept. */
function openClient({ url, tokenFor }: Door, name: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  closings.push(() => agent.destroy())
  const headers = {
    authorization: `Bearer ${tokenFor(name)}`,
    'content-type': 'application/json',
  }
  return {
    name,
    answer: (id, pick) =>
      new Promise((resolve, reject) => {
        const asked = request(
          `${url}/api/v1/decisions/${id}/answer`,
          { method: 'POST', agent, headers },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk
            })
            response.once('end', () =>
              resolve({ status: response.statusCode ?? 0, data: JSON.parse(text) as Reply['data'] }),
            )
          },
        )
        asked.once('error', reject)
        asked.end(JSON.stringify({ pick }))
      }),
  }
}

it('[Q3] 1,000 racing answers of 50 clients to 100 decisions have 100 winners, and every loser is told who won with what', async () => {
  const door = await openDoor()
  const ids = await raiseAll(door)
  expect(new Set(ids).size).toBe(DECISIONS)
  const clients = Array.from({ length: CLIENTS }, (_, index) => openClient(door, `person${index}`))
  const said: { readonly id: string; readonly name: string; readonly pick: string; readonly reply: Reply }[] =
    []
  // In each round everybody answers once, ten of them the same decision.
  const atOnce = CLIENTS / CONTENDERS
  for (let round = 0; round < DECISIONS / atOnce; round++)
    await Promise.all(
      clients.map(async (client, index) => {
        const id = ids[round * atOnce + ((index + round) % atOnce)]!
        const pick = (index >> 1) % 2 === 0 ? 'sqlite' : 'redis'
        said.push({ id, name: client.name, pick, reply: await client.answer(id, pick) })
      }),
    )
  expect(said).toHaveLength(DECISIONS * CONTENDERS)

  const winners = new Map(said.filter(({ reply }) => reply.status === 200).map((each) => [each.id, each]))
  expect(said.filter(({ reply }) => reply.status === 200)).toHaveLength(DECISIONS)
  expect(winners.size).toBe(DECISIONS)
  const desk = door.host.decisions({ kind: 'person', name: 'alice' })
  for (const id of ids) {
    const { name, pick } = winners.get(id)!
    const record = (await desk.show(id)) as DecisionRecord
    expect(record).toMatchObject({ status: 'answered', by: { kind: 'person', name }, pick })
    expect(record.stages.filter(({ status }) => status === 'answered')).toHaveLength(1)
    const losers = said.filter((each) => each.id === id && each.name !== name)
    expect(losers).toHaveLength(CONTENDERS - 1)
    for (const { reply } of losers)
      expect(reply).toEqual({
        status: 409,
        data: { code: 'already-answered', message: `${name} already answered this with ${pick}.` },
      })
  }
})
