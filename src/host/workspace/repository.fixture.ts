/** A real repository in a temporary folder, with one commit on `main`. Ask for it within a test; it goes with it. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Collected, collectWork, type WorkRequest } from './collect-work.ts'
import { createConfined } from './confined.ts'
import { ensureGround, type GroundRequest } from './ensure-ground.ts'
import { gitLine } from './git.ts'
import { groundAt } from './ground.ts'
import { inStore } from './store.ts'

// Nobody's own settings may decide how a test ends.
process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
process.env['GIT_CONFIG_SYSTEM'] = '/dev/null'

export interface Place {
  readonly dir: string
  git(...args: string[]): string
  write(name: string | Buffer, content: string | Uint8Array): void
  read(name: string): string
  has(name: string): boolean
}

export function temporaryFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')))
  // By the system's own: what lies in there may be deeper than a path can say.
  onTestFinished(() => void execFileSync('rm', ['-rf', dir]))
  return dir
}

const FILES = {
  'a.txt': 'a\n',
  'src/code.ts': 'code\n',
  'docs/guide.md': 'guide\n',
  '.gitignore': 'ignored/\n*.log\n',
}

export const createRepository = (files: Readonly<Record<string, string>> = FILES): Place =>
  createRepositoryAt(join(temporaryFolder(), 'repo'), files)

/** For whoever has a place for it, and clears it away. */
export function createRepositoryAt(dir: string, files: Readonly<Record<string, string>>): Place {
  mkdirSync(dir, { recursive: true })
  const place = placeAt(dir)
  place.git('init', '-q', '--template=', '-b', 'main')
  writeFileSync(
    join(dir, '.git/config'),
    `${readFileSync(join(dir, '.git/config'), 'utf8')}[user]\n\tname = Tester\n\temail = tester@example.com\n`,
  )
  for (const [name, content] of Object.entries(files)) place.write(name, content)
  place.git('add', '-A')
  place.git('commit', '-q', '--allow-empty', '-m', 'first')
  return place
}

export const BRANCH = 'signalbox/r1'

/** Without a sandbox: what holds an agent is tested with real ones, in test/attacks. */
export const confined = createConfined({
  sandboxFor: () => null,
  environment: {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  },
  registry: null,
})

/** What is asked for to have the ground of a run in this repository. */
export function requestFor(repo: Place, name = 'work tree'): GroundRequest {
  const around = dirname(repo.dir)
  const baseCommit = repo.git('rev-parse', 'HEAD')
  const worktree = join(around, name)
  const ground = groundAt({ grounds: join(around, 'grounds') }, { worktree, gitDir: join(repo.dir, '.git') })
  return {
    ground,
    repo: repo.dir,
    branch: BRANCH,
    baseCommit,
    lastCommit: baseCommit,
    brings: [],
    gitIsShown: false,
    confined,
    since: 'crash',
  }
}

export const collectFor = ({ ground, branch, baseCommit }: GroundRequest) =>
  collectWork({
    ground,
    branch,
    lastCommit: baseCommit,
    lastBase: baseCommit,
    boundary: null,
    judges: null,
    message: 'x',
    run: 'r1',
    confined,
    published: null,
  })

/** A repository and a run in it, with its ground made. */
export async function createRun(files?: Readonly<Record<string, string>>, prepare?: (repo: Place) => void) {
  const repo = createRepository(files)
  prepare?.(repo)
  const request = requestFor(repo)
  const ensured = await ensureGround(request)
  if ('problem' in ensured) throw new Error(ensured.problem)
  const { ground, baseCommit: base } = request
  const collect = (over: Partial<WorkRequest> = {}) =>
    collectWork({
      ground,
      branch: BRANCH,
      lastCommit: base,
      lastBase: base,
      boundary: null,
      judges: null,
      message: 'step',
      run: 'r1',
      confined,
      published: null,
      ...over,
    })
  return {
    repo,
    base,
    path: ground.worktree,
    ground,
    request,
    work: placeAt(ground.worktree),
    before: await gitLine(['rev-parse', `${base}^{tree}`], inStore(ground)),
    collect,
    collected: async (over: Partial<WorkRequest> = {}): Promise<Collected> => {
      const done = await collect(over)
      if ('problem' in done) throw new Error(done.problem)
      return done
    },
  }
}

export function placeAt(dir: string): Place {
  const at = (name: string): string => join(dir, name)
  return {
    dir,
    git: (...args) =>
      execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(
        /\n$/,
        '',
      ),
    write: (name, content) => {
      const file = typeof name === 'string' ? at(name) : Buffer.concat([Buffer.from(`${dir}/`), name])
      if (typeof file === 'string') mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    has: (name) => lstatSync(at(name), { throwIfNoEntry: false }) !== undefined,
  }
}
