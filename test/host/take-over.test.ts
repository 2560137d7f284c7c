/** A person takes a run over by hand, and gives it back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ResumeOrder } from '../../src/model/api/course.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const FLOW = `
  agents: { dev: { writes: ["src/**"] } }
  steps:
    build:
      agent: dev
      gate: { run: test -f src/made.txt, expect: none }
      options: { ready: check, stuck: abandoned }
    check: { check: test -f by-hand.txt, options: { pass: done, fail: abandoned } }
`
const ORDER: ResumeOrder = { how: 'answered', pick: 'ready', fields: {}, note: '' }
const PLANTED = `mkdir -p hooks && printf '#!/bin/sh\\ntouch "$PWD/../ran"\\n' > hooks/pre-commit && chmod +x hooks/pre-commit && git config core.hooksPath "$PWD/hooks"`
const busy = [
  [
    { run: PLANTED },
    { write: { path: 'src/begun.txt', text: 'begun\n' } },
    { write: { path: 'stray.txt', text: 'stray\n' } },
    { spawn: 'while :; do date >> src/late.txt; sleep 0.02; done' },
    { hang: true },
  ],
  [{ run: 'cp src/begun.txt src/made.txt' }, { answer: { decision: 'ready' }, via: 'mcp' }],
] as const

async function working() {
  const house = await openHouse({ runbook: FLOW, doors: true, plays: { build: busy } })
  const run = await house.start()
  await eventually(() => run.work.has('src/late.txt')).toBe(true)
  return { house, run, course: () => house.host().course(PERSON) }
}

async function take(house: House, run: RunInHouse): Promise<void> {
  const taken = await house.host().course(PERSON).take(run.id, 'let me')
  expect(taken).toMatchObject({ worktree: run.work.dir, step: 'build' })
}

it.concurrent('[M7] ends its agent, keeps what that left within its boundary, and the worktree is theirs', async () => {
  const { house, run } = await working()
  await take(house, run)
  expect(house.running()).toEqual([])
  expect(run.work.has('stray.txt')).toBe(false)
  expect(run.work.git('status', '--porcelain')).toBe('')
  expect(run.work.git('log', '-1', '--format=%s')).toBe('build: work that was broken off')
  // Their own git runs nothing there that the agent planted.
  run.work.write('src/made.txt', 'made by hand\n')
  run.work.git('add', '-A')
  run.work.git('commit', '-q', '-m', 'by hand')
  expect(run.work.has('../ran')).toBe(false)
  expect((await run.all('member.faulted')).length).toBe(0)
  await take(house, run)
  expect(await run.all('run.taken')).toHaveLength(1)
  await run.tell({ type: 'run.cancel', reason: '' })
  expect(await run.end()).toBe('cancelled')
})

it.concurrent('[M7] takes what they did as the step’s work once its gate passes, beyond the boundary too', async () => {
  const { house, run, course } = await working()
  await take(house, run)
  run.work.write('by-hand.txt', 'by hand\n')
  expect(await course().resume(run.id, { ...ORDER, pick: 'perhaps' })).toMatchObject({
    code: 'invalid-answer',
  })
  expect(await course().resume(run.id, ORDER)).toMatchObject({
    code: 'gate-failed',
    problem: expect.stringContaining('The run is still yours'),
  })
  expect((await house.host().runs.load(run.id))?.state.taken).toMatchObject({ by: PERSON })
  run.work.write('src/made.txt', 'made\n')
  const resumed = await course().resume(run.id, { ...ORDER, note: 'All mine.' })
  expect(resumed).toMatchObject({ state: 'resumed', gates: 1, step: 'check' })
  expect(resumed).toMatchObject({ changes: expect.stringMatching(/by-hand\.txt[\s\S]*made\.txt/) })
  expect(await run.end()).toBe('done')
  const left = (await run.all('visit.left'))[0]
  expect(left).toMatchObject({ step: 'build', outcome: 'ready', by: PERSON, answer: { notes: 'All mine.' } })
  const [passed] = await run.all('gate.passed')
  expect(house.repo.git('show', `${passed!.evidence.commit}:by-hand.txt`)).toBe('by hand')
  expect((await run.all('host.noted')).map(({ text }) => text)).toContain(
    'build: alice changed what its agent may not: by-hand.txt',
  )
  expect(await course().resume(run.id, ORDER)).toMatchObject({ code: 'not-taken' })
})

it.concurrent('[M7] gives it back to the agent, which is told what was changed', async () => {
  const { house, run, course } = await working()
  await take(house, run)
  run.work.write('by-hand.txt', 'by hand\n')
  expect(await course().resume(run.id, { ...ORDER, how: 'back', pick: null, note: 'Go on.' })).toMatchObject({
    state: 'resumed',
    step: 'build',
  })
  expect(await run.end()).toBe('done')
  expect(run.prompts().at(-1)).toMatch(
    /```word by person "alice"\nI took the work over[\s\S]*by-hand\.txt[\s\S]*Go on\./,
  )
  expect(run.work.read('by-hand.txt')).toBe('by hand\n')
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, true])
})

it.concurrent('[M7] stays with them when the host is killed, also before it was ready', async () => {
  const { house, run, course } = await working()
  // Nothing but the record is there when the next host begins.
  await house.host().command(run.id, { type: 'run.take', at: house.clock.now(), by: PERSON, reason: '' })
  await house.restart()
  await run.until('run.handed')
  expect(run.work.has('stray.txt')).toBe(false)
  expect(run.work.git('config', '--get', 'core.bare')).toBe('false')
  expect(house.running()).toEqual([])
  run.work.write('by-hand.txt', 'by hand\n')
  run.work.write('src/made.txt', 'made\n')
  await house.restart(() => writeFileSync(join(run.work.dir, 'later.txt'), ''))
  expect(await course().resume(run.id, ORDER)).toMatchObject({ state: 'resumed' })
  expect(await run.end()).toBe('done')
})
