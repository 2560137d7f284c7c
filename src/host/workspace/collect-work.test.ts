import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffstat } from './changes.ts'
import { BRANCH, createRepository, createRun } from './repository.fixture.ts'

/** Folders in folders: by another process, which can go where no path leads. */
function dig(folders: { readonly within: string; readonly levels: number; readonly files: number }): void {
  const script = `const fs = require('node:fs'); process.chdir(process.argv[1])
    for (let nth = 0; nth < ${folders.levels}; nth++) { fs.mkdirSync('d'); process.chdir('d') }
    for (let nth = 0; nth < ${folders.files}; nth++) fs.writeFileSync('file' + nth, 'x')`
  execFileSync(process.execPath, ['-e', script, folders.within])
}

describe('a commit of the run', () => {
  it('[W5] holds everything that is not ignored, and names the run', async () => {
    const { work, repo, base, collected } = await createRun()
    work.write('src/code.ts', 'better\n')
    work.write('new file', '')
    work.write('-dash', '')
    work.write('x.log', 'ignored')
    work.write('.signalbox/run/plan.md', 'plan')
    const { commit } = await collected({ message: 'develop: visit 1\n\nBody\n' })
    expect(repo.git('rev-parse', BRANCH)).toBe(commit)
    expect(repo.git('log', '-1', '--format=%B', commit)).toBe(
      'develop: visit 1\n\nBody\n\nSignalbox-Run: r1\n',
    )
    expect(repo.git('log', '-1', '--format=%(trailers:key=Signalbox-Run,valueonly)', commit)).toBe('r1\n')
    expect(repo.git('log', '-1', '--format=%an <%ae> %P', commit)).toBe(`Tester <tester@example.com> ${base}`)
    expect(repo.git('diff', '--name-only', base, commit)).toBe('-dash\nnew file\nsrc/code.ts')
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('[W20] holds nothing that lies deeper than a path can say, and the record says so', async () => {
    const { path, work, repo, base, collected } = await createRun()
    dig({ within: path, levels: 3000, files: 1 })
    work.write('seen.txt', 'x')
    const { commit, notes } = await collected()
    expect(repo.git('diff', '--name-only', base, commit)).toBe('seen.txt')
    expect(notes).toEqual([expect.stringContaining('deeper than a path can say')])
  })

  it('[W20] can be undone in folders that are as deep as a path can say', async () => {
    const { path, collected } = await createRun()
    dig({ within: path, levels: 1900, files: 50 })
    const { outside, notes } = await collected({ boundary: [[]] })
    expect([outside.length, notes]).toEqual([50, []])
    expect(existsSync(join(path, 'd'))).toBe(false)
  })

  it('is not made twice', async () => {
    const { work, collected } = await createRun()
    work.write('a.txt', 'b\n')
    const { commit } = await collected()
    expect(await collected({ lastCommit: commit })).toMatchObject({ commit })
    expect(await collected()).toMatchObject({ commit })
  })

  it('asks no hook, no key and no identity', async () => {
    const { work, repo, collected } = await createRun(undefined, (place) => {
      mkdirSync(join(place.dir, '.git/hooks'), { recursive: true })
      for (const hook of [
        'pre-commit',
        'commit-msg',
        'reference-transaction',
        'post-commit',
        'post-index-change',
      ]) {
        writeFileSync(join(place.dir, '.git/hooks', hook), '#!/bin/sh\nexit 1\n')
        chmodSync(join(place.dir, '.git/hooks', hook), 0o755)
      }
      place.git('config', '--remove-section', 'user')
      place.git('config', 'commit.gpgsign', 'true')
      place.git('config', 'user.useConfigOnly', 'true')
    })
    work.write('a.txt', 'b\n')
    const { commit } = await collected({ message: '' })
    expect(repo.git('log', '-1', '--format=%cn <%ce>', commit)).toBe('Signalbox <signalbox@localhost>')
  })

  it('[W12] the agent can commit as the user, though the user signs their own', async () => {
    const { work, collected } = await createRun(undefined, (place) => {
      place.git('config', 'commit.gpgsign', 'true')
      place.git('config', 'user.signingkey', 'nobody')
    })
    work.write('a.txt', 'b\n')
    work.git('commit', '-qam', 'mine')
    expect((await collected()).commit).toBe(work.git('rev-parse', 'HEAD'))
    expect(work.git('log', '-1', '--format=%an')).toBe('Tester')
  })

  it('ends a merge that was begun', async () => {
    const { work, repo, base, collected } = await createRun()
    repo.git('checkout', '-q', '-b', 'side')
    repo.write('b.txt', 'b\n')
    repo.git('add', '-A')
    repo.git('commit', '-qm', 'the side goes on')
    const side = repo.git('rev-parse', 'HEAD')
    repo.git('checkout', '-q', 'main')
    work.git('merge', '-q', '--no-commit', '--no-ff', side)
    const { commit } = await collected({ message: 'merge' })
    expect(repo.git('log', '-1', '--format=%P', commit)).toBe(`${base} ${side}`)
    expect(work.git('status')).not.toContain('merg')
  })

  it.each([
    ['without a commit', []],
    [
      'with a commit',
      ['-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-q', '--allow-empty', '-m', 'x'],
    ],
  ])(
    '[W26] has the files of an inner repository %s, and moves its git data out of the worktree',
    async (_, then) => {
      const { path, work, ground, collected } = await createRun()
      execFileSync('git', ['init', '-q', join(path, 'web')])
      work.write('web/index.html', 'x')
      if (then.length > 0) execFileSync('git', then, { cwd: join(path, 'web') })
      const { notes } = await collected()
      expect(notes).toEqual([expect.stringMatching(/repositories were found in web; .* moved to /)])
      expect(work.has('web/.git')).toBe(false)
      expect(readdirSync(ground.aside)).toHaveLength(1)
      expect(work.git('show', 'HEAD:web/index.html')).toBe('x')
      expect((await collected({ lastCommit: work.git('rev-parse', 'HEAD') })).notes).toEqual([])
    },
  )

  it('[W26] adds no submodule: its files are the run’s, whether the agent committed it or not', async () => {
    const inner = createRepository()
    const { work, repo, collected } = await createRun()
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub')
    const first = await collected()
    expect(repo.git('ls-tree', first.commit, 'sub/')).toContain('sub/a.txt')
    work.git('update-index', '--add', '--cacheinfo', `160000,${first.commit},other`)
    work.git('commit', '-qm', 'link')
    const second = await collected({ lastCommit: first.commit })
    expect(second.notes).toEqual([expect.stringContaining('they add the submodule other')])
    expect(second.commit).toBe(first.commit)
  })

  it('takes the commit that an agent chose for a submodule of the project', async () => {
    const inner = createRepository()
    const { path, work, repo, collected } = await createRun({}, (own) => {
      own.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub')
      own.git('commit', '-qm', 'sub')
    })
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'update', '--init', '-q')
    const inSub = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], {
        cwd: join(path, 'sub'),
        encoding: 'utf8',
      })
    inSub('commit', '-q', '--allow-empty', '-m', 'next')
    const chosen = inSub('rev-parse', 'HEAD').trim()
    const { commit } = await collected()
    expect(repo.git('ls-tree', commit, 'sub')).toContain(chosen)
    expect(work.has('sub/.git')).toBe(false)
    expect(work.has('sub/a.txt')).toBe(true)
    expect((await collected({ lastCommit: commit })).commit).toBe(commit)
    const { outside } = await collected({ boundary: [['a.txt']] })
    expect(outside).toEqual(['sub'])
  })

  it('[W11] overwrites nothing that the user did with the branch, and says so', async () => {
    const { work, repo, base, collected } = await createRun()
    repo.git('checkout', '-q', BRANCH)
    work.write('a.txt', 'b\n')
    const { commit, notes } = await collected()
    expect(notes).toEqual([expect.stringContaining(`checked out in ${repo.dir}`)])
    expect(repo.git('rev-parse', BRANCH)).toBe(base)
    repo.git('commit', '-q', '--allow-empty', '-m', 'theirs')
    const theirs = repo.git('rev-parse', BRANCH)
    repo.git('checkout', '-q', 'main')
    expect((await collected({ lastCommit: commit })).notes).toEqual([
      expect.stringContaining('moved by somebody else'),
    ])
    expect(repo.git('rev-parse', BRANCH)).toBe(theirs)
    repo.git('branch', '-q', '-m', BRANCH, 'mine')
    expect((await collected({ lastCommit: commit })).notes).toEqual([])
    expect(repo.git('rev-parse', BRANCH)).toBe(commit)
  })
})

describe('a diffstat', () => {
  it('is short, and keeps its sum', async () => {
    const { ground, work, base, collected } = await createRun()
    for (let n = 0; n < 300; n++) work.write(`many/file-number-${n}.txt`, 'x\n')
    const { commit } = await collected()
    const stat = await diffstat(ground, base, commit)
    expect(stat.length).toBeLessThanOrEqual(4000)
    expect(stat).toContain('300 files changed')
    expect(await diffstat(ground, base, base)).toBe('')
  })
})
