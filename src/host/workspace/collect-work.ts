/**
 * Takes in what was done in a worktree: the agent's commits where they only add, its files held to their boundary, all
 * of it as a commit in the host's store, and the branch brought to the user's repository.
 */
import type { Boundary } from '../../model/boundary.ts'
import { setAgentRepository } from './agent-repository.ts'
import { holdBoundary } from './boundary.ts'
import { changesBetween, wholePatch } from './changes.ts'
import { commitTree, moveBranch } from './commit.ts'
import type { Confined } from './confined.ts'
import { someNames } from './file-name.ts'
import { GitFailure, gitLine, problemOf } from './git.ts'
import type { Ground } from './ground.ts'
import { type HandOver, handOver } from './hand-over.ts'
import type { Problem } from './problem.ts'
import { publishBranch } from './publish.ts'
import { restore } from './restore.ts'
import { indexFrom, strangeRepositories, takeSnapshot } from './staging.ts'
import { inStore, isAncestor, tipOf } from './store.ts'

export interface WorkRequest {
  readonly ground: Ground
  readonly branch: string
  /** What the record has: the files are held against it. */
  readonly lastCommit: string
  readonly boundary: Boundary
  readonly message: string
  /** The run's id. */
  readonly run: string
  /** Who else has a say in what was written; null where nobody has. */
  readonly judges: Judges | null
  readonly confined: Confined
  /** What the user's branch is known to stand at; null where that is not known. */
  readonly published: string | null
}

/** Given the patch since the last commit: why it is out of bounds, or null where it is not. */
export type Judges = (patch: string) => Promise<{ readonly words: string | null } | Problem>

export interface Collected {
  readonly commit: string
  /** Where the user's branch stands now; null where it could not be brought up to date. */
  readonly published: string | null
  /** What lay outside the boundary and was undone, and how to get it back. */
  readonly outside: readonly string[]
  readonly patch: string
  /** What the judges said against it; then all of it was undone. */
  readonly words: string | null
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
  const { ground, branch, lastCommit, message, run } = request
  let isTooDeep = false
  const confined: Confined = async (command) => {
    const result = await request.confined(command)
    isTooDeep ||= NAMELESS.test(result.stderr)
    return result
  }
  // After a crash it may be one further than the record.
  const stands = await tipOf(ground, branch)
  const handed = await handOver({ ground, branch, stands, lastCommit, confined })
  await returnFromElsewhere({ ...request, confined }, handed)
  if (handed.tip !== stands || handed.strayed !== null) await indexFrom(ground, handed.tip)
  const { outside, patch, after, words } = await held({ ...request, confined })
  const changes = await changesBetween(ground, handed.tip, after)
  const strange = await strangeRepositories(ground, changes)
  if (strange.length > 0)
    throw new GitFailure(
      `${someNames(strange)} is a git repository of its own, so its files cannot be committed with the run. Remove its .git, or add it as a submodule.`,
    )
  const parents = [handed.tip, ...handed.merged]
  const isNew = changes.length > 0 || parents.length > 1
  const commit = isNew ? await commitTree({ ground, tree: after, parents, message, run }) : handed.tip
  await moveBranch(ground, branch, { from: stands, to: commit })
  const notes = handed.found === null ? [] : [`${handed.found}; the branch was put back.`]
  if (handed.differs || commit !== handed.tip) await setAgentRepository({ ground, branch, commit }, confined)
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

/** What the judges refuse is undone like what lies outside. */
async function held({ ground, lastCommit, boundary, judges, confined }: WorkRequest) {
  const about = { ground, before: lastCommit, confined }
  const within = { ...(await holdBoundary({ ...about, boundary })), words: null }
  if (judges === null) return within
  const patch = await wholePatch({ ground, from: lastCommit, to: within.after })
  if (patch === '') return within
  const judged = patch === null ? TOO_LONG : await judges(patch)
  if ('problem' in judged) throw new GitFailure(judged.problem)
  if (judged.words === null) return within
  const undone = await holdBoundary({ ...about, boundary: [[]] })
  return {
    outside: [...new Set([...within.outside, ...undone.outside])].sort(),
    patch: within.patch + undone.patch,
    after: undone.after,
    words: judged.words,
  }
}

/**
 * Somebody who only looked at another commit changed nothing there; keeping those files would undo the run's own work.
 * So the run's files come back, unless something was changed meanwhile.
 */
async function returnFromElsewhere(
  { ground, confined }: WorkRequest,
  { strayed, tip }: HandOver,
): Promise<void> {
  if (strayed === null || (await isAncestor(ground, tip, strayed))) return
  await indexFrom(ground, strayed)
  const tree = await takeSnapshot(ground, confined)
  if (tree !== (await gitLine(['rev-parse', `${strayed}^{tree}`], inStore(ground)))) return
  await restore({ ground, tree: tip, changes: await changesBetween(ground, tip, tree), confined })
}
