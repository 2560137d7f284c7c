/**
 * What the user's branch got since, brought into a run's own: a merge in the host's store, then the worktree's files by it, then
 * the branch. Only while nobody is at work there and all that was done is committed. Files that both sides changed are committed
 * with git's marks in them, for whoever works there next: so what they then write is theirs alone, and is judged as that.
 *
 * It may break off anywhere. A note beside the store says what is under way, until the run's record has it: before the branch has
 * moved, the files are put back; after that it is brought in, and whoever asks next is told of it.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Actor } from '../../model/answer.ts'
import { setAgentRepository } from './agent-repository.ts'
import { changesBetween } from './changes.ts'
import { commitTree, moveBranch } from './commit.ts'
import type { Confined } from './confined.ts'
import { isMissing } from './file-error.ts'
import { someNames } from './file-name.ts'
import { GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { mergeTrees } from './merge.ts'
import { publishBranch, userTip } from './publish.ts'
import { restore } from './restore.ts'
import { indexFrom } from './staging.ts'
import { hasCommit, isAncestor, tipOf } from './store.ts'

export interface BringRequest extends BringingPlace {
  readonly run: string
  /** All that was done in the run, whether its record has it yet or not. */
  readonly commit: string
  /** The user's branch, of which all is brought in. */
  readonly base: string
  /** Who wants it; null: nobody, so only what was brought in before and not told is told. */
  readonly by: Actor | null
  /** Whether files that both sides changed may be left to whoever works there next. */
  readonly conflicts: 'left' | 'refused'
}

export interface BringingPlace {
  readonly ground: Ground
  readonly branch: string
  /** What was brought in last, as the run's record has it. */
  readonly lastBase: string
  readonly confined: Confined
}

/** From where that branch was. */
export type BroughtBase = { readonly tip: string } & (Brought | { readonly refused: readonly string[] })

interface Brought {
  readonly by: Actor
  /** The run's last commit now; the same where it had all of it. */
  readonly commit: string
  /** Files with git's marks in them. */
  readonly conflicts: readonly string[]
}

export async function bringBase(request: BringRequest): Promise<BroughtBase | null> {
  const { ground, branch, run, commit, base, by, confined } = request
  const untold = await settleBringing(request)
  if (untold !== null) return broughtBefore(request, untold)
  if (by === null) return null
  const tip = await userTip({ ground, branch: base })
  if (tip === null) throw new GitFailure(`There is no branch ${base} in your repository any more.`)
  if (await isAncestor(ground, tip, commit)) return { tip, by, commit, conflicts: [] }
  const { tree, conflicts } = await mergeTrees(ground, commit, tip)
  if (conflicts.length > 0 && request.conflicts === 'refused') return { tip, refused: conflicts }
  const left = conflicts.length === 0 ? '' : ` (to be resolved: ${someNames(conflicts)})`
  const message = `Merge ${base}${left}`
  const merged = await commitTree({ ground, tree, parents: [commit, tip], message, run })
  await note(ground, { before: commit, after: merged, tip, by, conflicts })
  try {
    await lay({ ground, branch, confined }, { from: commit, to: merged })
    await moveBranch(ground, branch, { from: commit, to: merged })
  } catch (error) {
    // What cannot be put back now is put back before anybody works there.
    await settleBringing(request).catch(() => undefined)
    throw error
  }
  await publishBranch({ ground, branch })
  return { tip, by, commit: merged, conflicts }
}

/** By somebody who did not come to say so. */
async function broughtBefore(
  { ground, branch, commit }: BringRequest,
  { after, tip, by, conflicts }: Bringing,
): Promise<BroughtBase> {
  const now = (await isAncestor(ground, after, commit)) ? commit : after
  const since = new Set((await changesBetween(ground, after, now)).map(({ name }) => name))
  await publishBranch({ ground, branch })
  return { tip, by, commit: now, conflicts: conflicts.filter((name) => !since.has(name)) }
}

/** The files that differ between two commits, as the other one has them. Again is harmless. */
async function lay(
  { ground, branch, confined }: Omit<BringingPlace, 'lastBase'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await restore({ ground, tree: to, changes: await changesBetween(ground, to, from), confined })
  await indexFrom(ground, to)
  await setAgentRepository({ ground, branch, commit: to }, confined)
}

export interface Bringing {
  readonly before: string
  readonly after: string
  readonly tip: string
  readonly by: Actor
  readonly conflicts: readonly string[]
}

/** What was brought in and is not in the record, null where there is no such thing. What is half done is put back. */
export async function settleBringing(place: BringingPlace): Promise<Bringing | null> {
  const { ground, branch, lastBase } = place
  const bringing = await noted(ground)
  if (bringing === null) return null
  const { before, after, tip } = bringing
  // A store that was made anew has only what was told.
  const isToBeTold = (await hasCommit(ground, after)) && !(await isAncestor(ground, tip, lastBase))
  if (isToBeTold) {
    if (await isAncestor(ground, after, await tipOf(ground, branch))) return bringing
    await lay(place, { from: after, to: before })
  }
  await rm(noteOf(ground), { force: true })
  return null
}

const noteOf = ({ dir }: Ground): string => join(dir, 'bringing.json')

/** Whole or not at all: what a disk had no room for must not be read. */
async function note(ground: Ground, bringing: Bringing): Promise<void> {
  const file = noteOf(ground)
  await writeFile(`${file}.new`, JSON.stringify(bringing), { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

async function noted(ground: Ground): Promise<Bringing | null> {
  try {
    return JSON.parse(await readFile(noteOf(ground), 'utf8')) as Bringing
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
