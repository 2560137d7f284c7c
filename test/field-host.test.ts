/** Bugs that others shipped in running agents for real, one test each: real processes, real git, a real journal. */
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileIssues } from '../src/host/issue/issues.ts'
import { houses } from './host/host.fixture.ts'
import { eventually, PERSON } from './host/run.fixture.ts'

const openHouse = houses()
const JUDGE = 'steps: { judge: { agent: dev, prompt: Judge it, options: { good: done, poor: abandoned } } }'
const BARE_ISSUE = { body: '', parent: '', labels: [], dependsOn: [], category: '' }
const good = { answer: { decision: 'good' }, via: 'file' } as const
const count = (file: string) => ({ run: `echo . >> .signalbox/run/${file}` })

describe('sessions', () => {
  it.concurrent('FIELD 21: a session whose file is gone begins afresh with the full brief, and an empty turn is a fault', async () => {
    const house = await openHouse({
      runbook: JUDGE,
      plays: { judge: [[count('begun'), { hang: true }]] },
    })
    const run = await house.start()
    await eventually(() => run.work.has('.signalbox/run/begun')).toBe(true)
    await house.restart(() => {
      rmSync(house.home.scripted, { recursive: true })
      house.rehearse({ judge: [[]] })
    })
    expect(await run.until('member.faulted')).toMatchObject({
      fault: 'failed',
      detail: 'It ended its turn without a word and without a tool call.',
    })
    expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, false])
    expect(run.prompts()[1]).toContain('Judge it')
    expect((await run.question()).cause).toBe('fault')
  })

  it.concurrent('FIELD 22: after a restart no agent is orphaned, no run is forgotten and no paid work is done again', async () => {
    const house = await openHouse({
      runbook: `
        steps:
          plan: { agent: dev, next: build }
          build: { agent: dev, options: { good: done, poor: abandoned } }
      `,
      plays: { plan: [[count('plan')]], build: [[count('build'), { spawn: 'sleep 300' }, { hang: true }]] },
    })
    const run = await house.start()
    await eventually(() => run.work.has('.signalbox/run/build')).toBe(true)
    await eventually(() => house.running().length > 1).toBe(true)
    await house.restart(() => {
      expect(house.running()).toEqual([])
      house.rehearse({ plan: [[count('plan')]], build: [[good]] })
    })
    expect(await run.end()).toBe('done')
    expect(run.work.read('.signalbox/run/plan')).toBe('.\n')
    expect(await run.all('visit.entered')).toHaveLength(2)
  })

  it.concurrent('FIELD 23: a run goes on where it was, and never with the session or the work of another goal', async () => {
    const house = await openHouse({
      runbook: `
        vars: { goal: { required: true } }
        steps:
          build: { agent: dev, prompt: 'Goal: \${var.goal}', next: check }
          check: { check: 'test -f \${var.goal}', next: done }
      `,
    })
    house.rehearseSessions(
      ['red', 'blue'].map((goal) => ({
        when: { prompt: `Goal: ${goal}` },
        turns: [[{ write: { path: goal, text: goal } }, { wait: 400 }, { say: goal }]],
      })),
    )
    const red = await house.start({ vars: { goal: 'red' } })
    await red.until('attempt.began')
    await house.restart()
    const blue = await house.start({ vars: { goal: 'blue' } })
    expect([await red.end(), await blue.end()]).toEqual(['done', 'done'])
    const sessionsOf = async (run: typeof red) =>
      new Set((await run.all('session.opened')).map(({ session }) => session))
    const [mine, other] = [await sessionsOf(red), await sessionsOf(blue)]
    expect([mine.size, other.size, new Set([...mine, ...other]).size]).toEqual([1, 1, 2])
    expect([red.work.has('blue'), blue.work.has('red')]).toEqual([false, false])
  })

  it.concurrent('FIELD 24: a reader’s writes are undone and told to it, and a file that was never written counts as missing', async () => {
    const house = await openHouse({
      runbook: `
        agents: { check: { writes: [] } }
        steps:
          judge: { agent: check, options: { good: done, poor: abandoned }, fields: { report: { type: file, required: true } } }
      `,
      plays: {
        judge: [
          [{ write: { path: 'a.txt', text: 'better' } }, good],
          [{ answer: { decision: 'good', report: '.signalbox/run/report.md' }, via: 'file' }],
          [
            { write: { path: '.signalbox/run/report.md', text: 'Fine' } },
            { answer: { decision: 'good', report: '.signalbox/run/report.md' }, via: 'file' },
          ],
        ],
      },
    })
    const run = await house.start()
    expect(await run.end()).toBe('done')
    expect((await run.all('answer.refused')).map(({ validity }) => validity)).toEqual([
      'out-of-bounds',
      'invalid-value',
    ])
    expect(run.prompts()[2]).toContain('and there is no such file in the worktree')
    expect(run.work.read('a.txt')).toBe('a\n')
  })

  it.concurrent('FIELD 25: "merged and green" is believed when the command says so, with the commit that is there', async () => {
    const house = await openHouse({
      runbook:
        'steps: { merge: { agent: dev, gate: { run: git merge-base --is-ancestor topic HEAD, max: 1 }, options: { merged: done, not: abandoned }, on: { failed: abandoned } } }',
      plays: {
        merge: [
          [{ answer: { decision: 'merged', notes: 'merged as 0123abc, all tests pass' }, via: 'file' }],
        ],
      },
    })
    house.repo.git('checkout', '-q', '-b', 'topic')
    house.repo.git('commit', '-q', '--allow-empty', '-m', 'topic')
    house.repo.git('checkout', '-q', 'main')
    const liar = await house.start()
    expect(await liar.end()).toBe('abandoned')
    house.rehearse({
      merge: [
        [
          { run: 'git -c user.name=x -c user.email=x@x merge -q --no-ff topic -m m' },
          { answer: { decision: 'merged' }, via: 'file' },
        ],
      ],
    })
    const honest = await house.start()
    expect(await honest.end()).toBe('done')
    const { evidence } = await honest.until('gate.passed')
    expect([evidence.exitCode, evidence.commit]).toEqual([0, honest.work.git('rev-parse', 'HEAD')])
  })

  it.concurrent('FIELD 26: what a failed run left to say outlives its worktree', async () => {
    const house = await openHouse({
      runbook: 'steps: { work: { agent: dev, next: done, on: { failed: abandoned } } }',
      plays: {
        work: [[{ write: { path: '.signalbox/run/why.md', text: 'The API is gone' } }, { crash: 1 }]],
      },
    })
    const run = await house.start()
    expect(await run.end()).toBe('abandoned')
    expect(await house.host().discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
    expect(run.work.has('.')).toBe(false)
    expect(await run.kept((await run.until('artifact.kept')).digest)).toBe('The API is gone')
    expect((await run.until('visit.left')).detail).toContain('crash with exit code 1')
  })
})

describe('limits', () => {
  it.concurrent('FIELD 27: what was spent before a restart is spent', async () => {
    const house = await openHouse({
      runbook: `
        limits: { cost: 1 }
        steps: { work: { agent: dev, next: done, on: { over_budget: abandoned } } }
      `,
      plays: { work: [[{ usage: { costUsd: 0.7 } }, { hang: true }]] },
    })
    const run = await house.start()
    await run.until('usage.recorded')
    await house.restart()
    expect(await run.end()).toBe('abandoned')
    expect((await run.until('member.faulted')).detail).toBe('$1.40 of $1.00')
  })

  it.concurrent('FIELD 28: the hours a person takes are not the agent’s', async () => {
    const house = await openHouse({
      runbook: 'steps: { work: { agent: dev, time: 1m, stall: 30s, next: done } }',
      plays: {
        work: [[{ permission: { title: 'rm -r build' }, allowed: [{ say: 'FINISHED' }], rejected: [] }]],
      },
    })
    const run = await house.start()
    await run.question()
    house.clock.advance(9 * 3_600_000)
    await run.answer({ pick: 'allow_once' })
    expect(await run.end()).toBe('done')
    expect(await run.all('member.faulted')).toEqual([])
  })

  it.concurrent('FIELD 29: issues that are made at the same moment get ids of their own', async () => {
    const house = await openHouse({ runbook: JUDGE })
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        fileIssues(
          { repo: house.repo.dir, configured: null },
          { count: 1, drafts: () => [{ ...BARE_ISSUE, title: `Issue ${index}` }] },
        ),
      ),
    )
    const ids = made.map((filed) => ('ids' in filed ? filed.ids[0] : filed.problem))
    expect(new Set(ids).size).toBe(12)
  })

  it.concurrent('FIELD 30: a usage limit is waited for until it resets, and nothing counts as failed', async () => {
    const house = await openHouse({
      runbook: JUDGE,
      plays: { judge: [[{ limit: { text: 'You’ve hit your limit. Resets in 2 hours.' } }]] },
    })
    const run = await house.start()
    const { at, until } = await run.until('attempt.parked')
    expect(Math.round((until - at) / 3_600_000)).toBe(2)
    expect(await house.host().journal.row('run', run.id)).toMatchObject({ data: { status: 'parked' } })
    house.rehearse({ judge: [[good]] })
    house.clock.advance(2.1 * 3_600_000)
    expect(await run.end()).toBe('done')
    expect([await run.all('member.faulted'), await run.all('answer.refused')]).toEqual([[], []])
  })
})
