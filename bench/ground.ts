/**
 * What a run's ground costs beside git itself: making it beside a plain `git worktree add` of the same tree, and taking
 * in a step's work beside a `git status`. Real git, in a folder of memory where there is one, so that no disk decides.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { emptySandbox, findSandbox } from '../src/drivers/index.ts'
import { collectWork } from '../src/host/workspace/collect-work.ts'
import { type Confinement, createConfined } from '../src/host/workspace/confined.ts'
import { ensureGround } from '../src/host/workspace/ensure-ground.ts'
import { type Ground, groundAt } from '../src/host/workspace/ground.ts'

export interface GroundCosts {
  readonly makeMs: number
  readonly worktreeMs: number
  readonly stepMs: number
  readonly statusMs: number
}

const ROUNDS = 4
const FILES_A_FOLDER = 100

export async function groundCosts(files: number): Promise<GroundCosts> {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'signalbox-bench-'))
  try {
    const repo = repositoryOf(join(dir, 'repo'), files)
    const costs: GroundCosts[] = []
    for (let round = 0; round < ROUNDS; round++) costs.push(await roundOf(dir, repo, round))
    const least = (of: (cost: GroundCosts) => number): number => Math.min(...costs.map(of))
    return {
      makeMs: least(({ makeMs }) => makeMs),
      worktreeMs: least(({ worktreeMs }) => worktreeMs),
      stepMs: least(({ stepMs }) => stepMs),
      statusMs: least(({ statusMs }) => statusMs),
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function roundOf(dir: string, repo: string, round: number): Promise<GroundCosts> {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim()
  const plain = join(dir, `plain-${round}`)
  const worktreeMs = await timed(() => git('worktree', 'add', '-q', '-b', `plain-${round}`, plain))
  const ground = groundAt(
    { grounds: join(dir, 'grounds') },
    { worktree: join(dir, `run-${round}`), gitDir: join(repo, '.git') },
  )
  const commit = git('rev-parse', 'HEAD')
  const place = { ground, branch: `signalbox/${round}`, lastCommit: commit }
  const makeMs = await timed(async () => {
    const request = {
      ...place,
      repo,
      baseCommit: commit,
      brings: [],
      gitIsShown: 'engine' in found,
      confined,
    }
    const made = await ensureGround({ ...request, since: 'crash' })
    if ('problem' in made) throw new Error(made.problem)
  })
  const statusMs = await timed(() => execFileSync('git', ['status', '--porcelain'], { cwd: ground.worktree }))
  writeFileSync(join(ground.worktree, '0/0.txt'), 'changed\n')
  const stepMs = await timed(() => stepIn(ground, place))
  rmSync(plain, { recursive: true, force: true })
  rmSync(ground.worktree, { recursive: true, force: true })
  git('worktree', 'prune')
  return { makeMs, worktreeMs, stepMs, statusMs }
}

async function stepIn(
  ground: Ground,
  place: { readonly branch: string; readonly lastCommit: string },
): Promise<void> {
  const work = {
    ...place,
    lastBase: place.lastCommit,
    ground,
    boundary: [['**']],
    judges: null,
    message: 'step',
    run: 'bench',
    confined,
    published: null,
  }
  const done = await collectWork(work)
  if ('problem' in done) throw new Error(done.problem)
  if (done.commit === place.lastCommit) throw new Error('the step left nothing')
}

/** As a host has it; without one on this machine the figures are those of a user without. */
const found = await findSandbox(process.env['PATH'] ?? '')

const sandboxFor: Confinement['sandboxFor'] = (places) =>
  'engine' in found ? { ...emptySandbox(found.engine), ...places, rootAs: 'root' } : null

const { PATH = '' } = process.env
const confined = createConfined({ sandboxFor, environment: { PATH }, registry: null })

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function repositoryOf(dir: string, files: number): string {
  for (let number = 0; number < files; number++) {
    const folder = join(dir, `${Math.floor(number / FILES_A_FOLDER)}`)
    if (number % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${number}.txt`), `file ${number}\n`.repeat(20))
  }
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: dir, stdio: 'ignore' })
  }
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@localhost')
  git('add', '-A')
  git('commit', '-qm', 'files')
  return dir
}
