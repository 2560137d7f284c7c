/** A host as a user has it, on a machine that misbehaves: it is stopped for a while, or its home is taken away. */

import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fetchOver } from '../src/http/socket-fetch.fixture.ts'
import { until } from '../src/until.fixture.ts'
import { expectNoCrash } from './command.fixture.ts'
import { openProject } from './runs.fixture.ts'

const QUIET = `runbook: 1
name: quiet
agents: { dev: { use: quiet, stall: 10s, time: 12s } }
steps: { work: { agent: dev, prompt: Do it., next: done, on: { else: abandoned } } }
`

const quietScript = JSON.stringify({
  sessions: [
    {
      when: {},
      turns: [
        [
          { say: 'I am at it.' },
          { run: 'touch at-it; while ! test -f "$RELEASE"; do sleep 0.1; done' },
          { say: 'FINISHED' },
        ],
      ],
    },
  ],
})

describe('a host that was stopped for a while', () => {
  it('[A22] [K11] takes that time neither for silence nor for work, and the doctor knows it meanwhile', async () => {
    const project = openProject()
    project.write('.signalbox/quiet.yaml', QUIET)
    project.write('.signalbox/quiet.json', quietScript)
    project.write('.signalbox/config.yaml', 'agents: { quiet: { scripted: quiet.json } }\n')
    project.git('add', '-A')
    project.git('commit', '-qm', 'quiet')
    const host = project.begin('up', '--port', '0')
    await host.says('Signalbox is up')
    expect(await project.run('run', 'quiet', '--detach')).toMatchObject({ code: 0, err: '' })
    const worktrees = join(project.home, 'worktrees')
    const isAtIt = (name: string): boolean => existsSync(join(worktrees, name, 'at-it'))
    await until(() => existsSync(worktrees) && readdirSync(worktrees).some(isAtIt), 'the agent at work')
    host.signal('SIGSTOP')
    const wakesAt = Date.now() + 15_000
    const stuck = await project.run('doctor')
    expect(stuck.out).toMatch(/✗ host +Process \d+ is the host and does not answer: .*kill -9 \d+/)
    expect(stuck.code).toBe(1)
    await until(() => Date.now() > wakesAt, 'the end of its sleep')
    host.signal('SIGCONT')
    project.release()
    // On a busy machine a host that just woke up may be slow to answer.
    const row = await until(async () => {
      const { code, out } = await project.run('ps', '--all', '--json')
      const [found] = code === 0 ? (JSON.parse(out) as { run: string; status: string }[]) : []
      return found?.status === 'ended' ? found : null
    }, 'the end of the run')
    const shown = (await project.run('show', row.run)).out
    expect(shown).toContain('ended as done')
    expect(shown).toMatch(/taken up again; \d.* do not count/)
    expect((await project.run('logs', row.run)).out).toMatch(/The clock jumped by (\d\d s|\d+ m)/)
    host.signal('SIGTERM')
    expectNoCrash(await host.ended)
  })
})

describe('a home that was taken away', () => {
  it('[K10] is told of at the door, and its host ends with its agents', async () => {
    const project = openProject()
    const host = project.begin('up', '--port', '0')
    await host.says('Signalbox is up')
    expect((await project.run('run', 'hangs', '--detach')).code).toBe(0)
    // From then on it is silent, and nothing is written but what somebody asks for.
    const logs = join(project.home, 'logs')
    const isSilent = (file: string): boolean => readFileSync(join(logs, file), 'utf8').includes('I am at it.')
    await until(() => existsSync(logs) && readdirSync(logs).some(isSilent), 'an agent that hangs')
    // Moved, not removed: what is just being made in it would be in the way of that.
    renameSync(project.home, project.path('elsewhere'))
    const response = await fetchOver(join(project.path('elsewhere'), 'host.sock'))('/api/v1/decisions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      code: 'home-gone',
      message: expect.stringMatching(/signalbox\.db was deleted, moved or replaced/),
    })
    const ended = await host.ended
    expect(ended.code).toBe(1)
    expect(ended.err).toMatch(/^signalbox: \S+signalbox\.db was deleted, moved or replaced [^\n]*\n$/)
    expectNoCrash(ended)
    await until(() => project.agents().length === 0, 'the end of the agents')
    expect(existsSync(join(project.home, 'signalbox.db'))).toBe(false)
  })
})
