/** The files of a commit that tell of a project's commands, asked of the user's repository. */
import { gitOutput } from '../workspace/git.ts'
import { PROBED } from './project-commands.ts'
import type { ProjectFiles } from './project-kind.ts'

const LARGEST = 512 * 1024
/** That they are there is all that is asked of them. */
const LOCK = /lock/

export async function filesOfCommit({
  repo,
  commit,
}: {
  readonly repo: string
  readonly commit: string
}): Promise<ProjectFiles> {
  const listing = await gitOutput(['ls-tree', '-t', '-l', '-z', '--full-tree', commit, '--', ...PROBED], {
    cwd: repo,
  })
  // Of a folder that a probe lies in, git tells what else is there.
  const entries = listing
    .split('\0')
    .flatMap(entryIn)
    .filter(({ path }) => PROBED.includes(path))
  const texts = new Map<string, string>()
  for (const { mode, id, size, path } of entries)
    if (REGULAR.test(mode) && size <= LARGEST && !LOCK.test(path))
      texts.set(path, await gitOutput(['cat-file', 'blob', id], { cwd: repo }))
  // A link leads nowhere that a commit could tell.
  const names = new Set(entries.filter(({ mode }) => mode !== LINK).map(({ path }) => path))
  return { has: (path) => names.has(path), text: (path) => texts.get(path) ?? '' }
}

interface TreeEntry {
  readonly mode: string
  readonly id: string
  readonly size: number
  readonly path: string
}

function entryIn(line: string): TreeEntry[] {
  const [, mode, id, size, path] = ENTRY.exec(line) ?? []
  if (mode === undefined || id === undefined || path === undefined) return []
  return [{ mode, id, size: Number(size), path }]
}

const ENTRY = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s
const REGULAR = /^100/
const LINK = '120000'
