/** Agents report what a session has used in all: what was counted before a restart is not counted again. */
import { expect, it } from 'vitest'
import { houses, type Turns } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const WORK = 'steps: { work: { agent: dev, next: more }, more: { agent: dev, next: done } }'
const spend = { usage: { costUsd: 0.5, tokens: 100 } }
const began = { run: 'echo . >> .signalbox/run/began' }

const interrupted = async (between: Turns) => {
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [[spend, began, { hang: true }]], more: [[spend, { say: 'FINISHED' }]] },
  })
  const run = await house.start()
  await eventually(() => run.work.has('.signalbox/run/began')).toBe(true)
  await run.until('usage.recorded')
  await house.restart(() => house.rehearse({ work: between, more: [[spend, { say: 'FINISHED' }]] }))
  expect(await run.end()).toBe('done')
  const usage = (await run.all('usage.recorded')).map(({ costUsd, tokens }) => [costUsd, tokens])
  return { house, run, usage }
}

it.concurrent('a resumed session is counted on from where it was, and the next one from nothing', async () => {
  const { house, run, usage } = await interrupted([[spend, { say: 'FINISHED' }]])
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, true, false])
  expect(usage).toEqual([
    [0.5, 100],
    [0.5, 100],
    [0.5, 100],
  ])
  expect((await house.host().runs.load(run.id))?.state.usage).toMatchObject({ costUsd: 1.5, tokens: 300 })
})

it.concurrent('a session that reports the same totals again has used nothing', async () => {
  const nothing = { usage: { costUsd: 0, tokens: 0 } }
  const { usage } = await interrupted([[nothing, { say: 'FINISHED' }]])
  expect(usage).toEqual([
    [0.5, 100],
    [0.5, 100],
  ])
})
