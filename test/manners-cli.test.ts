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
      ['issue', 'comment', 'nothing', 'text'],
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

describe('a command of a runbook', () => {
  const lay = (project: Project, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) project.write(`.signalbox/${name}`, text)
    project.git('add', '-A')
    project.git('commit', '-q', '-m', 'more')
  }

  it('[X12] finds signalbox, reads its own run, and can do nothing else', async () => {
    const project = openProject()
    const other = await idOf(project, 'run', 'ask', '--detach')
    const tries = [
      'signalbox show "$SIGNALBOX_RUN"',
      'signalbox ps --all',
      'signalbox decision list --all',
      `signalbox show ${other}`,
      `signalbox decision answer ${other} ship`,
      `signalbox cancel ${other}`,
      'signalbox cancel "$SIGNALBOX_RUN"',
      'signalbox run ask --detach',
      'signalbox decision create --headline "Which one?" --question "Which one shall it be?" --option a=A --option b=B',
      'signalbox down',
      'signalbox up --port 0',
    ]
    const look = tries.map((one, index) => `echo "try ${index}"; ${one} 2>&1; echo "code $?"`).join('; ')
    lay(project, {
      'look.yaml': `runbook: 1\nname: look\nsteps: { look: { check: ${JSON.stringify(look)}, options: { pass: done, fail: abandoned } } }\n`,
    })
    const run = await idOf(project, 'run', 'look', '--detach')
    await project.run('attach', run)
    const { out } = await project.run('logs', run)
    const told = out.split(/^.*try \d+$/m).slice(1)
    const codes = told.map((one) => Number(/code (\d+)/.exec(one)?.[1]))
    expect(codes).toEqual([0, 0, 0, 2, 2, 2, 1, 1, 1, 1, 1])
    expect(told[0]).toContain('working at look')
    expect(told[1]).toContain(run)
    expect(told[1]).not.toContain(other)
    for (const refused of told.slice(3)) expect(refused).toMatch(/This is a command of a run|There is no/)
    expect(await project.json('show', other)).toMatchObject({ row: { status: 'waiting' } })
  })

  it('[X12] sends back whoever has offered no decision, and lets pass who has', async () => {
    const project = openProject()
    const payload = {
      headline: 'Which store for sessions?',
      question: 'Where should sessions be kept?',
      options: [
        { key: 'sqlite', label: 'SQLite file', body: 'Keep them in the file there is.' },
        { key: 'redis', label: 'Redis', body: 'Add Redis.' },
      ],
      recommended: 'sqlite',
    }
    const turns = [
      [{ say: 'FINISHED' }],
      [{ tool: { name: 'create_decision', arguments: payload } }],
      [{ say: 'FINISHED, as you said.' }],
    ]
    lay(project, {
      'config.yaml': 'agents: { asker: { scripted: asker.json } }\n',
      'asker.json': JSON.stringify({ sessions: [{ when: {}, turns }] }),
      'offer.yaml': `runbook: 1
name: offer
agents: { dev: { use: asker, prime: { signal: "echo Offer a decision first." } } }
steps:
  work:
    agent: dev
    prompt: Do it.
    gate: { run: "signalbox decision list --all --json | grep -q headline", expect: fail }
    next: done
`,
    })
    const run = await idOf(project, 'run', 'offer', '--detach')
    expect((await project.run('attach', run)).out).toMatch(/gate failed .*sent back/)
    await project.run('decision', 'answer', run, 'sqlite')
    const ended = await project.run('attach', run)
    expect(ended.out).toMatch(/gate passed/)
    expect(ended.code).toBe(0)
  })
})
