/**
 * The branch of the user's repository that keeps what runs changed of the issues. It only grows, from where it was seen or
 * not at all, and nobody's checkout is touched by it.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GitFailure, git, gitOutput, sentenceOf } from '../workspace/git.ts'
import type { Ground } from '../workspace/ground.ts'
import { checkoutOf } from '../workspace/land.ts'
import { gitOfUser } from '../workspace/publish.ts'
import { inStore } from '../workspace/store.ts'
import type { TrackerTips } from './effective-tracker.ts'
import { ISSUES_BRANCH } from './issue-files.ts'

export const ISSUES_REF = `refs/heads/${ISSUES_BRANCH}`

/** Where both stand; the commit that a run began with, where its base is no branch (any more). */
export async function tipsOf(
  ground: Ground,
  { base, baseCommit }: { readonly base: string; readonly baseCommit: string },
): Promise<TrackerTips> {
  const listed = await gitOutput(
    ['for-each-ref', '--format=%(objectname) %(refname)', ISSUES_REF, `refs/heads/${base}`],
    gitOfUser(ground),
  )
  const tipOf = (ref: string): string | null =>
    listed
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(' ')[0] ?? null
  return { base: tipOf(`refs/heads/${base}`) ?? baseCommit, tip: tipOf(ISSUES_REF) }
}

/** False where somebody else moved it since. */
export async function moveIssuesRef(
  ground: Ground,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<boolean> {
  const checkout = await checkoutOf(ground, ISSUES_BRANCH)
  if (checkout !== null)
    throw new GitFailure(
      `The branch ${ISSUES_BRANCH} is checked out in ${checkout}, so no change of an issue can be kept. Check out another one there.`,
    )
  await bringObjects(ground, to)
  const expected = from ?? '0'.repeat(to.length)
  const args = ['update-ref', '--create-reflog', '-m', 'signalbox: issues', ISSUES_REF, to, expected]
  const moved = await git(args, gitOfUser(ground))
  if (moved.code === 0) return true
  if (/but expected|reference already exists|is at /.test(moved.stderr)) return false
  throw new GitFailure(sentenceOf(args, moved))
}

const BRINGING = 'refs/signalbox/issues'

/** From the store, so that only what was made there arrives; nothing in the user's repository names it yet. */
async function bringObjects(ground: Ground, commit: string): Promise<void> {
  await gitOutput(['update-ref', BRINGING, commit], inStore(ground))
  const how = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc', '--refmap=']
  await gitOutput(
    ['-c', 'protocol.file.allow=always', 'fetch', ...how, ground.store, BRINGING],
    gitOfUser(ground),
  )
}

/** Of a git that was killed; nobody else has any business there. */
export const clearIssuesLock = ({ userGitDir }: Ground): Promise<void> =>
  rm(join(userGitDir, `${ISSUES_REF}.lock`), { force: true })
