/** A run that is watched by somebody at a terminal, with a real host behind it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../host/workspace/repository.fixture.ts'
import { type Opened, openOperations } from '../../http/doors.fixture.ts'
import type { RunEvent } from '../../model/event.ts'
import { EXIT } from '../exit.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { type FollowOptions, followRun } from './follow-run.ts'

const until = (look: () => void): Promise<void> => vi.waitFor(look, { timeout: 20_000, interval: 5 })

function watch(opened: Opened, run: string, met?: FollowOptions['answers']) {
  const { operations, repo } = opened
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { terminal, out } = openPaper()
  let prompted = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    prompted += text
  })
  const leaving = new AbortController()
  const code = followRun({
    operations,
    run,
    terminal,
    log: join(repo, 'none.log'),
    answers: met ?? { input, output },
    signal: leaving.signal,
    cursor: { version: 0, startedAt: null },
  })
  onTestFinished(async () => {
    leaving.abort()
    await code.catch(() => undefined)
  })
  return {
    code,
    out,
    type: async (prompt: string, line: string): Promise<void> => {
      await until(() => expect(prompted).toContain(prompt))
      prompted = ''
      input.write(`${line}\n`)
    },
    isAsked: (prompt: string) => until(() => expect(prompted).toContain(prompt)),
  }
}

async function answered({ operations }: Opened, run: string) {
  const events = (await operations.events(run, 0)).map(({ data }) => data as RunEvent)
  return events.filter((event) => event.type === 'question.answered')
}

describe('whoever watches a run', () => {
  it('answers it there, in their own name', async () => {
    const opened = openOperations()
    const run = await opened.begin('it')
    const { code, type, out } = watch(opened, run)
    await type('Your choice', 'drop')
    await type('Note', 'not now')
    expect(await code).toBe(EXIT.failed)
    expect(out()).toContain('? Ship it?')
    expect(await answered(opened, run)).toMatchObject([
      { pick: 'drop', note: 'not now', by: { kind: 'person', name: 'alice' } },
    ])
  })

  it('[Q13] is refused when what was shown has changed since, and asked again about what there is now', async () => {
    const opened = openOperations()
    const run = await opened.begin('it')
    const { code, type, isAsked, out } = watch(opened, run)
    await isAsked('Your choice')
    const changed = { type: 'context.report', step: 'sign_off', visit: 1, items: { diff: 'b.txt' } } as const
    expect(await opened.host.command(run, { ...changed, at: 1_500_000 })).toHaveProperty('loaded')
    await type('Your choice', 'ship')
    await type('Note', '')
    await isAsked('Your choice')
    expect(await answered(opened, run)).toEqual([])
    expect(out()).toMatch(/What you were shown has changed since.*\n[\s\S]*│ b\.txt/)
    await type('Your choice', 'ship')
    await type('Note', '')
    expect(await code).toBe(EXIT.ok)
    expect(await answered(opened, run)).toMatchObject([{ pick: 'ship' }])
  })

  it('is asked no more when somebody else has answered', async () => {
    const opened = openOperations()
    const run = await opened.begin('it')
    const { code, isAsked, out } = watch(opened, run)
    await isAsked('Your choice')
    await opened.operations.act(run, { kind: 'cancel', reason: 'enough' })
    expect(await code).toBe(EXIT.failed)
    expect(out()).toContain('ended as cancelled')
  })

  it('may leave it to what is recommended, where something is', async () => {
    const opened = openOperations()
    const run = await opened.begin('it')
    expect(await watch(opened, run, 'recommended').code).toBe(EXIT.ok)
    expect(await answered(opened, run)).toMatchObject([{ pick: 'ship' }])
    const runbook = join(temporaryFolder(), 'plain.yaml')
    writeFileSync(
      runbook,
      'name: plain\nsteps: { sign: { decide: Ship?, options: { ship: done, drop: abandoned } } }',
    )
    const { operations, repo } = opened
    const started = await operations.start({ runbook, dir: repo, base: null, issue: null, vars: {} })
    if ('problems' in started) throw new Error(started.problems.join())
    const plain = watch(opened, started.run, 'recommended')
    expect(await plain.code).toBe(EXIT.waiting)
    expect(plain.out()).toContain('Nothing is recommended here')
  })
})
