import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clearAllHalfMade } from './half-made.ts'
import { BRANCH, createRepository, createRun, placeAt, temporaryFolder } from './repository.fixture.ts'
import { takeSnapshot } from './snapshot.ts'
import { ensureWorktree, removeWorktree } from './worktree.ts'

const problemIn = (result: object): string => ('problem' in result ? String(result.problem) : '')

describe('a worktree', () => {
  it('[W1] is made with its branch, and asking again changes nothing', async () => {
    const { repo, base, path, work } = await createRun()
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path }
    expect(work.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${BRANCH}`)
    expect(work.read('src/code.ts')).toBe('code\n')
    work.write('a.txt', 'work in hand\n')
    expect(await ensureWorktree(request)).toEqual({ path })
    expect(work.read('a.txt')).toBe('work in hand\n')
  })

  it('[W1] leaves no trace in the repository and ignores its own folders', async () => {
    const repo = createRepository()
    const settings = repo.read('.git/config')
    const path = join(dirname(repo.dir), 'w')
    await ensureWorktree({ repo: repo.dir, branch: BRANCH, baseCommit: 'HEAD', path })
    const work = placeAt(path)
    work.write('.signalbox/run/plan.md', 'plan')
    work.write('.vibe/decision.json', '{}')
    work.write('.signalbox/flow.yaml', 'runbook: 1')
    expect(work.git('status', '--porcelain', '-uall')).toBe('?? .signalbox/flow.yaml')
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.read('.git/config')).toBe(settings)
    expect(repo.has('.git/info')).toBe(false)
  })

  it('comes back at the last commit when its folder was deleted', async () => {
    const { repo, base, path, work } = await createRun()
    work.write('new.txt', 'new\n')
    work.git('add', '-A')
    work.git('commit', '-qm', 'work')
    rmSync(path, { recursive: true })
    expect(await ensureWorktree({ repo: repo.dir, branch: BRANCH, baseCommit: base, path })).toEqual({ path })
    expect(work.read('new.txt')).toBe('new\n')
  })

  it('comes back when only its registration was lost', async () => {
    const { repo, base, path, work } = await createRun()
    rmSync(join(repo.dir, '.git/worktrees'), { recursive: true })
    expect(await ensureWorktree({ repo: repo.dir, branch: BRANCH, baseCommit: base, path })).toEqual({ path })
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('keeps work that is not committed when the repository was moved', async () => {
    const { repo, base, path, work } = await createRun()
    work.write('a.txt', 'work in hand\n')
    const moved = `${repo.dir}-moved`
    renameSync(repo.dir, moved)
    expect(await ensureWorktree({ repo: moved, branch: BRANCH, baseCommit: base, path })).toEqual({ path })
    expect(work.read('a.txt')).toBe('work in hand\n')
    expect(work.git('status', '--porcelain')).toContain('a.txt')
  })

  it.each([
    ['before the checkout', (path: string) => rmSync(join(path, 'src'), { recursive: true })],
    ['before anything was in the folder', (path: string) => rmSync(path, { recursive: true })],
    ['with the link back missing', (path: string) => rmSync(join(path, '.git'))],
  ])('is made anew when its making was killed %s', async (_, undo) => {
    const { repo, base, path, work } = await createRun()
    const admin = join(repo.dir, '.git/worktrees', readdirSync(join(repo.dir, '.git/worktrees'))[0] ?? '')
    writeFileSync(join(admin, 'locked'), 'initializing')
    rmSync(join(admin, 'index'))
    undo(path)
    expect(await ensureWorktree({ repo: repo.dir, branch: BRANCH, baseCommit: base, path })).toEqual({ path })
    expect(work.read('src/code.ts')).toBe('code\n')
    expect(work.git('status', '--porcelain')).toBe('')
  })

  const MAKING = ['gitdir', '.git', 'HEAD', 'commondir'] as const

  it.each(MAKING)('[W7] is made where git was killed with the file %s begun and empty', async (cutAt) => {
    const repo = createRepository({ 'a.txt': 'a\n' })
    const base = repo.git('rev-parse', 'HEAD')
    const path = join(realpathSync(dirname(repo.dir)), 'cut')
    const admin = join(repo.dir, '.git/worktrees/cut')
    mkdirSync(admin, { recursive: true })
    mkdirSync(path)
    writeFileSync(join(admin, 'locked'), 'initializing')
    const content = {
      gitdir: join(path, '.git'),
      '.git': `gitdir: ${admin}`,
      HEAD: '0'.repeat(40),
      commondir: '',
    }
    for (const file of MAKING.slice(0, MAKING.indexOf(cutAt) + 1))
      writeFileSync(join(file === '.git' ? path : admin, file), file === cutAt ? '' : content[file])
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path, afterCrash: true }
    expect(await ensureWorktree(request)).toEqual({ path })
    expect(placeAt(path).git('status', '--porcelain')).toBe('')
    expect(readdirSync(join(repo.dir, '.git/worktrees'))).toEqual(['cut'])
    writeFileSync(join(admin, 'locked'), 'initializing')
    writeFileSync(join(admin, 'commondir'), '')
    expect(await removeWorktree({ ...request, force: true })).toEqual({ removed: true })
    expect(existsSync(path)).toBe(false)
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('does not take work for half made because a file of git was lost', async () => {
    const { repo, base, path, work } = await createRun()
    work.write('a.txt', 'work in hand\n')
    const [name = ''] = readdirSync(join(repo.dir, '.git/worktrees'))
    writeFileSync(join(repo.dir, '.git/worktrees', name, 'commondir'), '')
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path, afterCrash: true }
    expect(problemIn(await ensureWorktree(request))).toContain('commondir')
    expect(work.read('a.txt')).toBe('work in hand\n')
  })

  it('[W7] of another run that is half made is cleared before it stops this one', async () => {
    const { repo, base, path } = await createRun()
    const worktrees = realpathSync(dirname(path))
    const other = join(worktrees, 'other')
    repo.git('worktree', 'add', '-q', '--detach', other)
    const admin = join(repo.dir, '.git/worktrees/other')
    writeFileSync(join(admin, 'locked'), 'initializing')
    writeFileSync(join(admin, 'commondir'), '')
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path, afterCrash: true }
    expect(problemIn(await ensureWorktree(request))).toContain('commondir')
    await clearAllHalfMade(worktrees)
    expect(await ensureWorktree(request)).toEqual({ path })
    expect(existsSync(admin)).toBe(false)
  })

  it('leaves what belongs to another worktree alone, half made or not', async () => {
    const { repo, base, path } = await createRun()
    const other = join(repo.dir, '.git/worktrees/other')
    mkdirSync(other)
    writeFileSync(join(other, 'locked'), 'initializing')
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path, afterCrash: true }
    expect(await ensureWorktree(request)).toEqual({ path })
    expect(readdirSync(other)).toEqual(['locked'])
  })

  it('[W7] survives git being killed at any moment of making it', async () => {
    const repo = createRepository({
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f/${n}`, `${n}`])),
    })
    const base = repo.git('rev-parse', 'HEAD')
    repo.git('branch', BRANCH)
    for (let delayMs = 0; delayMs < 12; delayMs += 3) {
      const path = join(dirname(repo.dir), 'killed')
      const child = spawn('git', ['worktree', 'add', '-q', path, BRANCH], {
        cwd: repo.dir,
        stdio: 'ignore',
        detached: true,
      })
      const ended = new Promise((done) => child.on('exit', done))
      await new Promise((done) => setTimeout(done, delayMs))
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // It had ended already.
      }
      await ended
      const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path, afterCrash: true }
      expect(await ensureWorktree(request)).toEqual({ path })
      expect(placeAt(path).git('status', '--porcelain')).toBe('')
      expect(await removeWorktree({ ...request, force: true })).toEqual({ removed: true })
      repo.git('branch', BRANCH)
    }
  })

  it('is there again after an agent rewrote its history beyond the base', async () => {
    const { repo, path, work } = await createRun()
    repo.git('commit', '-q', '--allow-empty', '-m', 'second')
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: repo.git('rev-parse', 'HEAD'), path }
    expect(await ensureWorktree(request)).toEqual({ path })
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('removes locks that are left only after a crash', async () => {
    const { repo, base, path, work } = await createRun()
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path }
    const gitDir = work.git('rev-parse', '--absolute-git-dir')
    const left = [
      join(gitDir, 'index.lock'),
      join(gitDir, 'HEAD.lock'),
      join(repo.dir, `.git/refs/heads/${BRANCH}.lock`),
    ]
    const others = [join(repo.dir, '.git/index.lock'), join(repo.dir, '.git/config.lock')]
    for (const file of [...left, ...others]) writeFileSync(file, '')
    expect(await ensureWorktree(request)).toEqual({ path })
    expect(left.every((file) => existsSync(file))).toBe(true)
    expect(await ensureWorktree({ ...request, afterCrash: true })).toEqual({ path })
    expect(left.some((file) => existsSync(file))).toBe(false)
    expect(others.every((file) => existsSync(file))).toBe(true)
  })

  it('is made although the making of its branch was killed, if that is known', async () => {
    const repo = createRepository()
    const path = join(dirname(repo.dir), 'w')
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: 'HEAD', path }
    repo.write(`.git/refs/heads/${BRANCH}.lock`, '')
    expect(problemIn(await ensureWorktree(request))).toMatch(/r1\.lock exists.*remove that file/)
    expect(await ensureWorktree({ ...request, afterCrash: true })).toEqual({ path })
  })

  it('is refused where its branch is checked out elsewhere, naming where', async () => {
    const { repo, base, path } = await createRun()
    await removeWorktree({ repo: repo.dir, path, branch: BRANCH, force: true })
    repo.git('checkout', '-q', '-b', BRANCH)
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path }
    expect(problemIn(await ensureWorktree(request))).toContain(`checked out in ${repo.dir}`)
  })

  it('may be made at a new place once the old one is gone', async () => {
    const { repo, base, path } = await createRun()
    rmSync(path, { recursive: true })
    const elsewhere = `${path}-2`
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: base, path: elsewhere }
    expect(await ensureWorktree(request)).toEqual({ path: elsewhere })
  })

  it('is refused where something else is in the way, which is left alone', async () => {
    const repo = createRepository()
    const path = join(dirname(repo.dir), 'w')
    const request = { repo: repo.dir, branch: BRANCH, baseCommit: 'HEAD', path }
    placeAt(path).write('precious.txt', 'mine')
    expect(problemIn(await ensureWorktree(request))).toContain('in the way')
    execFileSync('git', ['init', '-q', path])
    expect(problemIn(await ensureWorktree(request))).toContain('in the way')
    expect(problemIn(await removeWorktree({ ...request, force: true }))).toContain('left alone')
    expect(placeAt(path).read('precious.txt')).toBe('mine')
  })

  it('is refused for a branch of another origin, an unknown commit, a bad name, a repository that is gone', async () => {
    const repo = createRepository()
    const path = join(dirname(repo.dir), 'w')
    repo.git('branch', 'taken')
    repo.git('commit', '-q', '--allow-empty', '-m', 'second')
    const request = { repo: repo.dir, branch: 'taken', baseCommit: repo.git('rev-parse', 'HEAD'), path }
    expect(problemIn(await ensureWorktree(request))).toContain('does not come from')
    expect(problemIn(await ensureWorktree({ ...request, baseCommit: '1'.repeat(40) }))).toContain('is not in')
    expect(problemIn(await ensureWorktree({ ...request, branch: 'a..b' }))).toContain('cannot be the name')
    expect(problemIn(await ensureWorktree({ ...request, branch: 'taken/below' }))).toContain('taken')
    expect(problemIn(await ensureWorktree({ ...request, repo: join(path, 'none') }))).toContain(
      'not a git repository',
    )
  })

  it('is refused where a link would lead the run folder out of it', async () => {
    const repo = createRepository()
    symlinkSync('/tmp', join(repo.dir, '.signalbox'))
    repo.git('add', '-A')
    repo.git('commit', '-qm', 'link')
    const path = join(dirname(repo.dir), 'w')
    expect(
      problemIn(await ensureWorktree({ repo: repo.dir, branch: BRANCH, baseCommit: 'HEAD', path })),
    ).toContain('.signalbox/run')
  })

  it('of many runs can be made at once', async () => {
    const repo = createRepository()
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        ensureWorktree({
          repo: repo.dir,
          branch: `run/${n}`,
          baseCommit: 'HEAD',
          path: join(repo.dir, '..', 'w', `${n}`),
        }),
      ),
    )
    expect(made.map(problemIn).filter((problem) => problem !== '')).toEqual([])
    const removed = await Promise.all(
      made.map((_, n) =>
        removeWorktree({
          repo: repo.dir,
          branch: `run/${n}`,
          path: join(repo.dir, '..', 'w', `${n}`),
          force: false,
        }),
      ),
    )
    expect(removed.map(problemIn).filter((problem) => problem !== '')).toEqual([])
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('main')
  })
})

describe('removing', () => {
  it('takes worktree and branch, and nothing else; again is harmless', async () => {
    const { repo, path } = await createRun()
    const other = join(dirname(path), 'users own')
    repo.git('worktree', 'add', '-q', '-b', 'users', other)
    rmSync(other, { recursive: true })
    const request = { repo: repo.dir, path, branch: BRANCH, force: false }
    expect(await removeWorktree(request)).toEqual({ removed: true })
    expect(await removeWorktree(request)).toEqual({ removed: true })
    expect(existsSync(path)).toBe(false)
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('main\nusers')
    expect(repo.git('worktree', 'list', '--porcelain')).toContain(other)
  })

  it('refuses to lose work, unless forced', async () => {
    const { repo, path, work } = await createRun()
    const request = { repo: repo.dir, path, branch: BRANCH, force: false }
    work.write('new.txt', 'new')
    expect(problemIn(await removeWorktree(request))).toContain('not committed')
    work.git('add', '-A')
    work.git('commit', '-qm', 'work')
    expect(problemIn(await removeWorktree(request))).toContain('1 commits that are nowhere else')
    expect(await removeWorktree({ ...request, force: true })).toEqual({ removed: true })
    expect(repo.git('branch', '--list', BRANCH)).toBe('')
  })

  it('goes on where it was killed', async () => {
    const { repo, path } = await createRun()
    renameSync(path, `${path}.removed`)
    const request = { repo: repo.dir, path, branch: BRANCH, force: true }
    expect(await removeWorktree(request)).toEqual({ removed: true })
    expect(existsSync(`${path}.removed`)).toBe(false)
    expect(repo.git('worktree', 'list')).not.toContain('work tree')
  })

  it('takes the folder when the repository is gone', async () => {
    const { repo, path } = await createRun()
    rmSync(repo.dir, { recursive: true })
    expect(await removeWorktree({ repo: repo.dir, path, branch: BRANCH, force: true })).toEqual({
      removed: true,
    })
    expect(existsSync(path)).toBe(false)
  })

  it('leaves a branch that is checked out by the user', async () => {
    const { repo, path } = await createRun()
    await removeWorktree({ repo: repo.dir, path, branch: BRANCH, force: true })
    repo.git('checkout', '-q', '-b', BRANCH)
    const refused = await removeWorktree({ repo: repo.dir, path, branch: BRANCH, force: true })
    expect(problemIn(refused)).toContain(repo.dir)
    expect(existsSync(join(repo.dir, 'a.txt'))).toBe(true)
  })

  it('works with a submodule that was checked out', async () => {
    const inner = createRepository()
    const { repo, path, work } = await createRun()
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub')
    await takeSnapshot(path)
    expect(await removeWorktree({ repo: repo.dir, path, branch: BRANCH, force: true })).toEqual({
      removed: true,
    })
    expect(readdirSync(join(repo.dir, '.git')).includes('worktrees')).toBe(false)
  })

  it('does not follow links out of it', async () => {
    const { repo, path } = await createRun()
    const outside = temporaryFolder()
    mkdirSync(join(outside, 'kept'))
    symlinkSync(outside, join(path, 'link'))
    await removeWorktree({ repo: repo.dir, path, branch: BRANCH, force: true })
    expect(existsSync(join(outside, 'kept'))).toBe(true)
  })
})
