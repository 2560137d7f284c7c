/**
 * What the user's branch got since, brought into a run's own: a merge in the host's store, then the worktree's files by it.
 * Only while nobody is at work there and all that was done is committed. Files that both sides changed are committed with
 * git's marks in them, for whoever works there next: so what they then write is theirs alone, and is judged as that.
 */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setAgentRepository } from './agent-repository.ts'
import { changesBetween } from './changes.ts'
import { commitTree, moveBranch } from './commit.ts'
import type { Confined } from './confined.ts'
import { someNames } from './file-name.ts'
import { GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { mergeTrees } from './merge.ts'
import { publishBranch, userTip } from './publish.ts'
import { restore } from './restore.ts'
import { indexFrom } from './staging.ts'
import { isAncestor } from './store.ts'

export interface BringRequest {
  readonly ground: Ground
  readonly branch: string
  readonly run: string
  /** The run's last commit. */
  readonly commit: string
  /** The user's branch, of which all is brought in. */
  readonly base: string
  /** Whether files that both sides changed may be left to whoever works there next. */
  readonly conflicts: 'left' | 'refused'
  readonly confined: Confined
}

/** From where that branch was. */
export type BroughtBase = { readonly tip: string } & (Brought | { readonly refused: readonly string[] })

interface Brought {
  /** The run's last commit now; the same where it had all of it. */
  readonly commit: string
  /** Files with git's marks in them. */
  readonly conflicts: readonly string[]
}

export async function bringBase(request: BringRequest): Promise<BroughtBase> {
  const { ground, branch, run, commit, base, confined } = request
  const tip = await userTip({ ground, branch: base })
  if (tip === null) throw new GitFailure(`There is no branch ${base} in your repository any more.`)
  if (await isAncestor(ground, tip, commit)) return { tip, commit, conflicts: [] }
  const { tree, conflicts } = await mergeTrees(ground, commit, tip)
  if (conflicts.length > 0 && request.conflicts === 'refused') return { tip, refused: conflicts }
  const left = conflicts.length === 0 ? '' : ` (to be resolved: ${someNames(conflicts)})`
  const message = `Merge ${base}${left}`
  const merged = await commitTree({ ground, tree, parents: [commit, tip], message, run })
  await writeFile(markOf(ground), JSON.stringify({ before: commit, after: merged }))
  await moveBranch(ground, branch, { from: commit, to: merged })
  await lay({ ground, branch, confined }, commit, merged)
  await publishBranch({ ground, branch })
  return { tip, commit: merged, conflicts }
}

type Place = Pick<BringRequest, 'ground' | 'branch' | 'confined'>

/** The files that the merge changed, as it has them. Again is harmless. */
async function lay({ ground, branch, confined }: Place, before: string, after: string): Promise<void> {
  await restore({ ground, tree: after, changes: await changesBetween(ground, after, before), confined })
  await indexFrom(ground, after)
  await setAgentRepository({ ground, branch, commit: after }, confined)
  await rm(markOf(ground), { force: true })
}

/** There while the files may not be what the branch says. */
const markOf = ({ dir }: Ground): string => join(dir, 'bringing')

/** What a crash broke off. */
export async function finishBringing(place: Place): Promise<void> {
  const mark = markOf(place.ground)
  if (!existsSync(mark)) return
  const { before, after } = JSON.parse(await readFile(mark, 'utf8')) as { before: string; after: string }
  await moveBranch(place.ground, place.branch, { from: before, to: after }).catch(() => undefined)
  await lay(place, before, after)
}
