/** An agent that goes ahead of the person it asked: what was decided reaches it all the same, before its answer counts. */
import { expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { houses } from './host.fixture.ts'

const openHouse = houses()

const hasty = () =>
  openHouse({
    runbook: 'steps: { work: { agent: dev, options: { good: done, poor: abandoned } } }',
    plays: {
      work: [
        [
          { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } },
          { run: 'while [ ! -e .signalbox/run/answered ]; do sleep 0.05; done' },
          { answer: { decision: 'poor' }, via: 'file' },
          { write: { path: '.signalbox/run/ahead', text: '' } },
          { run: 'while [ ! -e .signalbox/run/go ]; do sleep 0.05; done' },
        ],
        [{ run: 'true' }, { answer: { decision: 'good' }, via: 'mcp' }],
      ],
    },
    doors: true,
  })

it.concurrent('[Q6] hears of the decision before its answer is taken', async () => {
  const run = await (await hasty()).start()
  await run.question()
  await run.answer('sqlite', { note: 'Not poorly, please.' })
  for (const name of ['answered', 'go']) run.work.write(`.signalbox/run/${name}`, '')
  expect(await run.end()).toBe('done')
  expect(run.prompts()[1]).toContain('Not poorly, please.')
  expect((await run.all('decision.acted')).map(({ question }) => question)).toEqual(['work#1.0?1'])
})

it.concurrent('[Q6] hears of it also where the host was away in between', async () => {
  const house = await hasty()
  const run = await house.start()
  await run.question()
  await run.answer('sqlite')
  run.work.write('.signalbox/run/answered', '')
  await expect.poll(() => run.work.has('.signalbox/run/ahead'), { timeout: 60_000 }).toBe(true)
  await house.restart(() => run.work.write('.signalbox/run/go', ''))
  expect(await run.end()).toBe('done')
  expect(run.prompts().filter((text) => text.includes('Picked: sqlite')).length).toBeGreaterThan(0)
  expect((await run.all('decision.acted')).map(({ question }) => question)).toEqual(['work#1.0?1'])
})
