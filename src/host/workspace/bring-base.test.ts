import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type BringRequest, bringBase, settleBringing } from './bring-base.ts'
import { moveBranch } from './commit.ts'
import { ensureGround } from './ensure-ground.ts'
import { openFailingGit } from './failing-git.fixture.ts'
import { BRANCH, createRun, confined as unfailing } from './repository.fixture.ts'
import { tipOf } from './store.ts'

const ALICE = { kind: 'person', name: 'alice' } as const

async function moved(confined = unfailing) {
  const run = await createRun()
  run.work.write('src/ours.ts', 'ours\n')
  run.work.write('src/code.ts', 'our code\n')
  const { commit } = await run.collected()
  run.repo.write('docs/guide.md', 'a better guide\n')
  run.repo.write('new/one.txt', 'new\n')
  run.repo.git('rm', '-q', 'a.txt')
  run.repo.git('add', '-A')
  run.repo.git('commit', '-q', '-m', 'theirs')
  const { ground } = run
  const place = { ground, branch: BRANCH, lastBase: run.base, confined }
  const tip = run.repo.git('rev-parse', 'main')
  const request = { ...place, run: 'r1', commit, base: 'main', by: ALICE, conflicts: 'refused' } as const
  return { ...run, groundRequest: run.request, commit, tip, place, request }
}

type Moved = Awaited<ReturnType<typeof moved>>

/** Both sides of it: the files, and what git says of them to whoever works there. */
const seen = ({ work, path }: Moved) => ({
  gone: !work.has('a.txt'),
  guide: work.read('docs/guide.md'),
  added: work.has('new'),
  ours: work.read('src/ours.ts'),
  status: work.git('status', '--porcelain'),
  head: work.git('rev-parse', 'HEAD'),
  path,
})
const filesOf = ({ gone, guide, added, ours, status }: ReturnType<typeof seen>) => [
  gone,
  guide,
  added,
  ours,
  status,
]
const MERGED = [true, 'a better guide\n', true, 'ours\n', '']
const BEFORE = [false, 'guide\n', false, 'ours\n', '']

/** What main got since stands in a file of the run's, too. */
function conflicting({ repo }: Moved): string {
  repo.write('src/code.ts', 'their code\n')
  repo.git('commit', '-qam', 'theirs, too')
  return repo.git('rev-parse', 'main')
}

async function brought(request: BringRequest) {
  const done = await bringBase(request)
  if (done === null || 'refused' in done) throw new Error('it merges')
  return done
}

/** As a host leaves it that is killed before the branch has moved. */
async function broughtHalf({ request, ground, commit }: Moved): Promise<void> {
  const { commit: after } = await brought(request)
  await moveBranch(ground, BRANCH, { from: after, to: commit })
}

it('[M8] puts both sides into the worktree, the store and the user’s own copy of the branch', async () => {
  const run = await moved()
  const { request, ground, repo, commit, tip } = run
  const done = await brought(request)
  expect(filesOf(seen(run))).toEqual(MERGED)
  expect(seen(run).head).toBe(done.commit)
  expect(await tipOf(ground, BRANCH)).toBe(done.commit)
  expect(repo.git('log', '-1', '--format=%P', BRANCH)).toBe(`${commit} ${tip}`)
  const told = { ...request, commit: done.commit, lastBase: tip }
  expect(await bringBase(told)).toEqual({ ...done, conflicts: [] })
  expect(existsSync(join(ground.dir, 'bringing.json'))).toBe(false)
})

it('does nothing where nobody wants it', async () => {
  const run = await moved()
  expect(await bringBase({ ...run.request, by: null })).toBeNull()
  expect(filesOf(seen(run))).toEqual(BEFORE)
})

it('[K9] comes out the same though one git after another fails, and is in between as before or as after it', async () => {
  const git = openFailingGit('merge-tree|commit-tree|read-tree|checkout-index|update-ref|diff-tree|xargs')
  const run = await moved(git.confined)
  const { request, repo, commit, tip } = run
  for (let tries = 0; ; tries++) {
    git.failAt(1 + Math.floor(tries / 2), tries % 2 === 0 ? 'at once' : 'late')
    const done = await bringBase(request).catch(() => null)
    if (done === null) {
      // Whoever looks next finds one or the other, and what is said of it fits.
      git.failAt(0, 'at once')
      const isIn = (await settleBringing(run.place, 'nobody')) !== null
      expect(filesOf(seen(run))).toEqual(isIn ? MERGED : BEFORE)
      expect((seen(run).head === commit) !== isIn).toBe(true)
      continue
    }
    expect(tries).toBeGreaterThan(8)
    expect(done).toMatchObject({ tip, by: ALICE, conflicts: [] })
    expect(filesOf(seen(run))).toEqual(MERGED)
    expect(repo.git('rev-parse', `${BRANCH}^{tree}`)).toBe(
      repo.git('rev-parse', `${'commit' in done ? done.commit : ''}^{tree}`),
    )
    return
  }
})

it('[W7] is put back after a crash before the branch had moved', async () => {
  const run = await moved()
  const { request, place, commit } = run
  await broughtHalf(run)
  expect(await settleBringing(place, 'nobody')).toBeNull()
  expect(filesOf(seen(run))).toEqual(BEFORE)
  expect(seen(run).head).toBe(commit)
  // It never happened: what is there is nobody's work, and it can be brought in anew.
  expect(
    await run.collected({ lastCommit: commit, published: commit, boundary: [['docs/none']] }),
  ).toMatchObject({
    commit,
    outside: [],
    notes: [],
  })
  await brought(request)
  expect(filesOf(seen(run))).toEqual(MERGED)
})

it('[W7] is held against nobody after a crash before it was told, and is told of by whoever comes next', async () => {
  const run = await moved()
  const tip = conflicting(run)
  const { request, collected, base, work } = run
  const { commit: after, conflicts } = await brought({ ...request, conflicts: 'left' })
  expect(conflicts).toEqual(['src/code.ts'])
  work.write('src/more.ts', 'more\n')
  const left = await collected({ lastCommit: request.commit, lastBase: base, boundary: [['src/**']] })
  expect(left).toMatchObject({ outside: [], notes: [] })
  // The record has the work, by somebody who was not there to tell of the base.
  const later = { ...request, commit: left.commit, by: null, conflicts: 'left' } as const
  const told = { tip, by: ALICE, commit: left.commit, conflicts: ['src/code.ts'] }
  expect(await bringBase(later)).toEqual({ ...told, hasMore: false })
  run.repo.write('later.txt', 'later\n')
  run.repo.git('add', '-A')
  run.repo.git('commit', '-qm', 'later')
  expect(await bringBase(later)).toEqual({ ...told, hasMore: true })
  expect(left.commit).not.toBe(after)

  expect(await bringBase({ ...later, lastBase: tip })).toBeNull()
})

it('[W7] is put back but for what somebody has written there since', async () => {
  const run = await moved()
  const { place, work } = run
  await broughtHalf(run)
  work.write('docs/guide.md', 'written since\n')
  expect(await settleBringing(place, 'perhaps')).toBeNull()
  expect([work.read('docs/guide.md'), work.has('a.txt'), work.has('new')]).toEqual([
    'written since\n',
    true,
    false,
  ])
})

it('[W7] is put back where a host was killed in the middle of a file, and a person’s own words stay', async () => {
  const run = await moved()
  const { place, work } = run
  await broughtHalf(run)
  work.write('new/one.txt', 'n')
  work.write('docs/guide.md', 'by a person\n')
  expect(await settleBringing(place, 'nobody')).toBeNull()
  expect([work.has('new'), work.has('a.txt'), work.read('docs/guide.md')]).toEqual([
    false,
    true,
    'by a person\n',
  ])
})

it('[M8] is refused where it would overwrite what is in no commit', async () => {
  const run = await moved()
  run.work.write('docs/guide.md', 'written by hand\n')
  await expect(bringBase(run.request)).rejects.toThrow(/main changed docs\/guide\.md, and so did somebody/)
  expect(run.work.read('docs/guide.md')).toBe('written by hand\n')
  expect(await tipOf(run.ground, BRANCH)).toBe(run.commit)
})

it('[M8] is refused where a file would take the place of a folder in no commit, and the other way round', async () => {
  const run = await moved()
  run.repo.write('plans', 'a file\n')
  run.repo.write('notes/x.md', 'in a folder\n')
  run.repo.git('add', '-A')
  run.repo.git('commit', '-qm', 'theirs, too')
  run.work.write('plans/mine.md', 'in no commit\n')
  await expect(bringBase(run.request)).rejects.toThrow(/main changed plans, and so did somebody/)
  run.work.git('clean', '-fdq', 'plans')
  run.work.write('notes', 'in no commit\n')
  await expect(bringBase(run.request)).rejects.toThrow(/main changed notes\/x\.md, and so did somebody/)
  expect(run.work.read('notes')).toBe('in no commit\n')
  expect(await tipOf(run.ground, BRANCH)).toBe(run.commit)
})

it('[W7] has what a host took in and did not come to record', async () => {
  const run = await moved()
  run.work.write('src/by-hand.ts', 'by hand\n')
  const { commit } = await run.collected({ lastCommit: run.commit })
  const done = await brought(run.request)
  expect(run.repo.git('log', '-1', '--format=%P', BRANCH)).toBe(`${commit} ${run.tip}`)
  expect(await tipOf(run.ground, BRANCH)).toBe(done.commit)
  expect(run.work.read('src/by-hand.ts')).toBe('by hand\n')
  const told = { lastCommit: done.commit, lastBase: run.tip, boundary: [['docs/none']] }
  expect(await run.collected(told)).toMatchObject({ outside: [], notes: [], commit: done.commit })
})

it('[W7] is put back, and is not taken for brought in, where the branch is at neither', async () => {
  const run = await moved()
  const { ground, place, commit } = run
  await broughtHalf(run)
  run.work.write('src/by-hand.ts', 'by hand\n')
  const bringing = join(ground.dir, 'bringing.json')
  const note = readFileSync(bringing)
  const { commit: theirs } = await run.collected({ lastCommit: commit })
  // It was begun again, by somebody who did not know of that commit.
  writeFileSync(bringing, note)
  run.work.write('docs/guide.md', 'a better guide\n')
  run.work.write('new/one.txt', 'new\n')
  expect(await settleBringing(place, 'perhaps')).toBeNull()
  expect(existsSync(bringing)).toBe(false)
  expect(await tipOf(ground, BRANCH)).toBe(theirs)
  expect(run.work.git('status', '--porcelain')).toBe('')
  expect(run.work.read('src/by-hand.ts')).toBe('by hand\n')
})

it('[W7] does nothing where nothing was laid, though it could not be', async () => {
  const run = await moved()
  const { request, ground, place } = run
  let asked = 0
  const unable: typeof unfailing = async (command) => {
    if (command.argv[0] === 'sh' && command.argv[2]?.includes('checkout-index') === false)
      return unfailing(command)
    asked++
    return { ...(await unfailing({ ...command, argv: ['false'], input: Buffer.alloc(0) })) }
  }
  await expect(bringBase({ ...request, confined: unable })).rejects.toThrow('could not be put back')
  expect(asked).toBe(1)
  expect(existsSync(join(ground.dir, 'bringing.json'))).toBe(false)
  expect(await settleBringing(place, 'nobody')).toBeNull()
  expect(filesOf(seen(run))).toEqual(BEFORE)
})

it('[W7] is forgotten where the store is made anew without it', async () => {
  const run = await moved()
  const { request, ground, place, commit } = run
  await brought(request)
  rmSync(ground.store, { recursive: true })
  expect(await ensureGround({ ...run.groundRequest, lastCommit: commit })).toMatchObject({ path: run.path })
  expect(await settleBringing(place, 'nobody')).toBeNull()
  expect(existsSync(join(ground.dir, 'bringing.json'))).toBe(false)
})
