/** A run's commits: everything in the worktree that is not ignored, without hooks or signatures of the user. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstCharacters } from '../../model/characters.ts'
import { isMissing } from './file-error.ts'
import { namesOf, someNames } from './file-name.ts'
import { type GitOptions, git, gitLine, gitOutput, problemOf } from './git.ts'
import { gitDirOf } from './git-dir.ts'
import { forgetProgress } from './in-progress.ts'
import { stageAll } from './private-index.ts'
import type { Problem } from './problem.ts'
import { keepIgnored } from './run-folder.ts'
import { GITLINK } from './snapshot.ts'

const LONGEST_STAT = 4000

export async function commitAll(request: {
  readonly path: string
  readonly message: string
  /** The run's id. */
  readonly run: string
}): Promise<{ commit: string; made: boolean } | Problem> {
  const { path } = request
  const here = { cwd: path }
  try {
    await keepIgnored(path)
    const without = await stageAll(here)
    const staged = await stagedChanges(here)
    const inner = [...without, ...(await newRepositories(here, staged))]
    if (inner.length > 0)
      return {
        problem: `${someNames(inner)} is a git repository of its own, so its files cannot be committed with the run. Remove its .git, or add it as a submodule.`,
      }
    const head = await headCommit(path)
    const gitDir = await gitDirOf(path)
    const merged = await mergedHeads(gitDir)
    if (staged.length === 0 && merged.length === 0) return { commit: head, made: false }
    const tree = await gitLine(['write-tree'], here)
    const parents = [head, ...merged].flatMap((parent) => ['-p', parent])
    const who = await identity(here)
    const commit = await gitLine([...who, 'commit-tree', tree, ...parents], {
      ...here,
      input: messageOf(request),
    })
    // The old value guards against a commit that somebody else made meanwhile.
    await gitOutput([...who, 'update-ref', '-m', 'commit (signalbox)', 'HEAD', commit, head], here)
    await forgetProgress(gitDir)
    return { commit, made: true }
  } catch (error) {
    return problemOf(error)
  }
}

export const headCommit = (path: string): Promise<string> =>
  gitLine(['rev-parse', '--verify', 'HEAD^{commit}'], { cwd: path })

export async function diffstat(range: {
  readonly path: string
  readonly from: string
  readonly to: string
}): Promise<string> {
  const { path, from, to } = range
  const how = ['--stat', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']
  const { stdout } = await git(['diff', ...how, from, to, '--'], { cwd: path, maxBytes: LONGEST_STAT * 64 })
  if (stdout.length <= LONGEST_STAT) return stdout
  const summary = stdout.trimEnd().split('\n').at(-1) ?? ''
  return `${firstCharacters(stdout, LONGEST_STAT - summary.length - 8)}\n…\n${summary}\n`
}

/** As git tells of them: how each was and is, then its name. */
async function stagedChanges(here: GitOptions): Promise<string[]> {
  const how = ['--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none']
  return namesOf(await gitOutput(['diff-index', ...how, 'HEAD'], here))
}

/** Links to commits that no submodule accounts for: their files would be missing from the commit. */
async function newRepositories(here: GitOptions, raw: readonly string[]): Promise<string[]> {
  const added = raw.filter((_, index) => {
    const meta = index % 2 === 1 ? (raw[index - 1] ?? '') : ''
    return meta.slice(8, 14) === GITLINK && meta.slice(1, 7) !== GITLINK
  })
  if (added.length === 0) return []
  const listed = await git(['config', '-z', '-f', '.gitmodules', '--get-regexp', '\\.path$'], here)
  const submodules = new Set(namesOf(listed.stdout).map((line) => line.slice(line.indexOf('\n') + 1)))
  return added.filter((name) => !submodules.has(name))
}

/** A merge that was begun is ended by this commit, or what it brought would later be merged a second time. */
async function mergedHeads(gitDir: string): Promise<string[]> {
  try {
    return (await readFile(join(gitDir, 'MERGE_HEAD'), 'utf8')).split('\n').filter((line) => line !== '')
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function identity(here: GitOptions): Promise<string[]> {
  const { stdout } = await git(['config', '--name-only', '--get-regexp', '^user\\.(name|email)$'], here)
  if (['user.name', 'user.email'].every((key) => stdout.split('\n').includes(key))) return []
  return ['-c', 'user.name=Signalbox', '-c', 'user.email=signalbox@localhost']
}

const messageOf = ({ message, run }: { message: string; run: string }): string =>
  `${message.replaceAll('\0', '').trim() || 'Work of a run'}\n\nSignalbox-Run: ${run.replace(/\s+/g, ' ')}\n`
