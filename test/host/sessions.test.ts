/** Conversations over restarts: gone on with, begun anew, never mixed up, and nothing left behind. */
import { readdirSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const TWO = `
  agents: { dev: { prime: { startup: echo first light, resume: echo second light } } }
  steps:
    plan: { agent: dev, prompt: Plan it, next: build }
    build: { agent: dev, prompt: Build it, options: { good: done, poor: abandoned } }
`
const good = { answer: { decision: 'good' }, via: 'file' } as const
const count = (file: string) => ({ run: `echo . >> .signalbox/run/${file}` })
const plan = [[count('planned'), { write: { path: 'plan.md', text: 'plan' } }]] as const

it.concurrent('[K2] is resumed and told of the interruption after a restart, and what is finished is not done again', async () => {
  const house = await openHouse({
    runbook: TWO,
    plays: { plan, build: [[count('built'), { spawn: 'sleep 300' }, { hang: true }]] },
  })
  const run = await house.start()
  await eventually(() => run.work.has('.signalbox/run/built')).toBe(true)
  await house.restart(() => {
    expect(house.running()).toEqual([])
    house.rehearse({ plan, build: [[count('built'), good]] })
  })
  expect(await run.end()).toBe('done')
  expect(run.work.read('.signalbox/run/planned')).toBe('.\n')
  const opened = await run.all('session.opened')
  expect(opened.map(({ step, resumed }) => [step, resumed])).toEqual([
    ['plan', false],
    ['build', false],
    ['build', true],
  ])
  expect(opened[2]?.session).toBe(opened[1]?.session)
  const [, first, again] = run.prompts()
  expect(first).toContain('first light')
  expect(again).toContain('Signalbox was stopped while you were at work')
  expect(again).toContain('second light')
  expect(again).not.toContain('first light')
})

it.concurrent('[A10] has not worked while no host was there', async () => {
  const limited =
    'steps: { build: { agent: dev, prompt: Build it, time: 10m, options: { good: done, poor: abandoned } } }'
  const house = await openHouse({ runbook: limited, plays: { build: [[count('built'), { hang: true }]] } })
  const run = await house.start()
  await eventually(() => run.work.has('.signalbox/run/built')).toBe(true)
  await house.restart(() => {
    house.clock.advance(10 * 3_600_000)
    house.rehearse({ build: [[count('built'), good]] })
  })
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
  const { at, since } = await run.until('attempt.resumed')
  expect(at - since).toBeGreaterThan(9 * 3_600_000)
})

it.concurrent('[A22] has neither worked nor been silent while the machine slept', async () => {
  const limited =
    'steps: { build: { agent: dev, prompt: Build it, time: 30m, stall: 10m, options: { good: done, poor: abandoned }, on: { stalled: done } } }'
  const house = await openHouse({ runbook: limited, plays: { build: [[count('built'), { hang: true }]] } })
  const run = await house.start()
  await eventually(() => JSON.stringify(house.wire).includes('"completed"')).toBe(true)
  house.clock.sleep(10 * 3_600_000)
  const { at, since } = await run.until('attempt.resumed')
  expect(at - since).toBe(10 * 3_600_000)
  house.clock.advance(9 * 60_000)
  expect(await run.all('member.faulted')).toEqual([])
  house.clock.advance(2 * 60_000)
  expect(await run.until('member.faulted')).toMatchObject({ fault: 'stalled' })
  expect(await run.end()).toBe('done')
})

it.concurrent('[A22] a deadline of a person is by the clock on the wall, whoever slept', async () => {
  const asks =
    'steps: { ship: { decide: Ship it?, options: { yes: done, no: abandoned }, deadline: { expire: 2h }, on: { expired: abandoned } } }'
  const house = await openHouse({ runbook: asks })
  const run = await house.start()
  await run.question()
  house.clock.sleep(3 * 3_600_000)
  expect(await run.end()).toBe('abandoned')
})

it.concurrent('[D2] whose state is gone begins afresh, with the whole brief and the word about the interruption', async () => {
  const house = await openHouse({
    runbook: TWO,
    plays: { plan, build: [[count('built'), { hang: true }]] },
  })
  const run = await house.start()
  await eventually(() => run.work.has('.signalbox/run/built')).toBe(true)
  await house.restart(() => {
    expect(readdirSync(house.home.scripted)).toHaveLength(2)
    rmSync(house.home.scripted, { recursive: true })
    house.rehearse({ build: [[good]] })
  })
  expect(await run.end()).toBe('done')
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, false, false])
  const again = run.prompts()[2]
  for (const part of [
    'Build it',
    'first light',
    'Signalbox was stopped while you were at work',
    '`good` → done',
  ])
    expect(again).toContain(part)
})

it.concurrent('[K2] that had answered before the host ended is not asked again', async () => {
  const house = await openHouse({
    runbook: TWO,
    plays: { plan, build: [[good, { hang: true }]] },
  })
  const run = await house.start()
  await run.until('attempt.began', 2)
  await eventually(() =>
    readdirSync(`${run.work.dir}/.signalbox/run`).some((name) => /^answer-.*json$/.test(name)),
  ).toBe(true)
  await house.restart()
  expect(await run.end()).toBe('done')
  expect(run.prompts()).toHaveLength(2)
})

it.concurrent('that was sent back before the host ended hears why, in its own conversation', async () => {
  const house = await openHouse({
    runbook: 'steps: { build: { agent: dev, gate: test -f gate.txt, next: done } }',
    plays: { build: [[{ say: 'FINISHED' }], [{ hang: true }]] },
  })
  const run = await house.start()
  await run.until('attempt.began', 2)
  await house.restart(() => house.rehearse({ build: [[], [{ write: { path: 'gate.txt', text: '' } }]] }))
  expect(await run.end()).toBe('done')
  expect(run.prompts()[2]).toContain('the gate failed with exit code 1')
  expect(run.prompts()[2]).toContain('Signalbox was stopped while you were at work')
})

it.concurrent('of two runs at once never mix: own worktree, own session, own answer', async () => {
  const house = await openHouse({
    doors: true,
    runbook: `
      vars: { goal: { required: true } }
      steps: { build: { agent: dev, prompt: 'Goal: \${var.goal}', options: { good: done, poor: abandoned } } }
    `,
    plays: {},
  })
  const sessions = [
    { prompt: 'Goal: red', path: 'red.txt', decision: 'good' },
    { prompt: 'Goal: blue', path: 'blue.txt', decision: 'poor' },
  ]
  house.rehearseSessions(
    sessions.map(({ prompt, path, decision }) => ({
      when: { prompt },
      turns: [[{ write: { path, text: prompt } }, { wait: 200 }, { answer: { decision }, via: 'mcp' }]],
    })),
  )
  const [red, blue] = await Promise.all(['red', 'blue'].map((goal) => house.start({ vars: { goal } })))
  await house.restart()
  expect([await red!.end(), await blue!.end()]).toEqual(['done', 'abandoned'])
  expect(red!.work.git('diff', '--name-only', 'main', 'HEAD')).toBe('red.txt')
  expect(blue!.work.git('diff', '--name-only', 'main', 'HEAD')).toBe('blue.txt')
  const ids = [...(await red!.all('session.opened')), ...(await blue!.all('session.opened'))].map(
    ({ session }) => session,
  )
  expect(new Set(ids).size).toBe(2)
})

it.concurrent('has a token that is good for nothing else, and for nothing at all once it is over', async () => {
  const house = await openHouse({
    doors: true,
    runbook: `
      agents: { anna: {}, ben: {} }
      steps: { judge: { panel: [anna, ben], options: { good: done, poor: abandoned } } }
    `,
    plays: {
      'judge@anna': [[{ answer: { decision: 'good' }, via: 'mcp' }, { hang: true }]],
      'judge@ben': [[{ say: 'Thinking' }, { hang: true }]],
    },
  })
  const run = await house.start()
  await run.until('attempt.began', 2)
  const tokens = house.tokens()
  expect(tokens).toHaveLength(2)
  const call = (token: string, answer: object) =>
    fetch(`${house.url()}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'report_outcome', arguments: answer },
      }),
    })
  expect((await call('not-a-token', { decision: 'good' })).status).toBe(401)
  // Whatever it says of itself, the token says who it is.
  const reports = Array.from({ length: 8 }, () =>
    call(tokens[1]!, { decision: 'poor', member: 0, session: 'judge#1.0' }),
  )
  for (const reply of await Promise.all(reports))
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Your answer is taken')])
  await house.close()
  expect(house.running()).toEqual([])
})

it.concurrent('is not disturbed when the host ends while a gate or a check runs: the command runs again, the agent does not', async () => {
  const slow = (name: string) => `'echo . >> \${run.dir}/${name}; test -f \${run.dir}/go || sleep 300'`
  const house = await openHouse({
    runbook: `
      steps:
        build: { agent: dev, gate: { run: ${slow('gate')}, expect: none }, next: check }
        check: { check: ${slow('check')}, next: done }
    `,
    plays: { build: [[count('built'), { say: 'FINISHED' }]] },
  })
  const run = await house.start()
  for (const name of ['gate', 'check']) {
    await eventually(() => run.work.has(`.signalbox/run/${name}`)).toBe(true)
    await house.restart(() => {
      expect(house.running()).toEqual([])
      run.work.write('.signalbox/run/go', '')
    })
    if (name === 'gate') {
      await run.until('gate.passed')
      rmSync(`${run.work.dir}/.signalbox/run/go`)
    }
  }
  expect(await run.end()).toBe('done')
  expect(run.work.read('.signalbox/run/built')).toBe('.\n')
  expect(run.work.read('.signalbox/run/gate')).toBe('.\n.\n')
})
