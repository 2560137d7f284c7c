import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GroundRequest } from './ensure-ground.ts'
import { removeGround } from './remove-ground.ts'
import {
  BRANCH,
  createRepository,
  createRun,
  type Place,
  requestFor,
  temporaryFolder,
} from './repository.fixture.ts'

const problemIn = (result: object): string => ('problem' in result ? String(result.problem) : '')
const remove = ({ ground, branch }: GroundRequest) => removeGround({ ground, branch })
const refsOf = (repo: Place): string => repo.git('for-each-ref', '--format=%(refname)')

describe('removing', () => {
  it('takes ground and branch, and nothing else; again is harmless', async () => {
    const { repo, path, request, ground } = await createRun()
    const other = join(dirname(path), 'users own')
    repo.git('worktree', 'add', '-q', '-b', 'users', other)
    rmSync(other, { recursive: true })
    expect(await remove(request)).toEqual({ removed: true })
    expect(await remove(request)).toEqual({ removed: true })
    expect(existsSync(path)).toBe(false)
    expect(existsSync(ground.dir)).toBe(false)
    expect(refsOf(repo)).toBe('refs/heads/main\nrefs/heads/users')
    expect(repo.git('worktree', 'list', '--porcelain')).toContain(realpathSync(dirname(path)))
  })

  it('goes on where it was killed', async () => {
    const { path, request } = await createRun()
    renameSync(path, `${path}.removed`)
    expect(await remove(request)).toEqual({ removed: true })
    expect(existsSync(`${path}.removed`)).toBe(false)
  })

  it('takes the folder when the repository is gone', async () => {
    const { repo, path, request } = await createRun()
    rmSync(repo.dir, { recursive: true })
    expect(await remove(request)).toEqual({ removed: true })
    expect(existsSync(path)).toBe(false)
  })

  it('leaves a branch that is checked out by the user', async () => {
    const { repo, request } = await createRun()
    repo.git('checkout', '-q', BRANCH)
    expect(problemIn(await remove(request))).toContain(repo.dir)
    expect(existsSync(join(repo.dir, 'a.txt'))).toBe(true)
  })

  it('takes a worktree of the user’s repository, as runs had one before', async () => {
    const repo = createRepository()
    const request = requestFor(repo, 'linked')
    repo.git('worktree', 'add', '-q', '-b', BRANCH, request.ground.worktree)
    expect(await remove(request)).toEqual({ removed: true })
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(refsOf(repo)).toBe('refs/heads/main')
  })

  it('does not follow links out of it', async () => {
    const { path, request } = await createRun()
    const outside = temporaryFolder()
    mkdirSync(join(outside, 'kept'))
    symlinkSync(outside, join(path, 'link'))
    await remove(request)
    expect(existsSync(join(outside, 'kept'))).toBe(true)
  })
})
