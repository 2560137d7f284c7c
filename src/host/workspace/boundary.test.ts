import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Held, headOf, holdBoundary, holdBranch, judgeWrites } from './boundary.ts'
import { commitAll } from './commit.ts'
import { BRANCH, createRun } from './repository.fixture.ts'
import { takeSnapshot } from './snapshot.ts'
import { ensureWorktree } from './worktree.ts'

async function hold(request: Parameters<typeof holdBoundary>[0]): Promise<Held> {
  const held = await holdBoundary(request)
  if ('problem' in held) throw new Error(held.problem)
  return held
}

describe('what may be written', () => {
  const files = ['src/a.ts', 'src/a.test.ts', 'docs/x.md', '.env', 'README.md']
  it.each([
    [null, []],
    [[], files],
    [['**'], []],
    [['src/**'], ['docs/x.md', '.env', 'README.md']],
    [
      ['src/**', '!**/*.test.ts'],
      ['src/a.test.ts', 'docs/x.md', '.env', 'README.md'],
    ],
    [
      ['src/**', '!src/**', 'src/a.ts'],
      ['src/a.test.ts', 'docs/x.md', '.env', 'README.md'],
    ],
    [['!.env'], ['.env']],
    [['{docs,src}/**', '*.md'], ['.env']],
  ])('%j', (writes, outside) => {
    expect(judgeWrites({ files, writes })).toEqual(outside)
  })
})

describe('a boundary', () => {
  it('[W3] keeps what lies within, undoes the rest and keeps it as a patch', async () => {
    const { path, work, before } = await createRun()
    work.write('src/code.ts', 'better\n')
    work.write('a.txt', 'not yours\n')
    work.write('stray/file', 'stray\n')
    work.git('add', 'a.txt')
    const held = await hold({ path, before, writes: ['src/**'] })
    expect(held.outside).toEqual(['a.txt', 'stray/file'])
    expect(held.patch).toContain('+not yours')
    expect(held.patch).not.toContain('better')
    expect(work.read('a.txt')).toBe('a\n')
    expect(work.has('stray')).toBe(false)
    expect(work.read('src/code.ts')).toBe('better\n')
    expect(work.git('status', '--porcelain')).toBe(' M src/code.ts')
    expect(held.after).toBe(await takeSnapshot(path))
    execFileSync('git', ['apply', '-'], { cwd: path, input: held.patch })
    expect(work.read('a.txt')).toBe('not yours\n')
  })

  it('holds also when asked again after a crash in the middle', async () => {
    const { path, work, before } = await createRun()
    work.write('a.txt', 'not yours\n')
    await hold({ path, before, writes: [] })
    expect(await hold({ path, before, writes: [] })).toEqual({ outside: [], patch: '', after: before })
  })

  it('takes a commit as what it starts from', async () => {
    const { path, work, base } = await createRun()
    work.write('a.txt', 'not yours\n')
    expect((await hold({ path, before: base, writes: [] })).outside).toEqual(['a.txt'])
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('is not needed where everything may be written', async () => {
    const { path, work, before } = await createRun()
    work.write('a.txt', 'mine\n')
    expect(await hold({ path, before, writes: null })).toMatchObject({ outside: [], patch: '' })
    expect(work.read('a.txt')).toBe('mine\n')
  })

  it('[W3] undoes what was committed outside with the next commit, and leaves history alone', async () => {
    const { path, work, before } = await createRun()
    work.write('a.txt', 'not yours\n')
    work.write('src/code.ts', 'better\n')
    work.write('ignored/forced', 'x')
    work.git('add', '-f', 'ignored/forced')
    work.git('commit', '-qam', 'sneaky')
    const sneaky = work.git('rev-parse', 'HEAD')
    const held = await hold({ path, before, writes: ['src/**'] })
    expect(held.outside).toEqual(['a.txt', 'ignored/forced'])
    const committed = await commitAll({ path, message: 'step', run: 'r1' })
    expect(committed).toMatchObject({ made: true })
    expect(work.git('rev-parse', 'HEAD~1')).toBe(sneaky)
    expect(work.git('diff', '--name-only', before, 'HEAD')).toBe('src/code.ts')
  })

  it('brings to light what a changed ignore file hid', async () => {
    const { path, work, before } = await createRun()
    work.write('.gitignore', '*.secret\n')
    work.write('x.secret', 'hidden')
    expect((await hold({ path, before, writes: ['src/**'] })).outside).toEqual(['.gitignore', 'x.secret'])
    expect(work.has('x.secret')).toBe(false)
    expect(work.read('.gitignore')).toContain('ignored/')
  })

  it('takes a repository away that was made outside', async () => {
    const { path, work, before } = await createRun()
    mkdirSync(join(path, 'inner'))
    execFileSync('git', ['init', '-q'], { cwd: join(path, 'inner') })
    work.write('inner/x', 'x')
    expect((await hold({ path, before, writes: [] })).outside).toEqual(['inner'])
    expect(work.has('inner')).toBe(false)
  })

  it('tells names that are not text so that a journal can keep them', async () => {
    const { path, work, before } = await createRun()
    work.write(Buffer.from('caf\xe9', 'latin1'), 'x')
    expect((await hold({ path, before, writes: [] })).outside).toEqual(['caf\\xe9'])
    expect(await takeSnapshot(path)).toBe(before)
  })

  it('[W7] and the commit after it come out the same when the process is killed at any moment', async () => {
    const { repo, path, work, base } = await createRun()
    for (let n = 0; n < 40; n++) work.write(`stray/${n}`, 'stray\n')
    work.write('src/code.ts', 'better\n')
    rmSync(join(path, 'docs'), { recursive: true })
    const page = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
    const at = JSON.stringify(path)
    const script = `
      const { holdBoundary } = await import(${page('boundary.ts')})
      const { commitAll } = await import(${page('commit.ts')})
      process.stdout.write('.')
      await holdBoundary({ path: ${at}, before: '${base}', writes: ['src/**'] })
      await commitAll({ path: ${at}, message: 'x', run: 'r1' })`
    for (const delayMs of [20, 90, 180, 300]) {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      const ended = new Promise((done) => child.on('exit', done))
      await Promise.race([ended, new Promise((done) => child.stdout.once('data', done))])
      await Promise.race([ended, new Promise((done) => setTimeout(done, delayMs))])
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
      const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path, afterCrash: true }
      expect(await ensureWorktree(request)).toEqual({ path })
    }
    await hold({ path, before: base, writes: ['src/**'] })
    await commitAll({ path, message: 'x', run: 'r1' })
    expect(work.git('diff', '--name-only', base, 'HEAD')).toBe('src/code.ts')
    expect(work.git('status', '--porcelain')).toBe('')
    expect(work.git('log', '--oneline', `${base}..HEAD`).split('\n')).toHaveLength(1)
  })

  it('says what is wrong when the worktree is gone', async () => {
    const { path, before } = await createRun()
    rmSync(path, { recursive: true })
    expect(await holdBoundary({ path, before, writes: [] })).toEqual({ problem: expect.any(String) })
  })
})

describe('the branch of a run', () => {
  const commit = (
    work: { write(n: string, c: string): void; git(...a: string[]): string },
    name: string,
  ): string => {
    work.write(name, `${name}\n`)
    work.git('add', '-A')
    work.git('commit', '-qm', name)
    return work.git('rev-parse', 'HEAD')
  }

  it('may grow by commits of the agent', async () => {
    const { path, work, base } = await createRun()
    const made = commit(work, 'one')
    expect(await holdBranch({ path, branch: BRANCH, lastCommit: base })).toEqual({
      found: null,
      strayed: made,
      commit: made,
    })
    expect(await headOf(path)).toEqual({ commit: made, branch: BRANCH })
  })

  it('[W4] is put back after an amended commit; the files stay, not committed', async () => {
    const { path, work } = await createRun()
    const last = commit(work, 'one')
    work.write('one', 'amended\n')
    work.git('commit', '-qa', '--amend', '-m', 'other')
    const amended = work.git('rev-parse', 'HEAD')
    const held = await holdBranch({ path, branch: BRANCH, lastCommit: last })
    expect(held).toEqual({ found: expect.stringContaining('rewritten'), strayed: amended, commit: last })
    expect(await headOf(path)).toEqual({ commit: last, branch: BRANCH })
    expect(work.git('status', '--porcelain')).toBe(' M one')
    expect(work.read('one')).toBe('amended\n')
    expect(await holdBranch({ path, branch: BRANCH, lastCommit: last })).toMatchObject({ found: null })
  })

  it('[W4] is put back when the agent worked on a branch of its own', async () => {
    const { path, work, base } = await createRun()
    work.git('checkout', '-q', '-b', 'feature')
    commit(work, 'one')
    work.write('two', 'two\n')
    const held = await holdBranch({ path, branch: BRANCH, lastCommit: base })
    expect(held).toMatchObject({ found: 'feature was checked out', commit: base })
    expect(await headOf(path)).toEqual({ commit: base, branch: BRANCH })
    expect(work.git('status', '--porcelain')).toBe('?? one\n?? two')
  })

  it('has its own files again when the agent only looked at something else', async () => {
    const { path, work, base } = await createRun()
    const last = commit(work, 'one')
    work.write('untracked', 'stays\n')
    work.git('checkout', '-q', '--detach', base)
    const held = await holdBranch({ path, branch: BRANCH, lastCommit: last })
    expect(held).toMatchObject({ found: 'HEAD was detached', commit: last })
    expect(work.read('one')).toBe('one\n')
    expect(work.git('status', '--porcelain')).toBe('?? untracked')
  })

  it('is made again when it was deleted or renamed', async () => {
    const { path, work, base } = await createRun()
    work.git('branch', '-m', BRANCH, 'renamed')
    expect(await holdBranch({ path, branch: BRANCH, lastCommit: base })).toMatchObject({ commit: base })
    expect(await headOf(path)).toEqual({ commit: base, branch: BRANCH })
  })

  it('is put back in the middle of a rebase with conflicts, and from a branch without a commit', async () => {
    const { path, work, base } = await createRun()
    const last = commit(work, 'one')
    work.git('checkout', '-q', '-b', 'other', base)
    work.write('one', 'other\n')
    work.git('add', '-A')
    work.git('commit', '-qm', 'other')
    work.git('checkout', '-q', BRANCH)
    expect(() => work.git('rebase', 'other')).toThrow()
    expect(await holdBranch({ path, branch: BRANCH, lastCommit: last })).toMatchObject({
      found: 'HEAD was detached',
    })
    expect(work.git('status')).not.toContain('rebas')
    expect(await headOf(path)).toEqual({ commit: last, branch: BRANCH })
    work.git('checkout', '-q', '--orphan', 'fresh')
    expect(await holdBranch({ path, branch: BRANCH, lastCommit: last })).toMatchObject({
      strayed: null,
      commit: last,
    })
    expect(await headOf(path)).toEqual({ commit: last, branch: BRANCH })
  })

  it('is told as a problem when it cannot be held', async () => {
    const { path } = await createRun()
    expect(await holdBranch({ path, branch: BRANCH, lastCommit: '1'.repeat(40) })).toEqual({
      problem: expect.any(String),
    })
  })
})
