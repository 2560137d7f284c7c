/** What whoever types a command is told: where, under which name, and with which exit code. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openProject, type Project } from './runs.fixture.ts'

const idOf = async (project: Project, ...args: string[]): Promise<string> =>
  (await project.json<{ run: string }>(...args)).run

describe('a runbook by its name', () => {
  it('[V10] is found from any folder of the repository, by run, check and rehearse', async () => {
    const project = openProject()
    const inner = join(project.repo, 'src/deep')
    mkdirSync(inner, { recursive: true })
    const ran = await project.runAt(inner, 'run', 'fails')
    expect(ran.out).toContain('fails on branch signalbox/fails-')
    const checked = await project.runAt(inner, 'check', 'build', 'ask')
    expect(checked.out).toContain('✓ build  ../../.signalbox/build.yaml')
    expect(checked.code).toBe(0)
    expect((await project.run('rehearse', 'fails')).out).toContain('✓ fails  .signalbox/fails.yaml')
  })

  it('[V10] that is not there is told, and so is that there is no repository', async () => {
    const project = openProject()
    const outside = project.path('elsewhere')
    mkdirSync(outside)
    for (const command of ['run', 'check', 'rehearse']) {
      const missed = await project.run(command, 'biuld')
      expect(missed).toMatchObject({ code: 2, out: '' })
      expect(missed.err).toContain('There is no runbook "biuld"')
      expect(missed.err).toContain('did you mean "build"?')
      const nowhere = await project.runAt(outside, command, 'build')
      expect(nowhere.code).toBe(2)
      expect(nowhere.err).toContain(`${outside} is in no git repository: go to your project's folder.`)
    }
  })
})

describe('a host', () => {
  it('[V10] that was started for a detached run is told of, and one that was there is not', async () => {
    const project = openProject()
    const first = await project.run('run', 'ask', '--detach')
    expect(first.out).toMatch(
      /A host was started in the background for it \(http:.*\)\. To stop it: signalbox down/,
    )
    expect((await project.run('run', 'ask', '--detach')).out).not.toContain('A host was started')
  })

  it('[V10] is known to whoever leaves: the run goes on, or stands still', async () => {
    const project = openProject()
    const here = project.begin('run', 'slow')
    await here.says('▸ test')
    const there = project.begin('run', 'slow')
    await there.says('▸ test')
    there.signal('SIGINT')
    const left = await there.ended
    expect(left.code).toBe(130)
    expect(left.out).toMatch(
      /(\w{8}) goes on without you: the host at http:\S+ has it\. To watch it: signalbox attach \1\. To end it: signalbox cancel \1/,
    )
    here.signal('SIGINT')
    const stopped = await here.ended
    expect(stopped.out).toMatch(
      /Nobody hosts (\w{8}) now: it stands still, kept as it is\. To go on: signalbox attach \1, or signalbox up\. To end it: signalbox cancel \1/,
    )
    expect((await project.run('ps')).out).toContain('Nobody hosts: nothing moves until signalbox up')
  })
})

describe('reading', () => {
  it.concurrent.each([
    ['ps'],
    ['ps', '--all', '--json'],
    ['show', 'abc'],
    ['logs', 'abc'],
    ['attach', 'abc'],
    ['cancel', 'abc'],
    ['inbox'],
    ['decision', 'list'],
    ['decision', 'show', 'abc'],
    ['decision', 'export'],
    ['decision', 'answer', 'abc', 'yes'],
    ['insights'],
    ['policy', 'list'],
    ['policy', 'suggest'],
    ['doctor'],
    ['agents', '--json'],
    ['people'],
    ['issue', 'list'],
  ])('[V11] makes no home where there is none: %s %s %s', async (...args) => {
    const project = openProject()
    const ran = await project.run(...args)
    expect(ran.code).not.toBeNull()
    expect(existsSync(project.home)).toBe(false)
  })
})

describe('what does not exist', () => {
  it('[V12] ends with 2 and a sentence, whatever it is and whoever is asked for it', async () => {
    const project = openProject()
    const run = await idOf(project, 'run', 'ask', '--detach')
    const asked: readonly (readonly string[])[] = [
      ['run', 'nothing'],
      ['run', 'nothing.yaml'],
      ['check', 'nothing'],
      ['check', 'nothing.yaml'],
      ['rehearse', 'nothing.yaml'],
      ['show', 'nothing'],
      ['show', 'nothing', '--json'],
      ['logs', 'nothing'],
      ['attach', 'nothing'],
      ['cancel', 'nothing'],
      ['retry', 'nothing'],
      ['discard', 'nothing'],
      ['extend', 'nothing', 'rework', '1'],
      ['move', 'nothing', 'develop'],
      ['move', run, 'nowhere'],
      ['extend', run, 'nothing', '1'],
      ['decision', 'show', 'nothing'],
      ['decision', 'answer', 'nothing', 'yes'],
      ['decision', 'answer', run, 'nothing'],
      ['decision', 'answer', run, 'ship', '--question', 'nothing'],
      ['decision', 'undo', 'nothing'],
      ['decision', 'snooze', 'nothing', '1h'],
      ['decision', 'assign', 'nothing', 'alice'],
      ['decision', 'withdraw', 'nothing'],
      ['decision', 'retry', 'nothing'],
      ['decision', 'review', 'nothing'],
      ['decision', 'wait', 'nothing', '--seconds', '1'],
      ['decision', 'list', '--run', 'nothing'],
      ['issue', 'show', 'nothing'],
      ['agents', 'test', 'nothing'],
      ['policy', 'suggest', '--ratify', 'nothing'],
      ['people', 'nothing'],
      ['notify', 'test', 'nothing'],
      ['nothing'],
    ]
    const codes: string[] = []
    for (const args of asked) {
      const ran = await project.run(...args)
      if (ran.code !== 2 || !/^error: \S/.test(ran.err) || ran.out !== '')
        codes.push(`${args.join(' ')}: ${ran.code} ${ran.err}${ran.out}`)
    }
    expect(codes).toEqual([])
  })
})
