/** What an agent was paid for counts once and is not done again, whatever fails afterwards; and a flood drowns nobody. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import { until } from '../../until.fixture.ts'
import { placesWithoutGit } from '../workspace/workplaces.fixture.ts'
import type { Workplaces } from '../workspace/workplaces.ts'
import { BUILD, ENDED, hosting, staying } from './hosting.fixture.ts'

const failing = (collectWork: Workplaces['collectWork']): Workplaces => ({
  ...placesWithoutGit(),
  collectWork,
})

it('[K6] a bug after an agent has worked is the fault of its attempt at once, and no other is launched', async () => {
  const programs = staying()
  const workplaces = failing(() => Promise.reject(new TypeError('nobody thought of this')))
  const host = await hosting(BUILD, programs.open, { workplaces })
  const turn = await programs.turn(1)
  await host.door.report(host.token(), { decision: 'ready' })
  turn.end(ENDED)
  expect(await host.end()).toBe('abandoned')
  expect([host.requests.length, host.bugs.length]).toEqual([1, 1])
  const [fault] = (await host.events()).filter(({ type }) => type === 'member.faulted')
  expect(fault).toMatchObject({
    fault: 'failed',
    detail: expect.stringMatching(/while an agent was at work\. TypeError: nobody thought of this\n +at /),
  })
  await until(() => programs.closed.length === 1, 'the end of its program')
})

it('[K6] where even that cannot be written it is tried again, and still no other is launched', async () => {
  const programs = staying()
  const memory = createMemoryJournal()
  let failures = 3
  const journal: Journal = {
    ...memory,
    append: async (append) => {
      if (failures > 0 && append.events.some(({ type }) => type === 'member.faulted')) {
        failures--
        throw new Error('not now')
      }
      return memory.append(append)
    },
  }
  const workplaces = failing(() => Promise.reject(new Error('a bug')))
  const host = await hosting(BUILD, programs.open, { journal, workplaces })
  ;(await programs.turn(1)).end(ENDED)
  for (let left = 2; left >= 0; left--) {
    await until(() => failures === left, `failure ${3 - left}`)
    await until(() => host.clock.alarms() > 0, 'the next try')
    host.clock.advance(10_000)
  }
  expect(await host.end()).toBe('abandoned')
  expect(host.requests).toHaveLength(1)
})

it('[K6] a clock that is set back keeps nothing from being tried again', async () => {
  const programs = staying()
  let failures = 1
  const places = placesWithoutGit()
  const workplaces: Workplaces = {
    ...places,
    ensure: (loaded) => (failures-- > 0 ? Promise.reject(new Error('a bug')) : places.ensure(loaded)),
  }
  const host = await hosting(BUILD, programs.open, { workplaces })
  await until(() => host.bugs.length === 1 && host.clock.alarms() > 1, 'the pause')
  host.clock.jump(-3_600_000)
  expect(host.requests).toHaveLength(0)
  host.clock.advance(10_000)
  await programs.turn(1)
  expect(host.requests).toHaveLength(1)
})

it('[K6] what a full disk was in the way of is taken in again when there is room, and nothing is asked twice', async () => {
  const programs = staying()
  let failures = 3
  const places = placesWithoutGit()
  const workplaces = failing(async (work) => {
    if (failures-- > 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    return places.collectWork(work)
  })
  const host = await hosting(BUILD, programs.open, { workplaces })
  const turn = await programs.turn(1)
  await host.door.report(host.token(), { decision: 'ready' })
  turn.end(ENDED)
  for (let left = 2; left >= 0; left--) {
    await until(() => failures === left, `failure ${3 - left}`)
    await until(() => host.clock.alarms() > 0, 'the next try')
    host.clock.advance(1_000)
  }
  expect(await host.end()).toBe('done')
  expect([host.requests.length, programs.turns.length]).toEqual([1, 1])
})

it('[D20] an agent that goes round in circles is told once in the same session, then it is stalled', async () => {
  const programs = staying()
  const host = await hosting(BUILD.replace('agent: dev,', 'agent: dev, stuck: { calls: 3 },'), programs.open)
  const round = (): void => {
    for (const title of ['Read', 'Test', 'Read', 'Test', 'Read', 'Test'])
      host.requests[0]!.onUpdate({ kind: 'tool', id: title, title, status: 'completed', input: null })
    host.clock.advance(5_000)
  }
  await programs.turn(1)
  round()
  const second = await programs.turn(2)
  expect(second.text).toMatch(/^You have made the same 2 tool calls in turn, 3 times: Read, then Test\./)
  await until(() => host.clock.alarms() > 0, 'the watch')
  round()
  expect(await host.end()).toBe('abandoned')
  const events = await host.events()
  expect(events.filter(({ type }) => type === 'agent.prompted')).toHaveLength(2)
  expect(events.filter(({ type }) => type === 'attempt.began')).toHaveLength(1)
  expect(events.find(({ type }) => type === 'member.faulted')).toMatchObject({
    fault: 'stalled',
    detail: expect.stringContaining('it was told so before'),
  })
  expect(host.requests).toHaveLength(1)
})

it('[K6] [X10] a hundred thousand updates leave a short log, few events, and nothing to write afterwards', async () => {
  const programs = staying()
  const host = await hosting(BUILD, programs.open)
  const turn = await programs.turn(1)
  const { onUpdate } = host.requests[0]!
  for (let nth = 0; nth < 100_000; nth++) {
    onUpdate({
      kind: 'tool',
      id: 'one',
      title: 'Run',
      status: nth % 2 ? 'pending' : 'in_progress',
      input: nth,
    })
    if (nth % 10 === 0) onUpdate({ kind: 'usage', costUsd: 0.001, tokens: 1 })
    if (nth % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await host.door.report(host.token(), { decision: 'ready' })
  turn.end(ENDED)
  expect(await host.end()).toBe('done')
  await host.log.flush()
  expect(readFileSync(host.logFile, 'utf8').split('\n').length).toBeLessThan(10)
  expect((await host.load()).state.usage.tokens).toBe(10_000)
  expect((await host.events()).length).toBeLessThan(2_500)
})
