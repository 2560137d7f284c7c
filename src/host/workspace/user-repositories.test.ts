import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureGround } from './ensure-ground.ts'
import {
  BRANCH,
  collectFor,
  createRepository,
  createRun,
  type Place,
  placeAt,
  requestFor,
  temporaryFolder,
} from './repository.fixture.ts'

describe('what a user’s repository may be', () => {
  /** A repository with two commits, and what a clone of it makes. */
  const cloned = (...how: string[]): Place => {
    const origin = createRepository()
    origin.write('a.txt', 'second\n')
    origin.git('commit', '-qam', 'second')
    origin.git('config', 'uploadpack.allowFilter', 'true')
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    const dir = join(temporaryFolder(), 'clone')
    execFileSync('git', ['clone', '-q', ...how, `file://${origin.dir}`, dir])
    const clone = placeAt(dir)
    for (const [key, value] of [
      ['user.name', 'Tester'],
      ['user.email', 'tester@example.com'],
    ])
      clone.git('config', key!, value!)
    return clone
  }

  it.each([
    ['a shallow clone', ['--depth=1']],
    ['a partial clone', ['--filter=blob:none', '--no-checkout']],
    ['a clone that borrows from another', ['--shared']],
  ])('[W12] %s', async (_, how) => {
    const repo = how.includes('--shared') ? sharedClone() : cloned(...how)
    const request = requestFor(repo)
    expect(await ensureGround(request)).toEqual({ path: request.ground.worktree })
    const work = placeAt(request.ground.worktree)
    expect(work.git('log', '--oneline').length).toBeGreaterThan(0)
    work.write('src/code.ts', 'mine\n')
    work.git('commit', '-qam', 'mine')
    work.write('new.txt', 'new\n')
    const done = await collectFor(request)
    expect(done).toMatchObject({ notes: [] })
    expect(repo.git('show', `${BRANCH}:new.txt`)).toBe('new')
    expect(repo.git('log', '--format=%s', '-2', BRANCH)).toBe('x\nmine')
  })

  const sharedClone = (): Place => {
    const origin = createRepository()
    const dir = join(temporaryFolder(), 'clone')
    execFileSync('git', ['clone', '-q', '--shared', origin.dir, dir])
    return placeAt(dir)
  }

  it('[W12] one with filters of the user’s: their files are written and read as theirs', async () => {
    const { repo, work, collected } = await createRun(
      { 'a.up': 'UPPER\n', '.gitattributes': '*.up filter=up\n' },
      (place) => {
        place.git('config', 'filter.up.smudge', "tr 'A-Z' 'a-z'")
        place.git('config', 'filter.up.clean', "tr 'a-z' 'A-Z'")
      },
    )
    expect(work.read('a.up')).toBe('upper\n')
    work.write('b.up', 'mine\n')
    const { commit } = await collected()
    expect(repo.git('show', `${commit}:b.up`)).toBe('MINE')
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('[W12] a sparse checkout stays sparse', async () => {
    const { repo, work, base, collected } = await createRun(undefined, (place) => {
      place.git('sparse-checkout', 'set', 'src')
    })
    expect(work.has('src/code.ts')).toBe(true)
    expect(work.has('docs/guide.md')).toBe(false)
    work.write('src/new.ts', 'new\n')
    const { commit } = await collected()
    expect(repo.git('diff', '--name-only', base, commit)).toBe('src/new.ts')
  })

  it('[W12] one whose checkout is itself a worktree', async () => {
    const repo = createRepository()
    const other = join(dirname(repo.dir), 'second')
    repo.git('worktree', 'add', '-q', '-b', 'second', other)
    const request = requestFor(repo)
    expect(await ensureGround({ ...request, repo: other })).toEqual({ path: request.ground.worktree })
    expect(placeAt(other).git('status', '--porcelain')).toBe('')
  })
})
