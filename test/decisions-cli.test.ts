/** Decisions as a person and a script have them: the built command, a real host, processes that come and go. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../src/until.fixture.ts'
import { type Ran, run } from './command.fixture.ts'
import { openProject, type Project } from './runs.fixture.ts'

const STORE = [
  ...['--headline', 'Which store for sessions?', '--question', 'Where should sessions be kept?'],
  ...['--option', 'sqlite=SQLite file: Keep them in the file.', '--option', 'redis=Redis: Add Redis.'],
  ...['--recommended', 'sqlite', '--context', 'Both pass the tests.'],
]

async function openHost(): Promise<Project> {
  const project = openProject()
  await project.begin('up', '--port', '0').says('is up at')
  return project
}

async function create(project: Project, ...more: string[]): Promise<string> {
  const made = await project.run('decision', 'create', ...STORE, ...more)
  expect(made).toMatchObject({ code: 0, err: '' })
  return made.out.trim()
}

const decision = (project: Project, ...args: string[]): Promise<Ran> => project.run('decision', ...args)

async function said(ran: Promise<Ran>, code: number, words: RegExp): Promise<void> {
  const { out, err, code: got } = await ran
  expect(`${out}${err}`).toMatch(words)
  expect(got).toBe(code)
  expect(err).not.toMatch(/^\s+at .*[:(]/m)
}

const AT_ONCE = 3

async function allSaid(
  project: Project,
  cases: readonly (readonly [code: number, words: RegExp, ...args: string[]])[],
): Promise<void> {
  for (let at = 0; at < cases.length; at += AT_ONCE)
    await Promise.all(
      cases
        .slice(at, at + AT_ONCE)
        .map(([code, words, ...args]) => said(decision(project, ...args), code, words)),
    )
}

interface Listed {
  readonly rows: readonly { readonly id: string; readonly headline: string; readonly group: number }[]
  readonly next: string | null
}

describe('a decision from the command line', () => {
  it('is raised, listed, shown, answered once, and its answer reaches whoever waits', async () => {
    const project = await openHost()
    await said(decision(project, 'list'), 0, /^Nobody waits for you\.$/m)
    const id = await create(project, '--from', 'nightly', '--urgency', 'high', '--deadline', '2h')
    await said(
      decision(project, 'list'),
      3,
      new RegExp(`^${id} +\\d+s +! +nightly +Which store .* sqlite$`, 'm'),
    )
    await said(project.run('inbox'), 3, /Which store for sessions\?/)
    await said(
      decision(project, 'show', id.slice(0, 6)),
      0,
      /nightly .*high urgency[\s\S]*│ Both pass[\s\S]*1 {2}sqlite {2}SQLite file {2}recommended[\s\S]*To answer/,
    )
    await said(decision(project, 'wait', id, '--seconds', '0'), 3, /is still open/)

    const waiting = project.begin('decision', 'wait', id, '--seconds', '600')
    await said(decision(project, 'answer', id, 'redis', '--note', 'It scales.'), 0, /answered with redis/)
    const got = await waiting.ended
    expect(got.code).toBe(0)
    for (const words of ['Which store for sessions?', 'Picked: redis (Redis)', 'Add Redis.', 'It scales.'])
      expect(got.out).toContain(words)

    await said(decision(project, 'answer', id, 'sqlite'), 1, /already answered this with redis/)
    await said(decision(project, 'undo', id), 1, /deliver/)
    await said(
      decision(project, 'show', id),
      0,
      /delivered[\s\S]*picked redis \(Redis\)[\s\S]*It scales\.[\s\S]*answered \+.* → delivered \+/,
    )
    // Whoever asks again gets the same answer.
    expect((await decision(project, 'wait', id)).out).toBe(got.out)
    await said(decision(project, 'list'), 0, /Nobody waits/)
    await said(decision(project, 'list', '--all'), 0, /STATUS[\s\S]*delivered[\s\S]*redis \(\S+\)/)
  })

  it('can be waited for where it is raised, also where nobody is the host, and tells its id to whoever gives up', async () => {
    const project = openProject()
    const waiting = project.begin('decision', 'create', ...STORE, '--wait', '600')
    await waiting.says(/^[0-9a-f]{6,}$/m)
    const { rows } = await project.json<Listed>('decision', 'list')
    expect(await project.json('decision', 'snooze', rows[0]!.id, '1h')).toMatchObject({ status: 'open' })
    expect(await project.json('decision', 'snooze', rows[0]!.id, '--wake')).toMatchObject({
      snoozedUntil: null,
    })
    await said(decision(project, 'answer', rows[0]!.id, '--note', 'Neither of them.'), 0, /in words/)
    const { out, code } = await waiting.ended
    expect(code).toBe(0)
    expect(out).toContain('Neither of them.')
    const late = await decision(project, 'create', ...STORE, '--wait', '0')
    expect(late).toMatchObject({ code: 3, out: '' })
    expect(late.err).toMatch(/^[0-9a-f]{6,}\n.* is still open/)
  })

  it('is waited for through the end of a host', async () => {
    const project = openProject()
    const host = project.begin('up', '--port', '0')
    await host.says('is up at')
    const waiting = project.begin('decision', 'create', ...STORE, '--wait', '600')
    await waiting.says(/^[0-9a-f]{6,}$/m)
    const { rows } = await project.json<Listed>('decision', 'list')
    host.signal('SIGKILL')
    await host.ended
    await said(decision(project, 'answer', rows[0]!.id, 'redis'), 0, /answered with redis/)
    expect(await waiting.ended).toMatchObject({ code: 0, out: expect.stringContaining('Picked: redis') })
  })

  it('is not hosted by whoever waits for it, once the host was stopped on purpose', async () => {
    const project = await openHost()
    const waiting = project.begin('decision', 'create', ...STORE, '--wait', '600')
    await waiting.says(/^[0-9a-f]{6,}$/m)
    await said(project.run('down'), 0, /down|stopped|ended/)
    expect(await waiting.ended).toMatchObject({ code: 3, err: expect.stringContaining('was stopped') })
  })

  it('keeps an answer that comes before the wait, and takes it back until then', async () => {
    const project = await openHost()
    const id = await create(project)
    await said(
      decision(project, 'answer', id, 'redis', '--edit', 'Only for tests.', '--hold', '1m'),
      0,
      /For 1m it can be taken back/,
    )
    await said(decision(project, 'show', id), 0, /proposed +Add Redis\.\napproved +Only for tests\./)
    await said(decision(project, 'undo', id), 0, /is open again/)
    await said(decision(project, 'list'), 3, /Which store/)
    await said(decision(project, 'answer', id, 'sqlite'), 0, /answered with sqlite/)
    await said(decision(project, 'wait', id), 0, /Picked: sqlite/)
  })

  it('is put off, given to somebody, replaced and withdrawn', async () => {
    const project = await openHost()
    const id = await create(project)
    await said(decision(project, 'snooze', id, '2h'), 0, /comes back in 2h/)
    await said(decision(project, 'list'), 0, /Nobody waits/)
    await said(decision(project, 'list', '--snoozed'), 3, /zz 1h/)
    await said(decision(project, 'snooze', id, '--wake'), 0, /is awake/)
    await said(decision(project, 'assign', id, 'anna'), 0, /is for anna/)
    await said(decision(project, 'list', '--assignee', 'anna'), 3, /for anna/)
    await said(decision(project, 'list', '--assignee', 'bert'), 0, /Nobody waits/)
    await said(decision(project, 'assign', id, '--nobody'), 0, /whoever is there/)

    const next = await create(project, '--supersedes', id.slice(0, 6), '--evidence', 'load=It has grown.')
    await said(decision(project, 'show', id), 0, /superseded[\s\S]*replaced by +\S+/)
    await said(decision(project, 'answer', id, 'redis'), 1, new RegExp(`superseded|${next}`))
    await said(
      decision(project, 'show', next),
      0,
      new RegExp(`in the place of ${id}\\. What changed:\\n +context load\\n +\\+ It has grown\\.`),
    )
    await said(decision(project, 'withdraw', next, '--reason', 'done by hand'), 0, /is withdrawn/)
    await said(decision(project, 'wait', next), 1, /withdrawn/)
  })

  it('is answered together with those that ask the same, and exported with its whole record', async () => {
    const project = await openHost()
    const [one, two] = [await create(project), await create(project)]
    await said(decision(project, 'list'), 3, /^[0-9a-f]+ .* sqlite {2}×2$/m)
    const page = await project.json<Listed>('decision', 'list', '--limit', '1')
    expect(page.rows).toMatchObject([{ headline: 'Which store for sessions?', group: 2 }])
    const rest = await project.json<Listed>('decision', 'list', '--cursor', page.next!)
    expect([...page.rows, ...rest.rows].map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
    expect(rest.next).toBeNull()
    await said(
      decision(project, 'answer', one, 'sqlite', '--together'),
      0,
      /answered with sqlite, 2 together/,
    )
    await said(decision(project, 'undo', two), 0, /2 decisions in all/)
    await said(decision(project, 'answer', two, 'redis', '--together'), 0, /2 together/)

    const { out, code } = await decision(project, 'export')
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(JSON.parse(lines.pop()!)).toMatchObject({
      record: {
        heads: expect.arrayContaining([expect.objectContaining({ stream: `decision/${one}` })]),
      },
    })
    const records = lines.map((line) => JSON.parse(line) as { id: string })
    expect(records.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
    for (const record of records)
      expect(record).toMatchObject({
        pick: 'redis',
        shown: { recommended: 'sqlite' },
        proof: { door: 'cli' },
      })
    const file = join(project.repo, '..', 'all.jsonl')
    await said(decision(project, 'export', '--out', file), 0, /2 decisions written to/)
    expect(readFileSync(file, 'utf8').split('\n').slice(0, 2)).toEqual(out.split('\n').slice(0, 2))
    await said(decision(project, 'export', '--out', '/no/such/place'), 1, /cannot be written to \(ENOENT\)/)
    await said(
      decision(project, 'show', one, '--proof'),
      0,
      /door +command line[\s\S]*agent +cli, served by signalbox[\s\S]*as it was received[\s\S]*"recommended": "sqlite"/,
    )
  })

  it('wakes a command with the answer on its standard input', async () => {
    const project = await openHost()
    const file = join(project.repo, '..', 'woken.txt')
    const id = await create(project, '--resume', `sh -c 'cat > "${file}"'`)
    await said(decision(project, 'answer', id, 'redis'), 0, /answered with redis/)
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('Picked: redis'), 'the answer')
  })

  it('is told what is wrong with what was typed', async () => {
    const project = await openHost()
    const id = await create(project)
    writeFileSync(join(project.repo, 'resume.json'), '{"headline":"x","resume":{"command":"claude"}}')
    await allSaid(project, [
      [
        2,
        /resume\.json says `resume`, which is given on the command line/,
        'create',
        '--file',
        'resume.json',
      ],
      [1, /`question` is missing[\s\S]*A correct one/, 'create', '--headline', 'x'],
      [2, /--option takes KEY=LABEL/, 'create', '--option', 'x'],
      [2, /none\.json does not exist/, 'create', '--file', 'none.json'],
      [2, /--wait takes seconds/, 'create', ...STORE, '--wait', 'soon'],
      [2, /without a shell/, 'create', ...STORE, '--resume', 'a | b'],
      [2, /no decision "zzz"/, 'create', ...STORE, '--supersedes', 'zzz'],
      [2, /no decision and no run "zzz"/, 'show', 'zzz'],
      [2, /"rediss" is not offered\. Choose one of: sqlite, redis\./, 'answer', id, 'rediss'],
      [2, /Say which option/, 'answer', id],
      [2, /--field takes NAME=TEXT/, 'answer', id, 'redis', '--field', 'x'],
      [1, /has changed since/, 'answer', id, 'redis', '--seen', 'other'],
      [2, /such as 30m, 2h or 1d/, 'snooze', id, 'soon'],
      [2, /such as 30m/, 'snooze', id],
      [2, /Say to whom/, 'assign', id],
      [2, /no status "asleep"/, 'list', '--status', 'asleep'],
      [2, /no run "zzz"/, 'list', '--run', 'zzz'],
      [1, /cursor/, 'list', '--cursor', 'zzz'],
      [3, /To answer/, 'review', id],
    ])
  })
})

describe('a question of a run', () => {
  it('is answered by the name of the run where it asks one thing', async () => {
    const project = await openHost()
    const started = await project.json<{ run: string }>('run', 'ask', '--detach')
    await until(
      async () => (await project.json<Listed>('decision', 'list')).rows.length === 1,
      'the question',
    )
    await said(decision(project, 'show', started.run), 0, /Ship this\?[\s\S]*ship .*→ done/)
    await said(
      decision(project, 'answer', started.run, 'shipp'),
      2,
      /Choose one of: ship, again, drop, test\./,
    )
    await said(
      decision(project, 'answer', started.run, 'again', '--question', 'sign_off#9?1'),
      2,
      /no open question/,
    )
    await said(decision(project, 'undo', started.run), 2, /is a run/)
    await said(decision(project, 'answer', started.run, 'drop'), 0, /answered with drop/)
    await said(
      decision(project, 'answer', started.run, 'ship'),
      1,
      /asks nothing of you now\. \S+ was answered by \S+ with drop\./,
    )
    await said(decision(project, 'show', started.run, '--proof'), 0, /a question of the flow itself/)
  })
})

describe('an agent with the command', () => {
  it('[V8] raises a question from its session, is refused an answer, and is woken with that of a person', async () => {
    const project = openProject()
    const bin = resolve('bin/signalbox')
    const flags = STORE.map((word) => `'${word}'`).join(' ')
    project.write(
      '.signalbox/asks.yaml',
      'runbook: 1\nname: asks\nagents: { dev: { use: asker } }\nsteps: { work: { agent: dev, prompt: Do it., next: done } }\n',
    )
    project.write('.signalbox/config.yaml', 'agents: { asker: { scripted: asker.json } }\n')
    const turns = [
      [
        { run: `${bin} decision create ${flags} > asked.txt 2>&1` },
        {
          run: `${bin} decision wait "$(cat asked.txt)" --seconds 0 > waited.txt 2>&1; echo $? >> waited.txt`,
        },
        { run: `${bin} decision answer "$(cat asked.txt)" redis > tried.txt 2>&1; echo $? >> tried.txt` },
        { say: 'Asked.' },
      ],
      [{ run: 'echo on >> went.txt' }, { say: 'FINISHED' }],
    ]
    project.write('.signalbox/asker.json', JSON.stringify({ sessions: [{ when: {}, turns }] }))
    project.git('add', '-A')
    project.git('commit', '-q', '-m', 'asks')
    await project.begin('up', '--port', '0').says('is up at')
    const { run: id } = await project.json<{ run: string }>('run', 'asks', '--detach')
    await until(
      async () => (await project.json<Listed>('decision', 'list')).rows.length === 1,
      'the question',
    )
    await said(
      decision(project, 'show', id, '--proof'),
      0,
      /door +command line[\s\S]*"recommended": "sqlite"/,
    )
    await said(decision(project, 'answer', id, 'sqlite', '--note', 'Go on.'), 0, /answered with sqlite/)
    await said(project.run('attach', id), 0, /ended as done/)
    await said(decision(project, 'show', id), 0, /acted[\s\S]*picked sqlite[\s\S]*delivered \+/)
    const branch = project.git('branch', '--list', 'signalbox/*', '--format=%(refname:short)')
    expect(project.git('show', `${branch}:waited.txt`)).toMatch(/is still open[\s\S]*\n3$/)
    expect(project.git('show', `${branch}:tried.txt`)).toMatch(/never answer one[\s\S]*\n1$/)
    expect(project.git('show', `${branch}:went.txt`)).toBe('on')
  })

  it('can raise questions and never answer one', async () => {
    const project = await openHost()
    const id = await create(project)
    const asAgent = (...args: string[]): Promise<Ran> =>
      run(
        'env',
        [
          `SIGNALBOX_HOME=${project.home}`,
          ...['SIGNALBOX_SESSION_URL=http://127.0.0.1:1', 'SIGNALBOX_SESSION_TOKEN=mine'],
          ...[resolve('bin/signalbox'), ...args],
        ],
        project.repo,
      )
    const refused = (...args: string[]): Promise<void> =>
      said(asAgent(...args), 1, /An agent can raise questions .* and never answer one/)
    await Promise.all([
      refused('decision', 'answer', id, 'redis'),
      refused('decision', 'undo', id),
      refused('decision', 'withdraw', id),
    ])
    await Promise.all([refused('decision', 'review', id), refused('decision', 'list'), refused('inbox')])
    // What it may do goes to its own session, and to nothing else.
    await said(asAgent('decision', 'create', ...STORE), 1, /host of this session does not answer/)
    await said(asAgent('decision', 'wait', id), 1, /host of this session does not answer/)
    expect((await project.json<Listed>('decision', 'list')).rows).toMatchObject([{ id, status: 'open' }])
  })
})
