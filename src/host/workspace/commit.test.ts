import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, diffstat, headCommit } from './commit.ts'
import { createRepository, createRun } from './repository.fixture.ts'

describe('a commit of the run', () => {
  it('[W5] holds everything that is not ignored, and names the run', async () => {
    const { path, work, base } = await createRun()
    work.write('src/code.ts', 'better\n')
    work.write('new file', '')
    work.write('-dash', '')
    work.write('x.log', 'ignored')
    work.write('.signalbox/run/plan.md', 'plan')
    const made = await commitAll({ path, message: 'develop: visit 1\n\nBody\n', run: 'r1' })
    expect(made).toEqual({ commit: await headCommit(path), made: true })
    expect(work.git('log', '-1', '--format=%B')).toBe('develop: visit 1\n\nBody\n\nSignalbox-Run: r1\n')
    expect(work.git('log', '-1', '--format=%(trailers:key=Signalbox-Run,valueonly)')).toBe('r1\n')
    expect(work.git('log', '-1', '--format=%an <%ae> %P')).toBe(`Tester <tester@example.com> ${base}`)
    expect(work.git('diff', '--name-only', base, 'HEAD')).toBe('-dash\nnew file\nsrc/code.ts')
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('is not made twice', async () => {
    const { path, work } = await createRun()
    work.write('a.txt', 'b\n')
    const first = await commitAll({ path, message: 'one', run: 'r1' })
    expect(await commitAll({ path, message: 'one', run: 'r1' })).toEqual({ ...first, made: false })
  })

  it('asks no hook, no key and no identity', async () => {
    const { repo, path, work } = await createRun()
    mkdirSync(join(repo.dir, '.git/hooks'), { recursive: true })
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'reference-transaction',
      'post-commit',
      'post-index-change',
    ]) {
      writeFileSync(join(repo.dir, '.git/hooks', hook), '#!/bin/sh\nexit 1\n')
      chmodSync(join(repo.dir, '.git/hooks', hook), 0o755)
    }
    repo.git('config', '--remove-section', 'user')
    repo.git('config', 'commit.gpgsign', 'true')
    repo.git('config', 'user.useConfigOnly', 'true')
    work.write('a.txt', 'b\n')
    expect(await commitAll({ path, message: '', run: 'r1' })).toMatchObject({ made: true })
    expect(work.git('log', '-1', '--format=%cn <%ce>')).toBe('Signalbox <signalbox@localhost>')
  })

  it('ends a merge that was begun', async () => {
    const { path, work, repo } = await createRun()
    repo.write('b.txt', 'b\n')
    repo.git('add', '-A')
    repo.git('commit', '-qm', 'main goes on')
    work.git('merge', '-q', '--no-commit', '--no-ff', 'main')
    expect(await commitAll({ path, message: 'merge', run: 'r1' })).toMatchObject({ made: true })
    expect(work.git('log', '-1', '--format=%P').split(' ')).toHaveLength(2)
    expect(work.git('status')).not.toContain('merg')
  })

  it('is refused while git is locked, naming the lock', async () => {
    const { path, work } = await createRun()
    work.write('a.txt', 'b\n')
    writeFileSync(join(work.git('rev-parse', '--absolute-git-dir'), 'index.lock'), '')
    expect(await commitAll({ path, message: 'x', run: 'r1' })).toEqual({
      problem: expect.stringMatching(/index\.lock exists.*remove that file/),
    })
  })

  it.each([
    ['without a commit', []],
    [
      'with a commit',
      ['-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-q', '--allow-empty', '-m', 'x'],
    ],
  ])('does not lose the files of an inner repository %s in silence', async (_, then) => {
    const { path, work } = await createRun()
    execFileSync('git', ['init', '-q', join(path, 'web')])
    work.write('web/index.html', 'x')
    if (then.length > 0) execFileSync('git', then, { cwd: join(path, 'web') })
    expect(await commitAll({ path, message: 'x', run: 'r1' })).toEqual({
      problem: expect.stringContaining('web is a git'),
    })
  })

  it('takes submodules', async () => {
    const inner = createRepository()
    const { path, work } = await createRun()
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub')
    expect(await commitAll({ path, message: 'x', run: 'r1' })).toMatchObject({ made: true })
  })
})

describe('a diffstat', () => {
  it('is short, and keeps its sum', async () => {
    const { path, work, base } = await createRun()
    for (let n = 0; n < 300; n++) work.write(`many/file-number-${n}.txt`, 'x\n')
    await commitAll({ path, message: 'many', run: 'r1' })
    const stat = await diffstat({ path, from: base, to: 'HEAD' })
    expect(stat.length).toBeLessThanOrEqual(4000)
    expect(stat).toContain('300 files changed')
    expect(await diffstat({ path, from: base, to: base })).toBe('')
  })
})
