/**
 * Takes in what was done in a worktree: the agent's commits where they only add, its files held to their boundary, all
 * of it as a commit in the host's store, and the branch brought to the user's repository.
 */
import type { Boundary } from '../../model/boundary.ts'
import { foundOutside, type Held, holdBoundary } from './boundary.ts'
import { settleBringing } from './bring-base.ts'
import { changesBetween, wholePatch } from './changes.ts'
import { clearRepositories } from './clear-repositories.ts'
import { commitTree, moveBranch } from './commit.ts'
import type { Confined } from './confined.ts'
import { someNames } from './file-name.ts'
import { GitFailure, gitLine, problemOf } from './git.ts'
import type { Ground } from './ground.ts'
import { type HandOver, handOver } from './hand-over.ts'
import type { Problem } from './problem.ts'
import { publishBranch } from './publish.ts'
import { restore } from './restore.ts'
import { hasPeopleRepository } from './shown-git.ts'
import { indexFrom, takeSnapshot } from './staging.ts'
import { inStore, isAncestor, tipOf } from './store.ts'
import { isAtBranch, setRepositories } from './working-repository.ts'

export interface WorkRequest {
  readonly ground: Ground
  readonly branch: string
  /** What the record has: the files are held against it. */
  readonly lastCommit: string
  /** What was brought in from the base last, as the record has it. */
  readonly lastBase: string
  readonly boundary: Boundary
  readonly message: string
  /** The run's id. */
  readonly run: string
  /** Who else has a say in what was written; null where nobody has. */
  readonly judges: Judges | null
  readonly confined: Confined
  /** What the user's branch is known to stand at; null where that is not known. */
  readonly published: string | null
  /** By tries that were broken off; nothing by default. */
  readonly begun?: BegunWork
}

/**
 * What a try found, and what it did, before it was broken off: the next one goes on from there, and so it tells the same.
 * Only for as long as nobody is at work in between.
 */
export interface BegunWork {
  handed?: HandOver & { readonly stands: string }
  /** The files that are to be as in the run's own commit; null where they stay. */
  elsewhere?: string | null
  /** The commit that the files are held against. */
  from?: string
  readonly looks: string[]
  /** The tree that the judges let pass. */
  passed?: string
  refused?: Held & { readonly words: string }
  readonly looksAtRefused: string[]
  /** Folders that were repositories until they were found. */
  readonly aside: string[]
  commit?: string
}

export const NOTHING_BEGUN = (): BegunWork => ({ looks: [], looksAtRefused: [], aside: [] })

/** Given the patch since the last commit: why it is out of bounds, or null where it is not. */
export type Judges = (patch: string) => Promise<{ readonly words: string | null } | Problem>

/** What was taken out of the files. */
export interface TakenOut {
  /** What lay outside the boundary, and how to get it back. */
  readonly outside: readonly string[]
  readonly patch: string
  /** What the judges said against it; then all of it was undone. */
  readonly words: string | null
}

export interface Collected extends TakenOut {
  readonly commit: string
  /** Where the user's branch stands now; null where it could not be brought up to date. */
  readonly published: string | null
  /** What was not as it should be, as sentences. */
  readonly notes: readonly string[]
}

export async function collectWork(request: WorkRequest): Promise<Collected | Problem> {
  try {
    return await collected(request)
  } catch (error) {
    return problemOf(error)
  }
}

async function collected(request: WorkRequest): Promise<Collected> {
  const { ground, branch, lastCommit, lastBase, message, run, begun = NOTHING_BEGUN() } = request
  let isTooDeep = false
  const confined: Confined = async (command) => {
    const result = await request.confined(command)
    isTooDeep ||= NAMELESS.test(result.stderr)
    return result
  }
  const brought = await settleBringing({ ground, branch, lastBase, confined }, 'perhaps')
  // After a crash it may be one further than the record.
  const at = await tipOf(ground, branch)
  begun.handed ??= { ...(await handedOver({ ...request, confined, begun }, at)), stands: at }
  const { handed } = begun
  const { stands } = handed
  await returnFromElsewhere({ ...request, confined, begun }, handed)
  if (handed.tip !== stands || handed.strayed !== null) await indexFrom(ground, handed.tip)
  // What others wrote is not held against whoever works here.
  const isOthers = brought !== null && (await isAncestor(ground, lastCommit, brought.after))
  const from = isOthers ? brought.after : lastCommit
  begun.from = from
  const { outside, patch, after, words } = await held({ ...request, lastCommit: from, confined, begun })
  const changes = await changesBetween(ground, handed.tip, after)
  const parents = [handed.tip, ...handed.merged]
  const isNew = changes.length > 0 || parents.length > 1
  begun.commit ??= isNew ? await commitTree({ ground, tree: after, parents, message, run }) : handed.tip
  const { commit } = begun
  if (at !== commit) await moveBranch(ground, branch, { from: stands, to: commit })
  const notes = handed.found === null ? [] : [`${handed.found}; the branch was put back.`]
  if (begun.aside.length > 0)
    notes.push(
      `git repositories were found in ${someNames(begun.aside)}; their git data was moved to ${ground.aside}.`,
    )
  await setRepositories(ground, { branch, commit })
  const unpublished = commit === request.published ? null : await publishBranch({ ground, branch })
  if (unpublished !== null) notes.push(unpublished)
  if (isTooDeep) notes.push(TOO_DEEP)
  return { commit, outside, patch, words, notes, published: unpublished === null ? commit : null }
}

/** git passes over what it cannot name, with a warning that is the name, cut off, and as if all were well. */
const NAMELESS = /[^\n]{3500}/
const TOO_DEEP =
  'Some folders lie deeper than a path can say. git passes over them: what is in there is in no commit.'

const TOO_LONG = { words: 'The change is too long to be judged.' }

type Begun = WorkRequest & { readonly begun: BegunWork }

/** A person's commits in the worktree come first: they look at one commit, and an agent may go on from an older one. */
async function handedOver(request: Begun, stands: string): Promise<HandOver> {
  const { ground, branch, lastCommit, confined } = request
  const about = { ground, branch, stands, lastCommit, confined }
  const stand = { branch, commit: stands }
  if (!hasPeopleRepository(ground) || (await isAtBranch(ground, 'people', stand)))
    return handOver({ ...about, whose: 'agents' })
  const byHand = await handOver({ ...about, whose: 'people' })
  if (byHand.tip === stands && byHand.merged.length === 0 && byHand.strayed === null)
    return handOver({ ...about, whose: 'agents' })
  const isOnlyOne = await isAtBranch(ground, 'agents', stand)
  const lost = isOnlyOne
    ? []
    : ['commits of an agent were left out, for a person had committed in the worktree']
  const found = [...(byHand.found === null ? [] : [byHand.found]), ...lost]
  return { ...byHand, found: found.length === 0 ? null : found.join(' and ') }
}

/** What the judges refuse is undone like what lies outside. */
async function held(request: Begun): Promise<Held & { readonly words: string | null }> {
  const { ground, lastCommit, boundary, confined, begun } = request
  const snapshot = () =>
    clearRepositories({ ground, before: begun.handed?.tip ?? lastCommit, confined, aside: begun.aside })
  const about = { ground, before: lastCommit, confined, snapshot }
  if (begun.refused === undefined) {
    const within = await holdBoundary({ ...about, boundary, looks: begun.looks })
    const words = begun.passed === within.after ? null : await wordsAgainst(request, within.after)
    if (words === null) {
      begun.passed = within.after
      return { ...within, words }
    }
    begun.refused = { ...within, words }
  }
  const { words, ...within } = begun.refused
  const undone = await holdBoundary({ ...about, boundary: [[]], looks: begun.looksAtRefused })
  return {
    outside: [...new Set([...within.outside, ...undone.outside])].sort(),
    patch: within.patch + undone.patch,
    after: undone.after,
    words,
  }
}

/** By tries that were broken off, for whoever cannot go on from there. */
export async function undoneBefore(
  { ground, boundary }: Pick<WorkRequest, 'ground' | 'boundary'>,
  { from, looks, looksAtRefused, refused }: BegunWork,
): Promise<TakenOut> {
  if (from === undefined) return { outside: [], patch: '', words: null }
  const about = { ground, before: from }
  const within = await foundOutside({ ...about, boundary, looks })
  if (refused === undefined || looksAtRefused.length === 0) return { ...within, words: null }
  const all = await foundOutside({ ...about, boundary: [[]], looks: looksAtRefused })
  return together({ ...within, words: null }, { ...all, words: refused.words })
}

/** What both took out. */
export const together = (one: TakenOut, other: TakenOut): TakenOut => ({
  outside: [...new Set([...one.outside, ...other.outside])].sort(),
  patch: one.outside.every((file) => other.outside.includes(file)) ? other.patch : one.patch + other.patch,
  words: other.words ?? one.words,
})

async function wordsAgainst(
  { ground, lastCommit, judges }: WorkRequest,
  tree: string,
): Promise<string | null> {
  if (judges === null) return null
  const patch = await wholePatch({ ground, from: lastCommit, to: tree })
  if (patch === '') return null
  const judged = patch === null ? TOO_LONG : await judges(patch)
  if ('problem' in judged) throw new GitFailure(judged.problem)
  return judged.words
}

/**
 * Somebody who only looked at another commit changed nothing there; keeping those files would undo the run's own work.
 * So the run's files come back, unless something was changed meanwhile.
 */
async function returnFromElsewhere(
  { ground, confined, begun }: Begun,
  { strayed, tip }: HandOver,
): Promise<void> {
  if (strayed === null || (await isAncestor(ground, tip, strayed))) return
  if (begun.elsewhere === undefined) {
    await indexFrom(ground, strayed)
    const tree = await takeSnapshot(ground, confined)
    const isAsThere = tree === (await gitLine(['rev-parse', `${strayed}^{tree}`], inStore(ground)))
    begun.elsewhere = isAsThere ? tree : null
  }
  const { elsewhere: tree } = begun
  if (tree === null) return
  await restore({ ground, tree: tip, changes: await changesBetween(ground, tip, tree), confined })
}
