/** Work that is taken in by more than one try: what is told of it is what one try would have told. */
import { expect, it } from 'vitest'
import { createMemoryJournal } from '../../journal/index.ts'
import { StorageFailure } from '../../model/storage-failure.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { type Collected, type Judges, NOTHING_BEGUN } from './collect-work.ts'
import { openFailingGit } from './failing-git.fixture.ts'
import type { Problem } from './problem.ts'
import { BRANCH, createRun } from './repository.fixture.ts'
import { takeInWork } from './take-in-work.ts'

const WRITING = 'read-tree|update-index|write-tree|commit-tree|update-ref|checkout-index'

type Run = Awaited<ReturnType<typeof createRun>>

const committed = ({ work }: Run, name: string): void => {
  work.write(name, `${name}\n`)
  work.git('add', '-A')
  work.git('commit', '-qm', name)
}

const refusing: Judges = async (patch) => ({ words: patch.includes('backdoor') ? 'No backdoors.' : null })

const CASES: Record<string, { readonly judges: Judges | null; readonly leave: (run: Run) => void }> = {
  'commits and files outside': {
    judges: null,
    leave: (run) => {
      committed(run, 'src/one.ts')
      committed(run, 'stray.txt')
      run.work.git('rm', '-q', 'docs/guide.md')
      run.work.write('a.txt', 'not yours\n')
    },
  },
  'a HEAD that was left elsewhere': {
    judges: null,
    leave: (run) => {
      committed(run, 'src/one.ts')
      run.work.git('checkout', '-q', '--detach', 'main')
    },
  },
  'what a judge refuses': {
    judges: refusing,
    leave: ({ work }) => {
      work.write('a.txt', 'not yours\n')
      work.write('src/code.ts', 'backdoor\n')
      work.write('src/new.ts', 'fine\n')
    },
  },
  'a merge in progress': {
    judges: null,
    leave: ({ work }) => {
      work.git('checkout', '-q', '-b', 'side')
      work.write('src/side.ts', 'side\n')
      work.git('add', '-A')
      work.git('commit', '-qm', 'side')
      work.git('checkout', '-q', 'signalbox/r1')
      work.git('merge', '-q', '--no-commit', '--no-ff', 'side')
    },
  },
}

function of(run: Run, collected: Collected | Problem) {
  if ('problem' in collected) throw new Error(collected.problem)
  return {
    ...collected,
    commit: run.repo.git('rev-parse', `${collected.commit}^{tree}`),
    published: collected.published === collected.commit,
    commits: run.repo.git('log', '--format=%s', `${run.base}..signalbox/r1`),
    status: run.work.git('status', '--porcelain'),
    head: run.work.git('rev-parse', 'HEAD') === collected.commit,
  }
}

it.each(Object.entries(CASES))(
  '[K9] %s: told as by one try, though one after another is broken off',
  async (_, { judges, leave }) => {
    const openRun = async () => {
      const git = openFailingGit(WRITING)
      const run = await createRun()
      leave(run)

      const begun = NOTHING_BEGUN()
      const collect = () => run.collect({ boundary: [['src/**']], judges, confined: git.confined, begun })
      return { git, run, collect }
    }
    const whole = await openRun()
    const wanted = of(whole.run, await whole.collect())
    const { git, run, collect } = await openRun()
    // Each try comes further than the one before. The first git may fail: then the index is made anew.
    for (let tries = 0; ; tries++) {
      git.failAt(2 + Math.floor(tries / 2), tries % 2 === 0 ? 'at once' : 'late')
      const collected = await collect()
      if ('problem' in collected) continue
      expect(tries).toBeGreaterThan(2)
      expect(of(run, collected)).toEqual(wanted)
      return
    }
  },
)

it.each(['pack-objects', 'index-pack', 'fetch'])(
  '[K9] nobody is told of a %s that failed once, and no commit of the agent’s is lost for it',
  async (word) => {
    const git = openFailingGit(word)
    const run = await createRun()
    committed(run, 'src/one.ts')
    const made = run.work.git('rev-parse', 'HEAD')
    git.failAt(1, 'at once')
    const { commit, notes, published } = await run.collected({ confined: git.confined })
    expect({ commit, notes, published }).toEqual({ commit: made, notes: [], published: made })
    expect(git.asked().slice(0, 2)).toEqual([word, word])
  },
)

it('[W4] a host that was killed with an agent’s commits half taken in accuses nobody of rewriting them', async () => {
  const run = await createRun()
  committed(run, 'src/one.ts')
  const made = run.work.git('rev-parse', 'HEAD')
  run.work.write('src/two.ts', 'two\n')
  await run.collected()
  // As the crash leaves it: the host's branch has moved, and the agent's repository has not.
  run.work.git('update-ref', 'HEAD', made)
  expect(await run.collected()).toMatchObject({ notes: [] })
  expect(run.work.git('status', '--porcelain')).toBe('')
})

async function openPanel(words: string) {
  const git = openFailingGit(words)
  const run = await createRun()
  const { ground, base } = run
  const needs = {
    journal: createMemoryJournal(),
    clock: createManualClock(1_000),
    ground,
    published: new Map(),
    confined: git.confined,
  }
  const placed = { placement: { branch: BRANCH } }
  const loaded = { run: 'r1', placed, commit: base, base } as unknown as LoadedRun
  const begun = { work: NOTHING_BEGUN() }
  const order = { loaded, step: 'talk', visit: 1, member: 0, boundary: null, message: 'one', begun }
  return { git, run, needs, order }
}

const BROKEN_OFF: Record<
  string,
  { readonly failing: string; readonly how: 'at once' | 'late'; readonly judges: Judges | null }
> = {
  'before its commit was made': { failing: 'update-ref', how: 'at once', judges: null },
  'after judges had it undone': { failing: 'checkout-index', how: 'late', judges: refusing },
  'after its commit was made': { failing: 'nothing', how: 'at once', judges: null },
}

it.each(Object.entries(BROKEN_OFF))(
  '[K9] what was taken out of a panel’s files by a try that was broken off %s is told, though another member commits meanwhile',
  async (_, { failing, how, judges }) => {
    const { git, run, needs, order } = await openPanel(failing)
    const judged = { ...order, boundary: [['src/**']], judges }
    run.work.write('stray.txt', 'not yours\n')
    run.work.write('src/code.ts', 'backdoor\n')
    git.failAt(1, how)
    let isFull = failing === 'nothing'
    const keep: typeof needs.journal.keep = async (bytes) => {
      if (isFull) throw new StorageFailure('The disk is full.', { code: 'cannot-write' })
      return needs.journal.keep(bytes)
    }
    const tools = { ...needs, journal: { ...needs.journal, keep } }
    const first = await takeInWork(tools, judged).catch((error: Error) => ({ problem: error.message }))
    expect(first).toHaveProperty('problem')
    isFull = false
    run.work.write('src/two.ts', 'two\n')
    const others = await run.collected({ message: 'two', confined: git.confined })
    const again = await takeInWork(tools, judged)
    if ('problem' in again) throw new Error(again.problem)
    expect(again.outside).toContain('stray.txt')
    expect(again.words?.includes('No backdoors.') ?? false).toBe(judges !== null)
    const [held] = again.facts.filter(({ type }) => type === 'boundary.held')
    const patch = await needs.journal.fetch((held as { readonly patch: string }).patch)
    expect(new TextDecoder().decode(patch!).includes('+backdoor')).toBe(judges !== null)
    expect(new TextDecoder().decode(patch!)).toContain('+not yours')
    expect(again.commit).toBe(others.commit)
    expect(run.work.has('src/two.ts')).toBe(true)
  },
)

it('[K9] what another member of a panel commits between two tries stays, and is not told as if it were not there', async () => {
  const { git, run, needs, order } = await openPanel('update-ref')
  const { work } = run
  work.write('src/one.ts', 'one\n')
  git.failAt(1, 'at once')
  const taken = await takeInWork(needs, order)
  expect(taken).toHaveProperty('problem')
  work.write('src/two.ts', 'two\n')
  await run.collected({ message: 'two' })
  work.write('src/three.ts', 'three\n')

  const again = await takeInWork(needs, order)
  if ('problem' in again) throw new Error(again.problem)
  expect(run.repo.git('ls-tree', '--name-only', again.commit, 'src/').split('\n')).toEqual([
    'src/code.ts',
    'src/one.ts',
    'src/three.ts',
    'src/two.ts',
  ])
  expect(again.commit).toBe(run.repo.git('rev-parse', BRANCH))
})
