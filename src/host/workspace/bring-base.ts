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
import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../model/answer.ts'
import { changesBetween, type FileChange, GITLINK, type GitEntry } from './changes.ts'
import { commitTree, moveBranch } from './commit.ts'
import type { Confined } from './confined.ts'
import { isMissing } from './file-error.ts'
import { shown, someNames } from './file-name.ts'
import { GitFailure, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { mergeTrees } from './merge.ts'
import { publishBranch, userTip } from './publish.ts'
import { foldersAround, restore } from './restore.ts'
import { indexFrom, takeSnapshot } from './staging.ts'
import { inStore, isAncestor, tipOf } from './store.ts'
import { listSubmodules } from './submodules.ts'
import { setRepositories } from './working-repository.ts'

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
  /** That branch has moved since then. */
  readonly hasMore?: boolean
}

export async function bringBase(request: BringRequest): Promise<BroughtBase | null> {
  const { ground, branch, run, base, by } = request
  const untold = await settleBringing(request, 'nobody')
  if (untold !== null) return broughtBefore(request, untold)
  if (by === null) return null
  const tip = await userTip({ ground, branch: base })
  if (tip === null) throw new GitFailure(`There is no branch ${base} in your repository any more.`)
  const commit = await whereToBring(request)
  if (await isAncestor(ground, tip, commit)) return { tip, by, commit, conflicts: [] }
  const { tree, conflicts } = await mergeTrees(ground, commit, tip)
  if (conflicts.length > 0 && request.conflicts === 'refused') return { tip, refused: conflicts }
  const changes = await changesBetween(ground, tree, commit)
  await refuseUncommitted(request, commit, changes)
  const left = conflicts.length === 0 ? '' : ` (to be resolved: ${someNames(conflicts)})`
  const message = `Merge ${base}${left}`
  const merged = await commitTree({ ground, tree, parents: [commit, tip], message, run })
  await note(ground, { before: commit, after: merged, tip, by, conflicts })
  try {
    await lay(request, { commit: merged, changes })
    await moveBranch(ground, branch, { from: commit, to: merged })
  } catch (error) {
    // What cannot be put back now is put back before anybody works there.
    await settleBringing(request, 'nobody').catch(() => undefined)
    throw error
  }
  await publishBranch({ ground, branch })
  return { tip, by, commit: merged, conflicts }
}

/** Work that was taken in and is not in the record, for a crash came between, is part of it all the same. */
async function whereToBring({ ground, branch, commit }: BringRequest): Promise<string> {
  const stands = await tipOf(ground, branch)
  if (await isAncestor(ground, commit, stands)) return stands
  throw new GitFailure(`The run's branch is at ${stands}, and its record at ${commit}, which that has not.`)
}

/** Work that could not be committed must not be lost; a file would also take the place of a folder, and a folder that of a file. */
async function refuseUncommitted(
  { ground, base, confined }: BringRequest,
  commit: string,
  changes: readonly FileChange[],
): Promise<void> {
  const there = await takeSnapshot(ground, confined)
  const own = (await changesBetween(ground, commit, there)).map(({ name }) => name)
  const ownOrAround = new Set([...own, ...foldersAround(own)])
  const ownNames = new Set(own)
  const both = changes
    .map(({ name }) => name)
    .filter((name) => ownOrAround.has(name) || foldersAround([name]).some((folder) => ownNames.has(folder)))
  if (both.length > 0)
    throw new GitFailure(
      `${base} changed ${someNames(both.map(shown))}, and so did somebody in the run's files, in no commit yet.`,
    )
}

/** By somebody who did not come to say so. */
async function broughtBefore(
  { ground, branch, commit, base }: BringRequest,
  { after, tip, by, conflicts }: Bringing,
): Promise<BroughtBase> {
  await publishBranch({ ground, branch })
  const hasMore = (await userTip({ ground, branch: base })) !== tip
  const told = (await isAncestor(ground, after, commit)) ? commit : after
  return { tip, by, commit: told, conflicts, hasMore }
}

/** These files as a commit has them, which then is where everybody stands. Again is harmless. */
async function lay(
  { ground, branch, confined }: Omit<BringingPlace, 'lastBase'>,
  { commit, changes }: { readonly commit: string; readonly changes: readonly FileChange[] },
): Promise<void> {
  await restore({ ground, tree: commit, changes, confined })
  await indexFrom(ground, commit)
  await listSubmodules(ground, commit)
  await setRepositories(ground, { branch, commit })
}

export interface Bringing {
  readonly before: string
  readonly after: string
  readonly tip: string
  readonly by: Actor
  readonly conflicts: readonly string[]
}

/**
 * What was brought in and is not in the record, null where there is no such thing. What is half done is put back: what is as it was
 * laid, and, where no agent can have worked there since, what was not laid to its end.
 */
export async function settleBringing(
  place: BringingPlace,
  worked: 'nobody' | 'perhaps',
): Promise<Bringing | null> {
  const { ground, branch, lastBase, confined } = place
  const bringing = await noted(ground)
  if (bringing === null) return null
  const { before, after, tip } = bringing
  if (!(await isAncestor(ground, tip, lastBase))) {
    const stands = await tipOf(ground, branch)
    if (stands !== before && (await isAncestor(ground, after, stands))) return bringing
    const laid = new Map((await changesBetween(ground, before, after)).map((each) => [each.name, each.after]))
    const there = await changesBetween(ground, stands, await takeSnapshot(ground, confined))
    const isOurs = async ({ name, after: now }: FileChange): Promise<boolean> => {
      const wanted = laid.get(name)
      if (wanted === undefined || isDeepStrictEqual(now, wanted)) return wanted !== undefined
      return (
        worked === 'nobody' && (now === null || (wanted !== null && (await isCutOff(ground, now, wanted))))
      )
    }
    const changes: FileChange[] = []
    for (const change of there) if (await isOurs(change)) changes.push(change)
    await lay(place, { commit: stands, changes })
  }
  await forgetBringing(ground)
  return null
}

/** A host that was killed while it wrote the file leaves the beginning of it; whatever else is there, somebody wrote since. */
async function isCutOff(ground: Ground, now: GitEntry, wanted: GitEntry): Promise<boolean> {
  if (now.mode === GITLINK || wanted.mode === GITLINK) return false
  const [there, whole] = await Promise.all(
    [now, wanted].map(({ id }) => gitOutput(['cat-file', 'blob', id], inStore(ground))),
  )
  return whole!.startsWith(there!)
}

const noteOf = ({ dir }: Ground): string => join(dir, 'bringing.json')

export const forgetBringing = (ground: Ground): Promise<void> => rm(noteOf(ground), { force: true })

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
