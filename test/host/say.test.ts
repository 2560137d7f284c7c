/** A person speaks to an agent at work. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'
import { PERSON } from './run.fixture.ts'

const openHouse = houses()
const FLOW = `
  steps:
    build: { agent: dev, options: { ready: sign, stuck: abandoned } }
    sign: { decide: Ship?, options: { yes: done, again: { to: build, max: 1, then: abandoned } } }
`
const waits = { run: 'while ! test -f ../released; do sleep 0.05; done' }
const READY = { answer: { decision: 'ready' }, via: 'mcp' } as const

it.concurrent('[M5] is told when its turn ends, in its own session, and what it answers then counts', async () => {
  const house = await openHouse({
    runbook: FLOW,
    doors: true,
    plays: {
      'build#1': [
        [waits, READY],
        [{ write: { path: 'tabs.txt', text: 'tabs\n' } }, READY],
      ],
      build: [[READY]],
    },
  })
  const run = await house.start()
  await run.until('attempt.began')
  const course = house.host().course(PERSON)
  expect(await course.say(run.id, 'Use tabs, please.')).toEqual({ word: 'w1', to: ['dev'] })
  expect(run.prompts()).toHaveLength(1)
  writeFileSync(join(run.work.dir, '../released'), '')
  await run.question()
  expect(run.work.read('tabs.txt')).toBe('tabs\n')
  const [, told = ''] = run.prompts()
  expect(told).toMatch(
    /a person said something before that counted[\s\S]*## Said by a person\n\nFollow what is said here\.\n\n```word by person "alice"\nUse tabs, please\.\n```/,
  )
  expect(told).not.toContain('## Your task')
  const types = (await run.events()).map(({ type }) => type)
  expect(types.indexOf('word.said')).toBeLessThan(types.indexOf('answer.deferred'))
  expect(types.indexOf('answer.deferred')).toBeLessThan(types.indexOf('word.told'))
  expect(await run.all('session.opened')).toHaveLength(1)
  // At a person's step nobody hears it: the next agent does, with its brief.
  expect(await course.say(run.id, 'Shorter.')).toEqual({ word: 'w2', to: [] })
  await run.answer({ decision: 'again' })
  await run.until('question.opened', 2)
  expect(run.prompts().at(-1)).toMatch(/```word by person "alice"\nShorter\./)
  expect(run.prompts().at(-1)).not.toContain('Use tabs')
  await run.answer({ decision: 'yes' })
  expect(await run.end()).toBe('done')
  expect(await course.say(run.id, 'Late.')).toMatchObject({ code: 'ended' })
})

it.concurrent('[M5] is not lost with a host, whether its agent had been told or not', async () => {
  const house = await openHouse({
    runbook: FLOW,
    doors: true,
    plays: { build: [[{ hang: true }], [{ hang: true }]] },
  })
  const run = await house.start()
  await run.until('attempt.began')
  await house.host().course(PERSON).say(run.id, 'Use tabs, please.')
  await house.restart()
  await run.until('word.told')
  expect(run.prompts().at(-1)).toContain('Use tabs, please.')
  await house.restart()
  await run.until('agent.prompted', 3)
  expect(run.prompts().at(-1)).toContain('Use tabs, please.')
  expect(await run.all('word.told')).toHaveLength(1)
  await run.tell({ type: 'run.cancel', reason: '' })
})
