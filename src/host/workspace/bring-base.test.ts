import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bringBase, finishBringing } from './bring-base.ts'
import { BRANCH, confined, createRun } from './repository.fixture.ts'
import { tipOf } from './store.ts'

async function moved() {
  const run = await createRun()
  run.work.write('src/ours.ts', 'ours\n')
  const { commit } = await run.collected()
  run.repo.write('docs/guide.md', 'a better guide\n')
  run.repo.git('rm', '-q', 'a.txt')
  run.repo.git('add', '-A')
  run.repo.git('commit', '-q', '-m', 'theirs')
  const { ground } = run
  const place = { ground, branch: BRANCH, confined }
  const tip = run.repo.git('rev-parse', 'main')
  const request = { ...place, run: 'r1', commit, base: 'main', conflicts: 'refused' } as const
  const files = () => [run.work.has('a.txt'), run.work.read('docs/guide.md'), run.work.read('src/ours.ts')]
  return { ...run, commit, tip, place, request, files }
}
const MERGED = [false, 'a better guide\n', 'ours\n']

it('[M8] puts both sides into the worktree, the store and the user’s own copy of the branch', async () => {
  const { request, ground, files, repo, work, commit, tip } = await moved()
  const brought = await bringBase(request)
  if ('refused' in brought) throw new Error('it merges')
  expect(files()).toEqual(MERGED)
  expect(await tipOf(ground, BRANCH)).toBe(brought.commit)
  expect(repo.git('log', '-1', '--format=%P', BRANCH)).toBe(`${commit} ${tip}`)
  expect(work.git('status', '--porcelain')).toBe('')
  expect(await bringBase({ ...request, commit: brought.commit })).toEqual({ ...brought, conflicts: [] })
})

it('[W7] is finished after a crash in the middle, wherever that was', async () => {
  const { request, ground, files, work, place, commit } = await moved()
  const brought = await bringBase(request)
  if ('refused' in brought) throw new Error('it merges')
  // As a crash leaves it: the branch has moved, and the files have not.
  work.write('a.txt', 'a\n')
  work.write('docs/guide.md', 'guide\n')
  writeFileSync(join(ground.dir, 'bringing'), JSON.stringify({ before: commit, after: brought.commit }))
  await finishBringing(place)
  expect(files()).toEqual(MERGED)
  expect(work.git('status', '--porcelain')).toBe('')
  expect(existsSync(join(ground.dir, 'bringing'))).toBe(false)
})
