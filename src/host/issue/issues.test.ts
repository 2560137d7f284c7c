import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { editIssue } from '../../tracker/edit-issue.ts'
import { findingOutdatedLists } from '../../tracker/lists.ts'
import { issueIn } from '../../tracker/readiness.ts'
import { isRefused } from '../../tracker/refusal.ts'
import { issueIdOf, MAX_TRACKER_CHARACTERS, readTracker } from '../../tracker/tracker.ts'
import { createRepository, temporaryFolder } from '../workspace/repository.fixture.ts'
import { LARGEST_ISSUE } from './issue-folder.ts'
import { changeTracker, fileIssues, openTracker } from './issues.ts'
import { MAX_BLOCKED_MS, paced } from './paced.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const repo = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true })
    writeFileSync(join(repo, name), text)
  }
  return repo
}

const BARE = { body: '', parent: '', labels: [], dependsOn: [], category: '' }
const opened = (repo: string, configured: string | null = null) => openTracker({ repo, configured })
const newIssue = async (repo: string, title = 'x'): Promise<string> => {
  const filed = await fileIssues({ repo, configured: null }, { count: 1, drafts: () => [{ ...BARE, title }] })
  return isRefused(filed) ? filed.problem : `${filed.tracker.folder}/${filed.ids[0]}.md`
}
const comment = (repo: string, text: string, id = '1') =>
  changeTracker({ repo, configured: null }, (tracker) => {
    const made = editIssue(tracker, { id, edit: { comment: { at: '2026-01-01', by: 'x', text } } })
    return isRefused(made) ? made : new Map([[`${id}.md`, made.text]])
  })
const issuesIn = (folder: string): string[] => readdirSync(folder).filter((name) => issueIdOf(name) !== null)

describe('a tracker', () => {
  it('is the folder that has issues, or the one that the config names', async () => {
    const repo = folderWith({ 'TODO/GAL-2.md': '# Two', 'docs/todo/7.md': '# Seven' })
    expect((await opened(repo))?.issues.map(({ path }) => path)).toEqual(['TODO/GAL-2.md'])
    expect((await opened(repo, 'docs/todo'))?.issues.map(({ path }) => path)).toEqual(['docs/todo/7.md'])
    expect(await opened(repo, 'docs/none')).toBeNull()
    expect(await opened(temporaryFolder())).toBeNull()
    expect(await opened(join(repo, 'none'))).toBeNull()
  })

  it('is read in order, with what cannot be read beside', async () => {
    const repo = folderWith({
      'TODO/10.md': '# Ten',
      'TODO/9.md': '# Nine',
      'TODO/README.md': 'not an issue',
      'TODO/bad.md': '---\n',
      'TODO/large.md': 'x'.repeat(1024 * 1024 + 1),
      'TODO/.hidden.md': '',
      'TODO/-rf.md': '',
    })
    writeFileSync(join(repo, 'TODO/bytes.md'), Buffer.from([0xff, 0xfe, 0x00]))
    symlinkSync('/etc/hostname', join(repo, 'TODO/link.md'))
    mkdirSync(join(repo, 'TODO/folder.md'))
    const tracker = await opened(repo)
    expect(tracker?.issues.map(({ id }) => id)).toEqual(['9', '10'])
    expect(tracker?.problems.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('TODO/bad.md, line 1'),
      expect.stringContaining('TODO/bytes.md cannot be read: it is not UTF-8 text'),
      expect.stringContaining('TODO/folder.md cannot be read: it is a folder'),
      expect.stringContaining('TODO/large.md cannot be read: it has 1048577 bytes'),
      expect.stringContaining('TODO/link.md cannot be read: it is a link'),
    ])
  })

  it.each(['../secret', '..', '', 'a/b', '/etc/passwd', '-rf', 'a\0b', 'a\nb', '.hidden', 'a..b'])(
    'has no issue of the id %j',
    async (id) => {
      const tracker = await opened(folderWith({ 'secret.md': 'x', 'TODO/x.md': '' }))
      if (tracker === null) throw new Error('there is one')
      expect(issueIn(tracker, id)).toMatchObject({
        problem: expect.stringContaining('not the id of an issue'),
      })
    },
  )
})

describe('a change', () => {
  it('[I2] leaves all but its lines byte for byte, and the rights of the file', async () => {
    const text = '\ufeff---\r\ntitle: x # y\r\nodd:  [ 1,2 ]\r\n---\r\n\r\n\r\nBody \t\r\n'
    const repo = folderWith({ 'TODO/1.md': text })
    chmodSync(join(repo, 'TODO/1.md'), 0o640)
    await comment(repo, 'Hi')
    const now = readFileSync(join(repo, 'TODO/1.md'), 'utf8')
    expect(now).toBe(`${text}\r\n## Comments\r\n\r\n### 2026-01-01, x\r\n\r\n> Hi\r\n`)
    expect(statSync(join(repo, 'TODO/1.md')).mode & 0o777).toBe(0o640)
    expect(readdirSync(join(repo, 'TODO')).toSorted()).toEqual(['1.md', 'README.md'])
  })

  it('[I10] goes through no link and overwrites nothing that cannot be read', async () => {
    const outside = folderWith({ 'README.md': 'theirs', '5.md': 'theirs' })
    const linked = folderWith({ 'a.txt': '' })
    symlinkSync(outside, join(linked, 'TODO'))
    expect(await opened(linked)).toBeNull()
    expect(
      await fileIssues(
        { repo: linked, configured: 'TODO' },
        { count: 1, drafts: () => [{ ...BARE, title: 'x' }] },
      ),
    ).toMatchObject({
      code: 'cannot-write',
    })
    const repo = folderWith({ 'TODO/1.md': '# One' })
    symlinkSync(join(outside, 'README.md'), join(repo, 'TODO/README.md'))
    symlinkSync(join(outside, '5.md'), join(repo, 'TODO/5.md'))
    expect(isRefused((await comment(repo, 'Hi')) as object)).toBe(false)
    expect(await comment(repo, 'Hi', '5')).toMatchObject({ code: 'issue-malformed' })
    expect(await newIssue(repo)).toBe('TODO/6.md')
    expect([
      readFileSync(join(outside, 'README.md'), 'utf8'),
      readFileSync(join(outside, '5.md'), 'utf8'),
    ]).toEqual(['theirs', 'theirs'])
    expect(readdirSync(outside)).toHaveLength(2)
  })

  it('[I10] loses nothing to another one at the same time', async () => {
    const repo = createRepository({ 'TODO/1.md': '# One\n' })
    await Promise.all(Array.from({ length: 12 }, (_, n) => comment(repo.dir, `said ${n}`)))
    const tracker = await opened(repo.dir)
    expect(
      tracker?.byId
        .get('1')
        ?.comments.map(({ text }) => text)
        .toSorted(),
    ).toEqual(Array.from({ length: 12 }, (_, n) => `said ${n}`).toSorted())
    expect(existsSync(join(repo.dir, '.git/signalbox/issues.lock'))).toBe(false)
  })

  it('[I10] does not wait for one who died', async () => {
    const repo = createRepository({ 'TODO/1.md': '# One\n' })
    const lock = join(repo.dir, '.git/signalbox/issues.lock')
    mkdirSync(dirname(lock))
    writeFileSync(lock, 'somebody')
    utimesSync(lock, 0, 0)
    expect(isRefused((await comment(repo.dir, 'Hi')) as object)).toBe(false)
  })

  it('[I10] that would be too large to be read again is refused', async () => {
    const repo = folderWith({ 'TODO/1.md': 'x'.repeat(1024 * 1024 - 20) })
    expect(await comment(repo, 'Hi')).toMatchObject({ code: 'text-too-long' })
    expect(await comment(folderWith({}), 'Hi')).toMatchObject({ code: 'tracker-missing' })
  })
})

describe('a new issue', () => {
  it('[I7] gets the next number, in the folder and with the prefix that are in use', async () => {
    const repo = createRepository().dir
    expect(await newIssue(repo, 'First: "x"\nof all')).toBe('.signalbox/issues/1.md')
    expect((await opened(repo))?.byId.get('1')).toMatchObject({
      title: 'First: "x" of all',
      status: 'Todo',
      body: '',
    })
    const other = folderWith({ 'TODO/GAL-41.md': '# x', 'TODO/GAL-9.md': '# x' })
    expect(await newIssue(other)).toBe('TODO/GAL-42.md')
  })

  it('[I7] never shares its number, even in another worktree of the repository', async () => {
    const repo = createRepository()
    const path = join(temporaryFolder(), 'second')
    repo.git('worktree', 'add', '-q', '-b', 'second', path)
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => newIssue(n % 2 ? repo.dir : path, `n${n}`)),
    )
    expect(new Set(made).size).toBe(20)
    expect(issuesIn(join(repo.dir, '.signalbox/issues'))).toHaveLength(10)
    expect(issuesIn(join(path, '.signalbox/issues'))).toHaveLength(10)
  })

  it.each(['git', 'plain'])(
    '[I7] never shares its number with other processes, in a %s folder',
    async (kind) => {
      const repo = kind === 'git' ? createRepository().dir : temporaryFolder()
      const page = fileURLToPath(new URL('issues.ts', import.meta.url))
      const script = `
      const { fileIssues } = await import(${JSON.stringify(page)})
      const draft = { title: 'x', body: '', parent: '', labels: [], dependsOn: [], category: '' }
      const made = await Promise.all([1, 2, 3, 4, 5].map(() => fileIssues({ repo: ${JSON.stringify(repo)}, configured: null }, { count: 1, drafts: () => [draft] })))
      console.log(made.map((each) => each.ids?.[0] ?? each.problem).join(' '))`
      const outputs = await Promise.all(
        [1, 2, 3, 4].map(
          () =>
            new Promise<string>((done) => {
              const child = spawn(
                process.execPath,
                ['--import', 'tsx', '--input-type=module', '-e', script],
                {
                  stdio: ['ignore', 'pipe', 'inherit'],
                },
              )
              let text = ''
              child.stdout.on('data', (piece: Buffer) => {
                text += piece.toString()
              })
              child.on('close', () => done(text))
            }),
        ),
      )
      const ids = outputs.flatMap((text) => text.trim().split(' ')).map(Number)
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
      if (kind === 'plain') expect(readdirSync(repo)).toEqual(['.signalbox'])
      expect(issuesIn(join(repo, '.signalbox/issues'))).toHaveLength(20)
      const index = readFileSync(join(repo, '.signalbox/issues/README.md'), 'utf8')
      expect(index.match(/^- \[\d+\]/gm)).toHaveLength(20)
    },
  )
})

/** How often something else could have been done. */
async function withTurns<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly made: T }> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const made = await work()
  isOver = true
  return { turns, made }
}

/** Each part takes longer than the host may be kept from its other work. */
function* takingLong(parts: number): Generator<void, void, void> {
  for (let part = 0; part < parts; part++) {
    const endsAt = performance.now() + 2 * MAX_BLOCKED_MS
    while (performance.now() < endsAt);
    yield
  }
}

describe('[X24] issues that are too much to be read', () => {
  const LINE = 'Some words of a line that is a little shorter than eighty characters.\n'
  const mebibyte = `# A\n\n${LINE.repeat(Math.floor((LARGEST_ISSUE - 10) / LINE.length))}`

  it('are left out by name, the largest first, and the host works on beside the rest', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, nth) => [`TODO/${nth + 1}.md`, mebibyte] as const),
    )
    const repo = folderWith({ ...files, 'TODO/small.md': '# Small\n' })
    const { turns, made: tracker } = await withTurns(() => opened(repo))
    const fit = Math.floor(MAX_TRACKER_CHARACTERS / mebibyte.length)
    expect(tracker?.issues).toHaveLength(fit + 1)
    expect(tracker?.byId.get('small')?.title).toBe('Small')
    expect(tracker?.problems).toHaveLength(60 - fit)
    expect(tracker?.problems[0]?.problem).toMatch(
      /^TODO\/\d+\.md is left out: the issues here have more than 16 MiB in all\. Shorten the largest\.$/,
    )
    expect(turns).toBeGreaterThan(1)
  })

  it('are listed with a stop after each, and the host works on at a stop that comes late', async () => {
    const files = new Map(Array.from({ length: 5 }, (_, nth) => [`${nth + 1}.md`, '# An issue\n'] as const))
    const tracker = readTracker({ folder: 'TODO', files })
    expect([...findingOutdatedLists(tracker)]).toHaveLength(5)
    const { turns } = await withTurns(() => paced(takingLong(5)))
    expect(turns).toBeGreaterThan(4)
  })

  it('are left out where one has too many lines, however short they are', async () => {
    const repo = folderWith({ 'TODO/1.md': '# Lines\n'.repeat(50_000), 'TODO/2.md': '# Two\n' })
    expect(await opened(repo)).toMatchObject({
      issues: [{ id: '2' }],
      problems: [{ id: '1', problem: 'TODO/1.md is left out: it has more than 50000 lines. Shorten it.' }],
    })
  })
})
