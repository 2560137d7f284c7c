/** An agent that works on after it has asked a person. */
import { expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const flow = (after: string) => `
  steps:
    build: { agent: dev, after_asking: ${after}, options: { ready: done, stuck: abandoned } }
`
const asks = { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } } as const
const works = { run: 'echo more >> more.txt' } as const
const READY = { answer: { decision: 'ready' }, via: 'mcp' } as const

it.concurrent('[M9] has that recorded, and is let go on', async () => {
  const house = await openHouse({
    runbook: flow('go_on'),
    doors: true,
    plays: { build: [[asks, works], [READY]] },
  })
  const run = await house.start()
  expect(await run.until('decision.outrun')).toMatchObject({
    question: 'build#1.0?1',
    did: expect.stringContaining('more'),
  })
  const { book } = (await house.host().runs.load(run.id))!
  expect(book.records['build#1.0?1']).toMatchObject({ outran: [expect.stringContaining('more')] })
  await run.answer('redis')
  expect(await run.end()).toBe('done')
  expect(await run.all('session.opened')).toHaveLength(1)
})

it.concurrent('[M9] is ended where the runbook says so, and resumed with the answer', async () => {
  const house = await openHouse({
    runbook: flow('stop'),
    doors: true,
    plays: { build: [[asks, works, { hang: true }], [READY]] },
  })
  const run = await house.start()
  expect(await run.until('decision.outrun')).toMatchObject({ stopped: true })
  await eventually(() => house.running()).toEqual([])
  expect(await run.all('member.faulted')).toEqual([])
  await run.answer('redis')
  expect(await run.end()).toBe('done')
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, true])
})
