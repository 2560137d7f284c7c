import { expect, it } from 'vitest'
import { GitFailure } from './git.ts'
import { type LandPlan, type LandRequest, moveUserBranch, planLanding } from './land.ts'
import { createRun } from './repository.fixture.ts'
import { standOf } from './stand.ts'

async function withWork(files: Readonly<Record<string, string>> = { 'src/new.ts': 'new\n' }) {
  const run = await createRun()
  for (const [name, text] of Object.entries(files)) run.work.write(name, text)
  const { commit } = await run.collected({ message: 'build: made it' })
  const { repo, ground } = run
  const request: LandRequest = { ground, into: 'main', commit, way: 'merge', message: 'Merge it\n' }
  const land = async (over: Partial<LandRequest> = {}): Promise<LandPlan> => {
    const asked = { ...request, ...over }
    const plan = await planLanding(asked)
    if ('conflicts' in plan) throw new Error(plan.conflicts.join())
    await moveUserBranch(asked, plan)
    return plan
  }
  const elsewhere = (name: string, text: string): string => {
    repo.write(name, text)
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', `change ${name}`)
    return repo.git('rev-parse', 'HEAD')
  }
  const stand = () => standOf({ ground, branch: 'main', commit })
  return { ...run, commit, request, land, elsewhere, stand }
}

it('[M1] goes forward where the branch has not moved, and the clean checkout goes along', async () => {
  const { repo, commit, land, stand } = await withWork()
  expect(await stand()).toMatchObject({ ahead: 1, behind: 0, merged: false })
  expect(await land()).toMatchObject({ how: 'fast-forward', after: commit, checkout: repo.dir })
  expect(repo.git('rev-parse', 'main')).toBe(commit)
  expect(repo.read('src/new.ts')).toBe('new\n')
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(await stand()).toMatchObject({ ahead: 0, merged: true })
  expect(await land()).toMatchObject({ how: 'nothing' })
})

it('[M1] merges, squashes and picks onto a branch that has moved; each gives the same files', async () => {
  for (const [way, parents] of [
    ['merge', 2],
    ['squash', 1],
    ['cherry-pick', 1],
  ] as const) {
    const { repo, commit, land, elsewhere, stand } = await withWork()
    const tip = elsewhere('other.txt', 'other\n')
    expect(await stand()).toMatchObject({ ahead: 1, behind: 1, merged: false })
    const { how, after, before } = await land({ way })
    expect([how, before]).toEqual([way, tip])
    expect(repo.git('rev-parse', 'HEAD')).toBe(after)
    expect(repo.git('log', '-1', '--format=%P').split(' ')).toHaveLength(parents)
    expect([repo.read('src/new.ts'), repo.read('other.txt')]).toEqual(['new\n', 'other\n'])
    expect(repo.git('log', '-1', '--format=%s')).toBe(way === 'cherry-pick' ? 'build: made it' : 'Merge it')
    // However it came there: nothing would be lost with the run's own copy.
    expect(await stand()).toMatchObject({ merged: true })
    expect(repo.git('merge-base', '--is-ancestor', tip, 'main')).toBe('')
    expect(repo.git('rev-parse', 'signalbox/r1')).toBe(commit)
  }
})

it('[M1] moves a branch that is checked out nowhere, from where it was seen or not at all', async () => {
  const { repo, request, land, commit } = await withWork()
  repo.git('branch', 'release')
  repo.git('checkout', '-q', '-b', 'mine')
  expect(await land({ into: 'release' })).toMatchObject({ checkout: null })
  expect(repo.git('rev-parse', 'release')).toBe(commit)
  expect(repo.has('src/new.ts')).toBe(false)

  const asked = { ...request, into: 'main', way: 'squash' } as const
  const plan = await planLanding(asked)
  if ('conflicts' in plan) throw new Error('it merges')
  repo.git('branch', '-f', 'main', repo.git('commit-tree', 'HEAD^{tree}', '-p', 'main', '-m', 'theirs'))
  const theirs = repo.git('rev-parse', 'main')
  await expect(moveUserBranch(asked, plan)).rejects.toThrow('main has moved meanwhile')
  expect(repo.git('rev-parse', 'main')).toBe(theirs)
})

it('[M1] touches nothing of a checkout with changes, and nothing at all where both sides changed the same', async () => {
  const { repo, request, elsewhere } = await withWork({ 'a.txt': 'ours\n' })
  repo.write('src/code.ts', 'not committed\n')
  await expect(planLanding(request)).rejects.toThrow(GitFailure)
  await expect(planLanding(request)).rejects.toThrow('changes that are not committed: src/code.ts')
  repo.git('checkout', '-q', '.')
  const tip = elsewhere('a.txt', 'theirs\n')
  expect(await planLanding(request)).toEqual({ conflicts: ['a.txt'], tip })
  expect(repo.git('rev-parse', 'main')).toBe(tip)
  expect([repo.read('a.txt'), repo.git('status', '--porcelain')]).toEqual(['theirs\n', ''])
  await expect(planLanding({ ...request, into: 'gone' })).rejects.toThrow('There is no branch gone')
})

it('[M1] runs no hook of the repository', async () => {
  const { repo, land } = await withWork()
  for (const hook of ['post-merge', 'post-checkout', 'reference-transaction', 'pre-merge-commit'])
    repo.write(`.git/hooks/${hook}`, '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/../ran"\n')
  repo.git('config', 'core.hooksPath', '.git/hooks')
  for (const hook of ['post-merge', 'post-checkout', 'reference-transaction'])
    (await import('node:fs')).chmodSync(`${repo.dir}/.git/hooks/${hook}`, 0o755)
  await land()
  expect(repo.has('../ran')).toBe(false)
  expect(repo.has('src/new.ts')).toBe(true)
})
