/** Runs, as a user has them: the built command, real repositories, scripted agents, processes that come and go. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { until } from '../src/until.fixture.ts'
import { expectNoCrash, type Ran } from './command.fixture.ts'
import { openProject, type Project } from './runs.fixture.ts'

interface Row {
  readonly run: string
  readonly status: string
  readonly end: string | null
  readonly branch: string
}

const allRuns = (project: Project): Promise<Row[]> => project.json<Row[]>('ps', '--all')
const idIn = ({ out }: Ran): string => /^[a-z0-9]{8}$/m.exec(out)?.[0] ?? `none in: ${out}`

describe('a run in the foreground', () => {
  it('[W1] does the work, tells the story and ends with 0, leaving a branch and nothing else', async () => {
    const project = openProject()
    const ran = await project.run('run', 'build')
    expect(ran.err).toBe('')
    expect(ran.code).toBe(0)
    expectNoCrash(ran)
    for (const words of [
      /build on branch signalbox\/build-\w{8}/,
      /▸ develop/,
      /gate failed .*sent back/,
      /gate passed at [0-9a-f]{9}/,
      /undone, outside its boundary: stray\.txt/,
      /→ approve → done: Good\./,
      /✓ ended as done/,
      /signalbox diff \w{8} shows what it changed, signalbox land \w{8} brings that into main/,
      /signalbox show \w{8} tells the whole story/,
    ])
      expect(ran.out).toMatch(words)
    const [row] = await allRuns(project)
    expect(row).toMatchObject({ status: 'ended', end: 'done' })
    expect(project.git('show', `${row!.branch}:src/made.txt`)).toBe('made')
    expect(project.git('status', '--porcelain')).toBe('')
    expect(project.git('branch', '--show-current')).toBe('main')
    expect(project.agents()).toEqual([])

    const shown = await project.run('show', row!.run.slice(0, 4))
    expect(shown.code).toBe(0)
    expect(shown.out).toMatch(/status +ended as done/)
    expect(shown.out).not.toContain('the file has changed')
    project.write(
      '.signalbox/build.yaml',
      'runbook: 1\nname: other\nsteps: { a: { check: "true", options: { pass: done, fail: abandoned } } }\n',
    )
    expect((await project.run('show', row!.run)).out).toContain('the file has changed since')
    project.write('.signalbox/build.yaml', 'runbook: 1\nsteps: {}\n')
    expect((await project.run('show', row!.run)).out).toContain('does not pass any more')
    project.git('rm', '-q', '-f', '.signalbox/build.yaml')
    const detail = await project.json('show', row!.run)
    expect(detail).toMatchObject({ drift: 'the file is gone; the run keeps its own copy', questions: [] })
    expect((detail['events'] as unknown[]).length).toBeGreaterThan(10)

    const logs = await project.run('logs', row!.run, '-f')
    expect(logs.out).toMatch(/^\d\d:\d\d:\d\d develop\/dev\S* +Made it\.$/m)
    const lines = (await project.run('logs', row!.run, '--step', 'review', '--json')).out.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { step: string }).step)).not.toContain('develop')

    const unmerged = await project.run('discard', row!.run)
    expect(unmerged.code).toBe(1)
    expect(unmerged.err).toMatch(/main has not got what run \w+ did .* --yes/)
    expect(project.git('branch', '--list', 'signalbox/*')).not.toBe('')
    const discarded = await project.run('discard', row!.run, '--yes')
    expect(discarded.code).toBe(0)
    const [, ref = ''] =
      /is discarded; its record is kept\nIts work is kept at [0-9a-f]{40} until you delete (\S+)\./.exec(
        discarded.out,
      ) ?? []
    expect(project.git('show', `${ref}:src/made.txt`)).toBe('made')
    expect(project.git('branch', '--list', 'signalbox/*')).toBe('')
    expect((await project.run('show', row!.run)).out).toMatch(/worktree +discarded/)
  })

  it('compiles its runbook once where it is the host itself', async () => {
    const project = openProject()
    // In a sandbox it could write no marker.
    writeFileSync(project.path('config/config.yaml'), 'sandbox: off\n')
    const count = project.path('compiled')
    const runbook = project.path('counted.ts')
    writeFileSync(
      runbook,
      `import { appendFileSync } from 'node:fs'
      import { runbook } from 'signalbox'
      appendFileSync('${count}', 'x')
      export default runbook({
        name: 'counted',
        steps: { test: { check: 'true', options: { pass: 'done', fail: 'abandoned' } } },
      })`,
    )
    expect((await project.run('run', runbook)).code).toBe(0)
    expect(readFileSync(count, 'utf8')).toBe('x')
    const up = project.begin('up', '--port', '0')
    await up.says('is up at')
    // A host believes nobody's program but its own.
    expect((await project.run('run', runbook)).code).toBe(0)
    expect(readFileSync(count, 'utf8')).toBe('xxx')
  })

  it('ends with 1 when it was abandoned, and with 3 when nobody is there to answer', async () => {
    const project = openProject()
    const failed = await project.run('run', 'fails')
    expect(failed.code).toBe(1)
    expect(failed.out).toMatch(/exit code 1: broken/)
    expect(failed.out).toMatch(/✗ ended as abandoned/)
    const asking = await project.run('run', 'ask', '--var', 'what=it all')
    expect(asking.code).toBe(3)
    expect(asking.out).toContain('? Ship it all?')
    expect(asking.out).toMatch(/Waiting for a person\. To answer: signalbox decision answer \w{8} CHOICE/)
    expect((await project.run('ps')).code).toBe(3)
    expect(await project.json('decision', 'list')).toMatchObject({ rows: [{ headline: 'Ship it all?' }] })
  })

  it('[D9] can be interrupted and goes on later, with no process left behind', async () => {
    const project = openProject()
    const going = project.begin('run', 'hangs')
    await going.says('dev works')
    await until(() => project.agents().length >= 3, 'the agent and what it started')
    going.signal('SIGINT')
    const ran = await going.ended
    expect(ran.code).toBe(130)
    expectNoCrash(ran)
    expect(ran.out).toMatch(
      /Nobody hosts (\w{8}) now: it stands still, kept as it is\. To go on: signalbox attach \1/,
    )
    expect(project.agents()).toEqual([])
    const [row] = await allRuns(project)
    expect(row).toMatchObject({ status: 'working' })

    const again = project.begin('attach', row!.run.slice(0, 3))
    await again.says(/works.*\n.*works/s)
    expect((await project.run('discard', row!.run)).err).toContain('is still going on. Cancel it first')
    expect((await project.run('cancel', row!.run, '--reason', 'enough')).code).toBe(0)
    const ended = await again.ended
    expect(ended.code).toBe(1)
    expect(ended.out).toContain('ended as cancelled: enough')
    expect(project.agents()).toEqual([])
  })

  it('shares its host with a second one, which takes its place when it leaves', async () => {
    const project = openProject()
    const first = project.begin('run', 'slow')
    await first.says('▸ test')
    const second = project.begin('run', 'hangs')
    await second.says('dev works')
    expect(await project.json<Row[]>('ps')).toHaveLength(2)
    project.release()
    expect((await first.ended).code).toBe(0)
    // The first was the host; the second one's agent is started again by the second itself.
    await second.says(/works.*\n.*works/s)
    const [row] = await project.json<Row[]>('ps')
    expect(row).toMatchObject({ status: 'working' })
    const stopped = await project.run('down')
    expect(stopped.out).toContain('Signalbox is down')
    expect((await second.ended).code).toBe(130)
    expect(project.agents()).toEqual([])
  })
})

describe('a start that is refused', () => {
  it('[W2] says why, each reason with what to do', async () => {
    const project = openProject()
    await project.begin('up', '--port', '0').says('is up at')
    const refused = async (words: RegExp, ...args: string[]): Promise<void> => {
      const ran = await project.run('run', ...args)
      // What was named is not there at all.
      expect(ran.code).toBe(/no runbook|no file|gone-branch|issue/.test(words.source) ? 2 : 1)
      expect(`${ran.out}${ran.err}`).toMatch(words)
      expectNoCrash(ran)
    }
    await refused(/✗ .*ticket/, 'needs')
    await refused(
      /No program is configured for `use: nobody`[\s\S]*`use: gone` is served by "no-such-agent-program", which is not installed/,
      'missing',
    )
    await refused(/gone-branch/, 'ask', '--base', 'gone-branch')
    await refused(/✗ There are no issues here/, 'ask', '--issue', '99')
    await refused(/no runbook "biuld".* in \.signalbox\/; did you mean "build"\?/, 'biuld')
    await refused(/no runbook "zzzzzz".*There are: ask, build/, 'zzzzzz')
    await refused(/There is no file no\/such\.yaml/, 'no/such.yaml')
    project.write('dirt.txt', 'dirt')
    project.git('add', 'dirt.txt')
    await refused(/✗ .*dirt\.txt/, 'ask')
    project.git('reset', '-q', '--hard')
    project.git('checkout', '-q', '--detach')
    await refused(/✗ .*(detached|branch)/i, 'ask')
    project.git('checkout', '-q', 'main')
    expect((await project.run('run', 'ask', '--var', 'what')).code).toBe(2)
    expect(await allRuns(project)).toEqual([])
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})

describe('a host that stays', () => {
  it('[J8] [W8] is one, is found by everybody, and is told what to do with its runs', async () => {
    const project = openProject()
    const host = project.begin('up', '--port', '0')
    await host.says(/Signalbox is up at http:\/\/127\.0\.0\.1:\d+/)
    const twice = await project.run('up', '--port', '0')
    expect(twice).toMatchObject({ code: 1, out: '' })
    expect(twice.err).toMatch(new RegExp(`already up at http://127.0.0.1:\\d+ \\(process ${host.pid}\\)`))

    const run = idIn(await project.run('run', 'ask', '--detach'))
    const other = idIn(await project.run('run', 'ask', '--detach'))
    const { run: third } = await project.json('run', 'hangs', '--detach')
    // What was started keeps its own copy, with steps that the file does not have any more.
    project.write('.signalbox/ask.yaml', 'runbook: 1\nsteps: {}\n')
    const said = async (code: number, words: string | RegExp, ...args: string[]): Promise<void> => {
      const ran = await project.run(...args)
      expect(`${ran.out}${ran.err}`).toMatch(words)
      expect(ran.code).toBe(code)
      expectNoCrash(ran)
    }
    await said(2, /There is no run "zzz"/, 'show', 'zzz')
    await said(2, /There is no run ""/, 'cancel', '')
    await said(
      2,
      /"shipp" is not offered\. Choose one of: ship, again, drop, test\./,
      'decision',
      'answer',
      run,
      'shipp',
    )
    await said(2, /did you mean|sign_off/i, 'move', run, 'sign-off')
    await said(2, /rewrk.*rework/s, 'extend', run, 'rewrk', '1')
    await said(0, /has more/, 'extend', run, 'rework', '2')
    await said(0, /answered with again/, 'decision', 'answer', run, 'again', '--note', 'once more')
    await said(0, /begins its step again/, 'retry', run)
    await said(0, /is moved/, 'move', run, 'later', '--reason', 'to see')
    await until(
      async () => (await allRuns(project)).some((row) => row.run === run && row.end === 'done'),
      'the end',
    )
    await said(3, /Ship this\?/, 'attach', other)
    await said(0, /answered with ship/, 'decision', 'answer', other, 'ship')
    await said(
      1,
      /asks nothing of you now\. sign_off#1\?1 was answered by \S+ with ship\./,
      'decision',
      'answer',
      other,
      'drop',
    )
    await said(0, /✓ ended as done/, 'attach', other)
    await said(0, /is cancelled/, 'cancel', third as string)
    const story = (await project.run('show', run)).out
    for (const words of [
      'rework extended by 2',
      'answered: again, once more',
      'moved from sign_off to later',
    ])
      expect(story).toContain(words)

    expect(await project.run('down')).toMatchObject({ code: 0 })
    expect((await host.ended).code).toBe(0)
    expect(await project.run('down')).toMatchObject({ code: 0, out: 'No host is running.\n' })
    expect(project.agents()).toEqual([])
  })

  it('[K1] is started in the background by whoever does not want to wait', async () => {
    const project = openProject()
    const both = await Promise.all([
      project.run('run', 'ask', '--detach'),
      project.run('run', 'build', '--detach'),
    ])
    for (const ran of both) expect(ran).toMatchObject({ code: 0, err: '' })
    const [asking, building] = both.map(idIn)
    const attached = await project.run('attach', building!)
    expect(attached.code).toBe(0)
    expect(attached.out).toContain('ended as done')
    const door = JSON.parse(readFileSync(join(project.home, 'host.json'), 'utf8')) as { pid: number }
    expect(project.agents()).toContain(door.pid)

    // Killed in the middle of everything: what it hosted is there for the next one.
    process.kill(door.pid, 'SIGKILL')
    await until(() => !project.agents().includes(door.pid), 'the end of the host')
    expect((await project.run('decision', 'answer', asking!, 'ship')).code).toBe(0)
    expect((await allRuns(project)).map(({ end }) => end)).toEqual(['done', 'done'])
  })
})

describe('a first look', () => {
  it('is a demo that ends well by itself and leaves a commit on a branch', async () => {
    const project = openProject()
    const ran = await project.run('demo', '--answer', 'recommended')
    expect(ran.err).toBe('')
    expect(ran.code).toBe(0)
    for (const words of [
      'gate failed',
      'gate passed',
      '→ reject → develop',
      '→ approve → sign_off',
      'ended as done',
    ])
      expect(ran.out).toContain(words)
    const [, repo, branch] = /git -C (\S+) log --oneline (\S+)/.exec(ran.out) ?? []
    expect(
      execFileSync('git', ['-C', repo!, 'log', '--oneline', `main..${branch}`], { encoding: 'utf8' }),
    ).toMatch(/^[0-9a-f]+ .*\S/)
    expect(project.agents()).toEqual([])
  })

  it('is for agents too: an MCP server that lists and reads runs', async () => {
    const project = openProject()
    const run = idIn(await project.run('run', 'ask', '--detach'))
    const client = new Client({ name: 'outside', version: '0' })
    await client.connect(project.transport('mcp'))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'create_decision',
      'wait_decision',
      'list_runs',
      'read_run',
    ])
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const [first] = content
      return { isError: isError === true, text: first?.type === 'text' ? first.text : '' }
    }
    expect(JSON.parse((await call('list_runs', {})).text)).toMatchObject([{ run, status: 'waiting' }])
    const read = JSON.parse((await call('read_run', { all: true, run: run.slice(0, 3) })).text)
    expect(read).toMatchObject({ row: { run }, questions: [{ headline: 'Ship this?' }] })
    expect(read.events[0]).toMatchObject({ type: 'run.started' })
    expect(await call('read_run', { run: 'zzz' })).toMatchObject({ isError: true })
    expect(await call('cancel_run', { run })).toMatchObject({ isError: true })
    // What is too much is refused before anything is made of it.
    const deep: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`)
    await expect(call('read_run', { run, deep })).rejects.toThrow('nested deeper than 200 levels')
    await expect(call('read_run', { run: 'x'.repeat(5 * 1024 * 1024) })).rejects.toThrow('longer than 4 MiB')
    // Characters count, however many bytes they take: then it is heard.
    expect(await call('list_runs', { all: true, why: '漢'.repeat(4_000_000) })).toHaveProperty('text')
    // The host leaves; the next call is answered all the same.
    await project.run('down')
    expect(JSON.parse((await call('list_runs', { all: true })).text)).toMatchObject([{ run }])
    await client.close()
    await until(() => project.agents().length === 0, 'the end of the server')
  })

  it('is a help that lists every command', async () => {
    const project = openProject()
    const { code, out } = await project.run('--help')
    expect(code).toBe(0)
    for (const command of [
      ...[
        'check',
        'rehearse',
        'schema',
        'init',
        'run',
        'attach',
        'ps',
        'show',
        'logs',
        'cancel',
        'move',
        'retry',
      ],
      ...[
        'extend',
        'discard',
        'decision',
        'up',
        'down',
        'mcp',
        'agents',
        'doctor',
        'demo',
        'issue',
        'completion',
      ],
    ])
      expect(out).toMatch(new RegExp(`^ {2}${command}\\b.*\\w`, 'm'))
    expect((await project.run('atach', 'x')).err).toContain('Did you mean attach?')
  })
})
