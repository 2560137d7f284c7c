/** The ways of real agents, played by a scripted one: what `test/agents` shows with the programs themselves. */
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const WORKS = 'steps: { work: { agent: dev, next: done, on: { failed: abandoned } } }'
const ASKS = 'steps: { work: { agent: dev, options: { good: done, poor: abandoned } } }'
const good = { answer: { decision: 'good' }, via: 'mcp' } as const

it.concurrent('[K2] an agent that ended while it waited for a person is gone on with when the answer comes', async () => {
  const raise = { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } }
  const house = await openHouse({
    runbook: ASKS,
    doors: true,
    plays: { work: [[raise, { say: 'I wait.' }], [good]] },
  })
  const run = await house.start()
  await run.question()
  await eventually(() => JSON.stringify(house.wire).includes('"stopReason"')).toBe(true)
  const pids = house.running().map((line) => Number.parseInt(line, 10))
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  // Not only dead, but known to be: what is told to one that has just died is the middle of its turn.
  await eventually(() => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  for (let round = 0; round < 3; round++) await setImmediate()
  await run.answer('sqlite')
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, true])
})

it.concurrent.each([
  'Ran into this error: Server error (500).\n\nPlease retry.',
  'API Error: 500 cold',
  'The model returned an empty response. Please resend your message to continue.',
])(
  '[D5] a model that is lost after a tool call is a fault where the end of the work is the answer: %s',
  async (text) => {
    const plays = { work: [[{ run: 'true' }, { say: text }]] }
    const run = await (await openHouse({ runbook: WORKS, plays })).start()
    expect(await run.end()).toBe('abandoned')
    expect((await run.until('member.faulted')).detail).toContain(text.slice(0, 20))
  },
)

it.concurrent('work that ends with a word about an error is done all the same', async () => {
  const plays = {
    work: [
      [{ run: 'true' }, { say: 'FINISHED: the handler is in place.\nError: messages are covered too.' }],
    ],
  }
  const run = await (await openHouse({ runbook: WORKS, plays })).start()
  expect(await run.end()).toBe('done')
})

it.concurrent.each([
  'mcp__signalbox__report_outcome',
  'signalbox: create decision',
  'signalbox__wait_decision',
])('[D8] nobody is asked whether an agent may use our own tools: %s', async (title) => {
  const asks = { permission: { title }, allowed: [{ say: 'FINISHED' }], rejected: [{ crash: 1 }] } as const
  const house = await openHouse({ runbook: WORKS, permissions: 'ask', plays: { work: [[asks]] } })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(await run.all('question.opened')).toEqual([])
})

it.concurrent('[D8] a command that only looks like one of them is asked about', async () => {
  const asks = {
    permission: { title: 'mcp__signalbox__report_outcome; rm -rf build' },
    allowed: [{ crash: 1 }],
    rejected: [{ say: 'FINISHED' }],
  } as const
  const run = await (
    await openHouse({ runbook: WORKS, permissions: 'ask', plays: { work: [[asks]] } })
  ).start()
  await run.question()
  await run.answer({ pick: 'reject_once' })
  expect(await run.end()).toBe('done')
})

const MODELLED = `
  agents: { dev: { model: 'big/model-1' } }
  steps: { work: { agent: dev, prompt: "Work with \${agent.model}.", next: done, on: { failed: abandoned } } }
`
const printing = (command: string) =>
  openHouse({
    runbook: MODELLED,
    programFor: (_, scripted) => ({
      ...scripted,
      driver: 'command',
      argv: ['/bin/sh', '-c', command, 'sh', '{model}'],
    }),
  })

it.concurrent('[D19] a command is told the model that its role works with, and the record says which', async () => {
  const house = await printing('cat > told.txt; echo "$1" >> told.txt; echo done')
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.work.read('told.txt')).toMatch(/Work with big\/model-1\.[\s\S]*\nbig\/model-1\n$/)
  expect(await run.all('session.opened')).toMatchObject([{ model: 'big/model-1' }])
})

it.concurrent('[D19] one that cannot be told is no start', async () => {
  const house = await openHouse({
    runbook: MODELLED,
    programFor: (_, scripted) => ({ ...scripted, name: 'mute', driver: 'command', argv: ['/bin/true'] }),
  })
  expect(await house.problems()).toEqual([
    'mute is to work with the model "big/model-1", and its command has no {model} to put it in.',
  ])
})
