/**
 * Ids for new issues: the next free numbers.
 *
 * A repository may have several checkouts, so a file's existence alone does not tell that a number is taken. Numbers are
 * therefore claimed in the git directory that they share; creating a claim succeeds once. What a run files is given its
 * number by the host, one run at a time.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { IssueTracker } from '../../tracker/tracker.ts'
import { codeOf, isMissing } from '../workspace/file-error.ts'
import { git } from '../workspace/git.ts'

/** In the git directory that all worktrees share; null outside of git, or where nothing can be written. */
export async function sharedFolder(repo: string): Promise<string | null> {
  const common = await git(['rev-parse', '--git-common-dir'], { cwd: repo })
  if (common.code !== 0) return null
  const folder = join(resolve(repo, common.stdout.replace(/\n$/, '')), 'signalbox')
  try {
    await mkdir(join(folder, CLAIMS), { recursive: true })
    return folder
  } catch (error) {
    if (['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error))) return null
    throw error
  }
}

const CLAIMS = 'issue-ids'

export async function claimIds({
  tracker,
  shared,
  count,
}: {
  readonly tracker: Pick<IssueTracker, 'files' | 'problems'>
  readonly shared: string | null
  readonly count: number
}): Promise<readonly string[]> {
  const claims = shared === null ? null : join(shared, CLAIMS)
  const claimed = claims === null ? [] : await claimedIn(claims)
  const named = [...tracker.files.keys()].map((name) => name.slice(0, -3))
  const standing = [...named, ...tracker.problems.map(({ id }) => id)]
  const taken = new Set([...standing, ...claimed])
  const { prefix, last } = highest({ standing, claimed })
  const ids: string[] = []
  for (let number = last + 1; ids.length < count; number++) {
    const id = `${prefix}${number}`
    if (!taken.has(id) && (claims === null || (await isClaimed(join(claims, id))))) ids.push(id)
  }
  return ids
}

/** Numbers go on from the highest. Where all issues are named `GAL-41`, the next one is `GAL-42`. */
function highest({ standing, claimed }: { standing: readonly string[]; claimed: readonly string[] }): {
  prefix: string
  last: number
} {
  const numbered = [...standing, ...claimed].flatMap((id) => {
    const [, prefix, digits] = /^(|.*-)(\d{1,9})$/.exec(id) ?? []
    return prefix === undefined ? [] : [{ prefix, number: Number(digits) }]
  })
  const prefixes = new Set(numbered.map((each) => each.prefix))
  const [only = ''] = prefixes.size === 1 ? prefixes : []
  const numbers = numbered.filter((each) => each.prefix === only).map((each) => each.number)
  return { prefix: only, last: numbers.reduce((a, b) => Math.max(a, b), 0) }
}

async function claimedIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function isClaimed(file: string): Promise<boolean> {
  try {
    await writeFile(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}
