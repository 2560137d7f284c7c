import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { preflight } from './preflight.ts'
import { createRepository, temporaryFolder } from './repository.fixture.ts'

async function problemsOf(request: Parameters<typeof preflight>[0]): Promise<string[]> {
  const found = await preflight(request)
  return 'problems' in found ? found.problems.map((each) => each.problem) : []
}

describe('a clean checkout', () => {
  it('is good ground, also from a folder within it', async () => {
    const repo = createRepository()
    const baseCommit = repo.git('rev-parse', 'HEAD')
    const ground = { repo: repo.dir, commonDir: join(repo.dir, '.git'), base: 'main', baseCommit }
    expect(await preflight({ dir: repo.dir })).toEqual(ground)
    expect(await preflight({ dir: join(repo.dir, 'src') })).toEqual(ground)
  })

  it('may be a worktree of the user', async () => {
    const repo = createRepository()
    const dir = `${repo.dir}-two`
    repo.git('worktree', 'add', '-q', '-b', 'two', dir)
    expect(await preflight({ dir })).toMatchObject({
      repo: dir,
      commonDir: join(repo.dir, '.git'),
      base: 'two',
    })
  })

  it('is not troubled by an environment that points elsewhere', async () => {
    const repo = createRepository()
    process.env['GIT_DIR'] = '/nowhere'
    onTestFinished(() => {
      delete process.env['GIT_DIR']
    })
    expect(await preflight({ dir: repo.dir })).toMatchObject({ repo: repo.dir })
  })

  it('may have runbooks and an MCP entry that are not committed', async () => {
    const repo = createRepository()
    repo.write('.signalbox/flow.yaml', 'runbook: 1\n')
    repo.write('.mcp.json', '{}')
    repo.write('build.log', 'ignored')
    expect(await problemsOf({ dir: repo.dir })).toEqual([])
  })

  it('starts from the base that is asked for: branch before tag, remote, commit', async () => {
    const repo = createRepository()
    const first = repo.git('rev-parse', 'HEAD')
    repo.git('tag', 'same')
    repo.git('checkout', '-q', '-b', 'same')
    repo.git('commit', '-q', '--allow-empty', '-m', 'second')
    const second = repo.git('rev-parse', 'HEAD')
    repo.git('update-ref', 'refs/remotes/origin/main', first)
    expect(await preflight({ dir: repo.dir, base: 'same' })).toMatchObject({
      base: 'same',
      baseCommit: second,
    })
    expect(await preflight({ dir: repo.dir, base: 'origin/main' })).toMatchObject({ baseCommit: first })
    expect(await preflight({ dir: repo.dir, base: first.slice(0, 10) })).toMatchObject({ baseCommit: first })
  })
})

describe('refused, with what to do:', () => {
  it('a folder that is not there, or is no repository', async () => {
    const dir = temporaryFolder()
    expect(await problemsOf({ dir: join(dir, 'none') })).toEqual([
      expect.stringContaining('There is no folder'),
    ])
    expect(await problemsOf({ dir })).toEqual([expect.stringMatching(/not in a git repository.*git init/)])
  })

  it('[W2] a bare repository, and the inside of a git directory', async () => {
    const dir = temporaryFolder()
    execFileSync('git', ['init', '-q', '--bare', dir])
    expect(await problemsOf({ dir })).toEqual([expect.stringContaining('bare repository')])
    expect(await problemsOf({ dir: join(createRepository().dir, '.git') })).toEqual([
      expect.stringContaining("project's own folder"),
    ])
  })

  it('a repository without a commit', async () => {
    const dir = temporaryFolder()
    execFileSync('git', ['init', '-q', dir])
    expect(await problemsOf({ dir })).toEqual([expect.stringContaining('no commit yet')])
  })

  it('[W2] a detached HEAD, unless the base is named', async () => {
    const repo = createRepository()
    repo.git('checkout', '-q', '--detach')
    expect(await problemsOf({ dir: repo.dir })).toEqual([expect.stringContaining('HEAD is detached')])
    expect(await problemsOf({ dir: repo.dir, base: 'main' })).toEqual([])
  })

  it('[W2] changes that are not committed: staged, not staged, untracked; five are named', async () => {
    const repo = createRepository()
    repo.write('a.txt', 'changed')
    repo.write('staged.txt', '')
    repo.git('add', 'staged.txt')
    repo.write('with "quotes" and\nnewline', '')
    for (const name of ['u1', 'u2', 'u3', 'u4']) repo.write(name, '')
    const [problem = ''] = await problemsOf({ dir: repo.dir })
    expect(problem).toContain('a.txt, staged.txt, u1, u2, u3 and 2 more')
    expect(problem).toContain('Commit or stash')
    repo.git('mv', 'src/code.ts', 'moved.ts')
    expect((await problemsOf({ dir: repo.dir }))[0]).toContain('and 4 more')
  })

  it('[W2] an unknown base, with a near one', async () => {
    const repo = createRepository()
    expect(await problemsOf({ dir: repo.dir, base: 'mian' })).toEqual([
      expect.stringContaining('did you mean "main"?'),
    ])
    expect(await problemsOf({ dir: repo.dir, base: 'zzzzzz' })).toEqual([
      expect.stringContaining('git branch --all'),
    ])
    expect(await problemsOf({ dir: repo.dir, base: '--all' })).toEqual([expect.stringContaining('"--all"')])
  })

  it('a merge or a rebase in progress', async () => {
    const repo = createRepository()
    repo.git('checkout', '-q', '-b', 'other')
    repo.write('a.txt', 'other\n')
    repo.git('commit', '-qam', 'other')
    repo.git('checkout', '-q', 'main')
    repo.write('a.txt', 'main\n')
    repo.git('commit', '-qam', 'main')
    expect(() => repo.git('merge', 'other')).toThrow()
    expect(await problemsOf({ dir: repo.dir })).toContainEqual(expect.stringContaining('git merge --abort'))
    repo.git('merge', '--abort')
    expect(() => repo.git('rebase', 'other')).toThrow()
    expect(await problemsOf({ dir: repo.dir })).toContainEqual(expect.stringContaining('git rebase --abort'))
  })

  it('[W2] several things at once', async () => {
    const repo = createRepository()
    repo.git('checkout', '-q', '--detach')
    repo.write('a.txt', 'changed')
    expect(await problemsOf({ dir: repo.dir })).toHaveLength(2)
  })

  it('no git, or an old one', async () => {
    const repo = createRepository()
    const bin = temporaryFolder()
    const path = process.env['PATH']
    onTestFinished(() => {
      process.env['PATH'] = path
    })
    process.env['PATH'] = bin
    expect(await problemsOf({ dir: repo.dir })).toEqual([expect.stringContaining('Install git')])
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.19.4\n')
    chmodSync(join(bin, 'git'), 0o755)
    expect(await problemsOf({ dir: repo.dir })).toEqual([expect.stringMatching(/2\.19 is too old.*2\.20/)])
  })
})

it('takes a path through a link', async () => {
  const repo = createRepository()
  mkdirSync(join(repo.dir, '..', 'links'))
  const link = join(repo.dir, '..', 'links', 'here')
  symlinkSync(repo.dir, link)
  expect(await preflight({ dir: link })).toMatchObject({ repo: repo.dir })
})
