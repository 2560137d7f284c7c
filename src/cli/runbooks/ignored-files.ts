/**
 * What git ignores in a repository is its user's alone: `.env`, local settings, keys. A runbook that others can commit reads
 * nothing of it, so that cloning one and running it tells its agents no more than the repository itself does. One that is
 * ignored itself is the user's, and may read the rest.
 */
import { type Place, pathOf } from '../../host/inside/place.ts'
import { bytesOfAll, namesOf } from '../../host/workspace/file-name.ts'
import { type GitResult, git } from '../../host/workspace/git.ts'
import type { Problem } from '../../host/workspace/problem.ts'

type Ignored = { readonly paths: ReadonlySet<string> } | Problem

/** Paths from the root of files that were read. */
export async function ignoredAmong(runbook: Place, read: readonly Place[]): Promise<Ignored> {
  if (read.length === 0) return NONE
  const ignored = await checkIgnored(runbook.root, [runbook, ...read])
  return 'paths' in ignored && ignored.paths.has(pathOf(runbook)) ? NONE : ignored
}

/** Files and whole folders, by their paths from the root; none of installed packages, which a runbook may import. */
export async function ignoredBeside(runbook: Place): Promise<Ignored> {
  const own = await checkIgnored(runbook.root, [runbook])
  if ('problem' in own) return own
  if (own.paths.size > 0) return NONE
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listed = ignoredIn(await git(args, { cwd: runbook.root }))
  if ('problem' in listed) return listed
  return { paths: new Set([...listed.paths].filter((path) => !/(?:^|\/)node_modules\/$/.test(path))) }
}

async function checkIgnored(root: string, places: readonly Place[]): Promise<Ignored> {
  // A file may be called like a pattern of git's, which would begin with a colon.
  const input = bytesOfAll(places.map((place) => `./${pathOf(place)}\0`))
  const ignored = ignoredIn(await git(['check-ignore', '-z', '--stdin'], { cwd: root, input }))
  return 'problem' in ignored
    ? ignored
    : { paths: new Set([...ignored.paths].map((path) => path.replace(/^\.\//, ''))) }
}

/** Where git cannot say it, nothing is read. Without git no run starts, so no agent gets to read what is read. */
function ignoredIn({ code, stdout, stderr }: GitResult): Ignored {
  if (code === 0) return { paths: new Set(namesOf(stdout)) }
  if (code === 1 || code === 127) return NONE
  return { problem: `git could not say what it ignores: ${stderr.trim().split('\n')[0]?.slice(0, 300)}` }
}

const NONE = { paths: new Set<string>() }
