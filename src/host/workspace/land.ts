/**
 * A run's work in a branch of the user's: made as commits in the host's store, and only then brought over. The branch moves
 * from where it was seen to the new commit, or not at all. Where it is checked out, that checkout goes along by git's own
 * fast-forward, which touches nothing that is not committed; no hook runs, and no setting but the user's counts.
 */
import { existsSync } from 'node:fs'
import { GitFailure, type GitOptions, git, gitLine, gitOutput, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'
import { mergeTrees, pickTree, treeOf } from './merge.ts'
import { checkoutProblem } from './preflight.ts'
import { gitOfUser, userTip } from './publish.ts'
import { inStore, isAncestor } from './store.ts'

export type LandWay = 'merge' | 'squash' | 'cherry-pick'

export interface LandRequest {
  readonly ground: Ground
  /** The user's branch. */
  readonly into: string
  /** The run's last commit. */
  readonly commit: string
  readonly way: LandWay
  /** Of a commit that is made for this; the run's commits keep theirs. */
  readonly message: string
}

export interface LandPlan {
  /** Where the branch was seen. */
  readonly before: string
  /** Where it shall be. The same: it has all of it already. */
  readonly after: string
  readonly how: 'fast-forward' | LandWay | 'nothing'
  /** Where the user has it checked out; null where nowhere. */
  readonly checkout: string | null
}

export interface Conflict {
  readonly conflicts: readonly string[]
  readonly tip: string
}

/** Nothing of the user's is changed by this. */
export async function planLanding(request: LandRequest): Promise<LandPlan | Conflict> {
  const { ground, into, commit } = request
  const before = await userTip({ ground, branch: into })
  if (before === null)
    throw new GitFailure(
      `There is no branch ${into} in your repository. Name the one to land in: --into BRANCH`,
    )
  const checkout = await checkoutOf(ground, into)
  if (checkout !== null) {
    const problem = await checkoutProblem(checkout)
    if (problem !== null) throw new GitFailure(`${into} is checked out in ${checkout}. ${problem}`)
  }
  if (await isAncestor(ground, commit, before)) return { before, after: before, how: 'nothing', checkout }
  if (request.way === 'merge' && (await isAncestor(ground, before, commit)))
    return { before, after: commit, how: 'fast-forward', checkout }
  const { tree, conflicts } = await mergeTrees(ground, before, commit)
  if (conflicts.length > 0) return { conflicts, tip: before }
  if (tree === (await treeOf(ground, before))) return { before, after: before, how: 'nothing', checkout }
  const after =
    request.way === 'cherry-pick'
      ? await picked(request, { before, tree })
      : await commitOf(ground, {
          tree,
          parents: request.way === 'squash' ? [before] : [before, commit],
          message: request.message,
        })
  return { before, after, how: request.way, checkout }
}

/** The run's commits one by one; together they must come to what a merge would. */
async function picked(
  { ground, commit }: LandRequest,
  { before, tree }: { readonly before: string; readonly tree: string },
): Promise<string> {
  const listed = await gitOutput(
    ['rev-list', '--reverse', '--topo-order', '--no-merges', `${before}..${commit}`, '--'],
    inStore(ground),
  )
  let tip = before
  for (const each of listed.split('\n').filter((line) => line !== '')) {
    const change = await pickTree(ground, tip, each)
    if (change.conflicts.length > 0) throw new GitFailure(NOT_ONE_BY_ONE)
    if (change.tree === (await treeOf(ground, tip))) continue
    tip = await commitOf(ground, { tree: change.tree, parents: [tip], like: each })
  }
  if ((await treeOf(ground, tip)) !== tree) throw new GitFailure(NOT_ONE_BY_ONE)
  return tip
}

const NOT_ONE_BY_ONE =
  'Its commits cannot be taken over one by one: what was resolved between them would be lost. Land it as a merge or with --squash.'

interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message?: string
  /** A commit whose message and author it takes. */
  readonly like?: string
}

async function commitOf(ground: Ground, { tree, parents, message = '', like }: NewCommit): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
  if (like === undefined) return gitLine(args, { ...inStore(ground), input: message })
  const raw = await gitOutput(
    ['log', '-1', '--format=%an%x00%ae%x00%ad%x00%B', '--date=raw', like],
    inStore(ground),
  )
  const [name = '', email = '', date = '', ...body] = raw.split('\0')
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date }
  const { env, ...store } = inStore(ground)
  return gitLine(args, { ...store, env: { ...env, ...author }, input: body.join('\0') })
}

/** The branch stands at the new commit afterwards, or where it was. */
export async function moveUserBranch(
  { ground, into }: Pick<LandRequest, 'ground' | 'into'>,
  { before, after, checkout }: LandPlan,
): Promise<void> {
  if (before === after) return
  await bring(ground, after)
  // Looked at again: its gates may have taken a while.
  const now = await checkoutOf(ground, into)
  const moved =
    now === null
      ? await git(
          ['update-ref', '-m', 'signalbox: landed', `refs/heads/${into}`, after, before],
          gitOfUser(ground),
        )
      : await alongWith(now, { into, before, after })
  await gitOutput(['update-ref', '-d', LANDING], inStore(ground))
  if (moved.code === 0) return
  const tip = await userTip({ ground, branch: into })
  if (tip === before) throw new GitFailure(sentenceOf(['merge'], moved))
  throw new GitFailure(
    `${into} has moved meanwhile${checkout === now ? '' : `, or is checked out elsewhere`}, so it was left alone. Land it again.`,
  )
}

const LANDING = 'refs/signalbox/landing'

/** The commits, as objects only: nothing in the user's repository names them yet. */
async function bring(ground: Ground, commit: string): Promise<void> {
  await gitOutput(['update-ref', LANDING, commit], inStore(ground))
  const how = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc', '--refmap=']
  await gitOutput(
    ['-c', 'protocol.file.allow=always', 'fetch', ...how, ground.store, LANDING],
    gitOfUser(ground),
  )
}

/** By the user's own git in their checkout: it refuses to overwrite anything that is not committed. */
async function alongWith(
  checkout: string,
  { into, before, after }: { readonly into: string; readonly before: string; readonly after: string },
) {
  const here: GitOptions = { cwd: checkout }
  const problem = await checkoutProblem(checkout)
  if (problem !== null) throw new GitFailure(`${into} is checked out in ${checkout}. ${problem}`)
  const head = await git(['rev-parse', '--verify', '-q', 'HEAD^{commit}'], here)
  if (head.stdout.trim() !== before) return { ...head, code: 1 }
  return git(['merge', '--ff-only', '--no-verify-signatures', '--quiet', after], here)
}

/** Where the user has a branch checked out; null where they have not. */
export async function checkoutOf(ground: Ground, branch: string): Promise<string | null> {
  const listed = await gitOutput(['worktree', 'list', '--porcelain'], gitOfUser(ground))
  const entry = listed
    .split('\n\n')
    .find(
      (each) =>
        each.split('\n').includes(`branch refs/heads/${branch}`) &&
        !each.startsWith(`worktree ${ground.worktree}\n`),
    )
  const path = /^worktree (.+)$/m.exec(entry ?? '')?.[1]
  return path !== undefined && existsSync(path) ? path : null
}
