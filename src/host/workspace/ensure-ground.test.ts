import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureGround, type GroundRequest } from './ensure-ground.ts'
import { groundAt } from './ground.ts'
import { removeGround } from './remove-ground.ts'
import {
  BRANCH,
  collectFor,
  createRepository,
  createRun,
  type Place,
  placeAt,
  requestFor,
} from './repository.fixture.ts'

const problemIn = (result: object): string => ('problem' in result ? String(result.problem) : '')
const filesSaying = (text: string, folder: string): string =>
  spawnSync('grep', ['-rl', text, folder], { encoding: 'utf8' }).stdout
const remove = ({ ground, branch }: GroundRequest) => removeGround({ ground, branch })
const refsOf = (repo: Place): string => repo.git('for-each-ref', '--format=%(refname)')

describe('the ground of a run', () => {
  it('[W1] is made with its branch, and asking again changes nothing', async () => {
    const { request, path, work } = await createRun()
    expect(work.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${BRANCH}`)
    expect(work.read('src/code.ts')).toBe('code\n')
    work.write('a.txt', 'work in hand\n')
    expect(await ensureGround(request)).toEqual({ path })
    expect(await ensureGround({ ...request, since: 'seen' })).toEqual({ path })
    expect(work.read('a.txt')).toBe('work in hand\n')
    expect(work.git('status', '--porcelain')).toBe(' M a.txt')
  })

  it('[W1] [W9] leaves nothing in the user’s repository but its branch and what keeps its base', async () => {
    const { repo, work } = await createRun()
    work.write('.signalbox/run/plan.md', 'plan')
    work.write('.vibe/decision.json', '{}')
    work.write('.signalbox/flow.yaml', 'runbook: 1')
    expect(work.git('status', '--porcelain', '-uall')).toBe('?? .signalbox/flow.yaml')
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(refsOf(repo).split('\n').toSorted()).toEqual([
      'refs/heads/main',
      `refs/heads/${BRANCH}`,
      'refs/signalbox/work-tree',
    ])
    expect(readdirSync(join(repo.dir, '.git')).toSorted()).toEqual(
      ['COMMIT_EDITMSG', 'HEAD', 'config', 'index', 'logs', 'objects', 'refs'].toSorted(),
    )
  })

  it('[W9] has an agent’s repository with the user’s branches, identity and remotes, and no password', async () => {
    const { work } = await createRun(undefined, (repo) => {
      repo.git('remote', 'add', 'origin', 'https://me:secret@example.com/x.git')
      repo.git('tag', 'v1')
      repo.git('branch', 'other')
    })
    expect(work.git('config', 'remote.origin.url')).toBe('https://example.com/x.git')
    expect(work.git('config', 'user.email')).toBe('tester@example.com')
    expect(work.git('rev-parse', 'v1', 'other')).toContain('\n')
    expect(work.git('log', '--oneline', 'main').split('\n')).toHaveLength(1)
  })

  it('[D25] has no password of any setting in any of its repositories', async () => {
    const address = 'https://me:hidden@example.com/x.git'
    const { ground } = await createRun(undefined, (repo) => {
      for (const key of [
        ...['remote.origin.url', 'remote.origin.pushurl', 'remote.origin.proxy', 'remote.part.url'],
        ...['branch.main.remote', 'branch.main.pushRemote', 'branch.main.merge', 'remote.pushDefault'],
        ...['lfs.url', 'lfs.pushurl', 'remote.origin.lfsurl', `lfs.${address}.access`, 'filter.own.clean'],
        ...[`url.${address}.insteadOf`, 'http.proxy', `http.${address}.proxy`, 'http.extraHeader'],
        ...['user.name', 'i18n.commitEncoding', 'init.defaultBranch', 'extensions.partialClone', 'any.thing'],
      ])
        repo.git('config', key, key === 'http.extraHeader' ? 'Authorization: Basic hidden' : address)
      repo.git('config', 'remote.part.promisor', 'true')
    })
    for (const repository of [ground.store, ground.agentRepo, ground.peopleRepo, ground.dir])
      expect(filesSaying('hidden', repository)).toBe('')
    expect(filesSaying('example.com', ground.agentRepo)).not.toBe('')
  })

  it('comes back at the last commit when its folder was deleted', async () => {
    const { request, path, work, collected } = await createRun()
    work.write('new.txt', 'new\n')
    const { commit } = await collected()
    rmSync(path, { recursive: true })
    expect(await ensureGround({ ...request, lastCommit: commit })).toEqual({ path })
    expect(work.read('new.txt')).toBe('new\n')
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('comes back from the user’s branch when the host’s part of it was deleted', async () => {
    const { ground, request, path, work, collected } = await createRun()
    work.write('new.txt', 'new\n')
    const { commit } = await collected()
    rmSync(ground.dir, { recursive: true })
    rmSync(path, { recursive: true })
    expect(await ensureGround({ ...request, lastCommit: commit })).toEqual({ path })
    expect(work.read('new.txt')).toBe('new\n')
    expect(work.git('rev-parse', 'HEAD')).toBe(commit)
  })

  it('[W12] keeps work that is not committed when the repository was moved', async () => {
    const { repo, request, path, work } = await createRun()
    work.write('a.txt', 'work in hand\n')
    const moved = `${repo.dir}-moved`
    renameSync(repo.dir, moved)
    expect(problemIn(await ensureGround(request))).toContain('not a git repository')
    const { ground } = request
    const there = groundAt(
      { grounds: dirname(ground.dir) },
      { worktree: ground.worktree, gitDir: join(moved, '.git') },
    )
    expect(await ensureGround({ ...request, repo: moved, ground: there })).toEqual({ path })
    expect(work.read('a.txt')).toBe('work in hand\n')
    expect(await collectFor({ ...request, ground: there })).toMatchObject({ notes: [] })
    expect(placeAt(moved).git('show', `${BRANCH}:a.txt`)).toBe('work in hand')
  })

  it('[W12] outlives the user’s branch and their gc', async () => {
    const { repo, request, path, work, base, collected } = await createRun()
    repo.git('checkout', '-q', '--orphan', 'fresh')
    repo.git('commit', '-qm', 'anew')
    repo.git('branch', '-D', 'main', BRANCH)
    repo.git('reflog', 'expire', '--expire=now', '--all')
    repo.git('gc', '-q', '--prune=now')
    expect(await ensureGround(request)).toEqual({ path })
    work.write('a.txt', 'b\n')
    const { commit } = await collected()
    expect(repo.git('rev-parse', `${commit}~1`)).toBe(base)
  })

  it('[W12] a run that began as a worktree of the user’s repository goes on', async () => {
    const repo = createRepository()
    const request = requestFor(repo, 'linked')
    const { worktree } = request.ground
    repo.git('worktree', 'add', '-q', '-b', BRANCH, worktree)
    const work = placeAt(worktree)
    work.write('src/code.ts', 'committed\n')
    work.git('commit', '-qam', 'before')
    const lastCommit = work.git('rev-parse', 'HEAD')
    work.write('a.txt', 'in hand\n')
    expect(await ensureGround({ ...request, lastCommit })).toEqual({ path: worktree })
    expect(existsSync(join(repo.dir, '.git/worktrees/linked'))).toBe(false)
    expect(work.git('status', '--porcelain')).toBe(' M a.txt')
    const done = await collectFor({ ...request, baseCommit: lastCommit })
    expect(done).toMatchObject({ notes: [] })
    expect(repo.git('log', '--format=%s', BRANCH)).toBe('x\nbefore\nfirst')
  })

  it.each([
    ['before the checkout', ({ ground }: GroundRequest) => rmSync(ground.worktree, { recursive: true })],
    [
      'in the middle of it',
      ({ ground }: GroundRequest) => renameSync(ground.worktree, `${ground.worktree}.making`),
    ],
    [
      'before the agent had a repository',
      ({ ground }: GroundRequest) => {
        rmSync(ground.agentRepo, { recursive: true })
        rmSync(join(ground.worktree, '.git'))
      },
    ],
  ])('[W7] is made anew when its making was killed %s', async (_, undo) => {
    const { request, path, work, ground } = await createRun()
    undo(request)
    if (!existsSync(ground.agentRepo)) writeFileSync(join(ground.dir, 'ready'), '')
    expect(await ensureGround(request)).toEqual({ path })
    expect(work.read('src/code.ts')).toBe('code\n')
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('[W7] goes on where it was killed between its files and the rest', async () => {
    const { request, ground, work } = await createRun()
    // As it is after the files have come to their place.
    rmSync(join(ground.dir, 'ready'))
    rmSync(ground.agentRepo, { recursive: true })
    rmSync(join(work.dir, '.git'))
    expect(await ensureGround(request)).toEqual({ path: ground.worktree })
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('[W7] survives being killed at any moment of making it', async () => {
    const repo = createRepository({
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f/${n}`, `${n}`])),
    })
    const request = requestFor(repo, 'killed')
    const page = JSON.stringify(new URL('ensure-ground.ts', import.meta.url).href)
    const script = `
      const { ensureGround } = await import(${page})
      process.stdout.write('.')
      await ensureGround(${JSON.stringify(request)})`
    for (const delayMs of [5, 15, 30, 50, 80]) {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      const ended = new Promise((done) => child.on('exit', done))
      await Promise.race([ended, new Promise((done) => child.stdout.once('data', done))])
      await Promise.race([ended, new Promise((done) => setTimeout(done, delayMs))])
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
      expect(await ensureGround(request)).toEqual({ path: request.ground.worktree })
      expect(placeAt(request.ground.worktree).git('status', '--porcelain')).toBe('')
      expect(await remove(request)).toEqual({ removed: true })
    }
  })

  it('removes locks that a killed git left, of the host and of the agent, and nobody else’s', async () => {
    const { repo, request, ground, path } = await createRun()
    const left = [
      join(ground.store, 'index.lock'),
      join(ground.store, `refs/heads/${BRANCH}.lock`),
      join(repo.dir, `.git/refs/heads/${BRANCH}.lock`),
      join(ground.agentRepo, 'index.lock'),
      join(ground.agentRepo, 'HEAD.lock'),
    ]
    const others = [join(repo.dir, '.git/index.lock'), join(repo.dir, '.git/config.lock')]
    for (const file of [...left, ...others]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, '')
    }
    expect(await ensureGround({ ...request, since: 'seen' })).toEqual({ path })
    expect(left.every((file) => existsSync(file))).toBe(true)
    expect(await ensureGround(request)).toEqual({ path })
    expect(left.some((file) => existsSync(file))).toBe(false)
    expect(others.every((file) => existsSync(file))).toBe(true)
  })

  it('is refused where something else is in the way, which is left alone', async () => {
    const repo = createRepository()
    const request = requestFor(repo, 'w')
    const place = placeAt(request.ground.worktree)
    place.write('precious.txt', 'mine')
    expect(problemIn(await ensureGround(request))).toContain('in the way')
    execFileSync('git', ['init', '-q', place.dir])
    expect(problemIn(await ensureGround(request))).toContain('in the way')
    rmSync(request.ground.dir, { recursive: true })
    expect(problemIn(await remove(request))).toContain('left alone')
    expect(place.read('precious.txt')).toBe('mine')
  })

  it('is refused for a branch of another origin, an unknown commit, a bad name, a repository that is gone', async () => {
    const repo = createRepository()
    repo.git('branch', 'taken')
    repo.git('commit', '-q', '--allow-empty', '-m', 'second')
    const request = { ...requestFor(repo, 'w'), branch: 'taken' }
    const problem = async (over: Partial<GroundRequest>): Promise<string> =>
      problemIn(await ensureGround({ ...request, ...over }))
    expect(await problem({})).toContain('does not come from')
    expect(await problem({ baseCommit: '1'.repeat(40) })).toContain('is not in')
    expect(await problem({ branch: 'a..b' })).toContain('a..b')
    expect(await problem({ branch: 'taken/below' })).toContain('taken')
    const ground = { ...request.ground, userGitDir: join(repo.dir, 'none') }
    expect(await problem({ ground })).toContain('not a git repository')
  })

  it('is refused where a link would lead the run folder out of it', async () => {
    const repo = createRepository()
    symlinkSync('/tmp', join(repo.dir, '.signalbox'))
    repo.git('add', '-A')
    repo.git('commit', '-qm', 'link')
    expect(problemIn(await ensureGround(requestFor(repo, 'w')))).toContain('.signalbox/run')
  })

  it('of many runs can be made at once', async () => {
    const repo = createRepository()
    const requests = Array.from({ length: 5 }, (_, n) => ({
      ...requestFor(repo, `w${n}`),
      branch: `run/${n}`,
    }))
    const made = await Promise.all(requests.map(ensureGround))
    expect(made.map(problemIn).filter((problem) => problem !== '')).toEqual([])
    const removed = await Promise.all(requests.map(remove))
    expect(removed.map(problemIn).filter((problem) => problem !== '')).toEqual([])
    expect(refsOf(repo)).toBe('refs/heads/main')
  })
})
