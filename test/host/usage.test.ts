/** What agents cost, and what happens when there is no more to spend. */
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const HOUR_MS = 3_600_000

it.concurrent('[D7] a usage limit parks the agent until its reset and is no failure; then it goes on in its session', async () => {
  const house = await openHouse({
    runbook:
      'agents: { dev: { prime: { resume: echo welcome back } } }\nsteps: { work: { agent: dev, prompt: Do it, next: done } }',
    plays: { work: [[{ run: 'true' }, { limit: { text: 'Usage limit reached. Try again in 3 hours.' } }]] },
  })
  const run = await house.start()
  const parked = await run.until('attempt.parked')
  expect(parked.until - parked.at).toBeGreaterThan(2.9 * HOUR_MS)
  expect(parked.until - parked.at).toBeLessThan(3.1 * HOUR_MS)
  await eventually(() => house.running()).toEqual([])
  expect(await house.host().journal.row('run', run.id)).toMatchObject({
    data: { status: 'parked', waiting: 0 },
  })

  await house.restart()
  expect(run.prompts()).toHaveLength(1)
  house.rehearse({ work: [[{ say: 'FINISHED' }]] })
  house.clock.advance(3.1 * HOUR_MS)
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, true])
  expect(run.prompts()[1]).toContain('The usage limit has been reset. Go on where you were')
  expect(run.prompts()[1]).toContain('welcome back')
  expect(run.prompts()[1]).not.toContain('Do it')
})

it.concurrent('a limit that should be over already is not knocked at without a pause', async () => {
  const house = await openHouse({
    runbook: 'steps: { work: { agent: dev, next: done } }',
    plays: { work: [[{ limit: { text: 'Claude AI usage limit reached|1700000000' } }]] },
  })
  const run = await house.start()
  const { at, until } = await run.until('attempt.parked')
  expect(until - at).toBeGreaterThanOrEqual(30_000)
})

it.concurrent('a limit in money holds over steps and restarts, and a person may extend it', async () => {
  const spend = [{ usage: { costUsd: 0.6, tokens: 10 } }, { say: 'FINISHED' }] as const
  const house = await openHouse({
    runbook: `
      limits: { cost: 1 }
      steps:
        first: { agent: dev, next: pause }
        pause: { decide: Go on?, options: { go: second, stop: abandoned } }
        second: { agent: dev, next: third }
        third: { agent: dev, next: done }
    `,
    plays: { 'second#1': [[...spend, { hang: true }]], '': [[...spend]] },
  })
  const run = await house.start()
  await run.question()
  await house.restart()
  await run.answer({ decision: 'go' })
  expect(await run.until('member.faulted')).toMatchObject({ fault: 'over_budget', detail: '$1.20 of $1.00' })
  await run.tell({ type: 'run.extend', budget: 'cost', amount: 5, reason: 'worth it' })
  await run.answer(undefined, { extra: '@retry' })
  expect(await run.end()).toBe('done')
  expect((await house.host().runs.load(run.id))?.state.usage).toMatchObject({ tokens: 40 })
})

it.concurrent('a limit in tokens ends an agent in the middle of its turn', async () => {
  const house = await openHouse({
    runbook: `
      limits: { tokens: 100 }
      steps: { work: { agent: dev, next: done, on: { over_budget: abandoned } } }
    `,
    plays: { work: [[{ usage: { tokens: 80 } }, { usage: { tokens: 80 } }, { hang: true }]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.until('member.faulted')).detail).toBe('160 of 100 tokens')
  await eventually(() => house.running()).toEqual([])
})

it.concurrent('what has no price is shown as unpriced', async () => {
  const house = await openHouse({
    runbook: 'steps: { work: { agent: dev, next: done } }',
    programFor: (_, scripted) => ({ ...scripted, driver: 'acp', argv: [process.execPath, '-e', PRICELESS] }),
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const usage = { costUsd: 0, tokens: 80, unpriced: 80 }
  expect(await house.host().journal.row('run', run.id)).toMatchObject({ data: { usage } })
})

/** An agent that tells its tokens and no price. */
const PRICELESS = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const update = (update) => send({ method: 'session/update', params: { sessionId: 's', update } })
  const answers = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: 's' }),
    'session/prompt': () => {
      update({ sessionUpdate: 'usage_update', used: 80, size: 1000 })
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'FINISHED' } })
      return { stopReason: 'end_turn' }
    },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id !== undefined) send({ id, result: answers[method]?.() ?? {} })
  })
`
