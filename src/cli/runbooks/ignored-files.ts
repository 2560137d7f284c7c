/**
 * What git ignores in a repository is its user's alone: `.env`, local settings, keys. A runbook that others can commit reads
 * nothing of it, so that cloning one and running it tells its agents no more than the repository itself does. One that is
 * ignored itself is the user's, and may read the rest.
 */
import { type Place, pathOf } from '../../host/inside/place.ts'
import { bytesOfAll, namesOf } from '../../host/workspace/file-name.ts'
import { git } from '../../host/workspace/git.ts'

/** Paths from the root. Where git does not work nothing is known, and no run can start either. */
export async function ignoredAmong(runbook: Place, named: readonly Place[]): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set()
  const ignored = await checkIgnored(runbook.root, [runbook, ...named])
  return ignored.has(pathOf(runbook)) ? new Set() : ignored
}

/** Files and whole folders, by their paths from the root; none of installed packages, which a runbook may import. */
export async function ignoredBeside(runbook: Place): Promise<readonly string[]> {
  if ((await checkIgnored(runbook.root, [runbook])).size > 0) return []
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const { code, stdout } = await git(args, { cwd: runbook.root })
  return code === 0 ? namesOf(stdout).filter((path) => !/(?:^|\/)node_modules\/$/.test(path)) : []
}

async function checkIgnored(root: string, places: readonly Place[]): Promise<ReadonlySet<string>> {
  const input = bytesOfAll(places.map((place) => `${pathOf(place)}\0`))
  const { code, stdout } = await git(['check-ignore', '-z', '--stdin'], { cwd: root, input })
  return new Set(code === 0 ? namesOf(stdout) : [])
}
