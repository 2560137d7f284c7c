/** A real repository in a temporary folder, with one commit on `main`. Ask for it within a test; it goes with it. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { takeSnapshot } from './snapshot.ts'
import { ensureWorktree } from './worktree.ts'

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
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const FILES = {
  'a.txt': 'a\n',
  'src/code.ts': 'code\n',
  'docs/guide.md': 'guide\n',
  '.gitignore': 'ignored/\n*.log\n',
}

export function createRepository(files: Readonly<Record<string, string>> = FILES): Place {
  const dir = join(temporaryFolder(), 'repo')
  mkdirSync(dir)
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

/** The repository and the worktree of a run in it. */
export async function createRun(files?: Readonly<Record<string, string>>) {
  const repo = createRepository(files)
  const base = repo.git('rev-parse', 'HEAD')
  const path = join(dirname(repo.dir), 'work tree')
  const ensured = await ensureWorktree({ repo: repo.dir, branch: BRANCH, baseCommit: base, path })
  if ('problem' in ensured) throw new Error(ensured.problem)
  return { repo, base, path, work: placeAt(path), before: await takeSnapshot(path) }
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
