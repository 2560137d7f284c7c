/** What an agent may write, and what happens to the rest: it is kept as a patch and undone. */
import type { Boundary } from '../../model/boundary.ts'
import { globOf } from '../../model/glob.ts'
import { changesBetween, patchBetween } from './changes.ts'
import type { Confined } from './confined.ts'
import { shown, someNames } from './file-name.ts'
import { GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { restore } from './restore.ts'

export interface BoundedFiles {
  readonly files: readonly string[]
  readonly boundary: Boundary
}

/** The files that lie outside. */
export function judgeWrites({ files, boundary }: BoundedFiles): string[] {
  if (boundary === null) return []
  const members = boundary.map(allowedBy)
  return files.filter((file) => !members.some((allows) => allows(file)))
}

function allowedBy(writes: readonly string[]): (file: string) => boolean {
  const rules = writes.map((pattern) => ({
    allows: !pattern.startsWith('!'),
    matches: globOf(pattern.startsWith('!') ? pattern.slice(1) : pattern),
  }))
  const unnamed = rules[0]?.allows === false
  return (file) => rules.findLast((rule) => rule.matches(file))?.allows ?? unnamed
}

export interface Bounded {
  readonly ground: Ground
  /** A tree, or a commit for its tree. */
  readonly before: string
  readonly boundary: Boundary
  readonly confined: Confined
  /** What lies in the worktree, as a tree. */
  readonly snapshot: () => Promise<string>
  /** The trees in which something outside was found, by tries that were broken off: added to, and gone through again. */
  readonly looks?: string[]
}

export interface Held {
  /** For people and journals, see `shown`. */
  readonly outside: string[]
  /** What was written there; `git apply` brings it back. */
  readonly patch: string
  /** The tree that is there now, nothing outside in it. */
  readonly after: string
}

/** Undoing an ignore file brings to light what it hid, so one look is not always enough. */
const MOST_LOOKS = 5

/**
 * Only the files count, not how they came: what an agent committed outside is undone in the files, and so by the next
 * commit. What git ignores is not looked at; it reaches no commit.
 */
/** What tries that were broken off have found outside, as `holdBoundary` would tell it. */
export async function foundOutside({
  ground,
  before,
  boundary,
  looks,
}: Omit<Bounded, 'confined' | 'snapshot'> & { readonly looks: readonly string[] }): Promise<
  Omit<Held, 'after'>
> {
  const outside: string[] = []
  const patches: string[] = []
  for (const after of looks) {
    const changes = boundary === null ? [] : await changesBetween(ground, before, after)
    const files = judgeWrites({ files: changes.map(({ name }) => name), boundary })
    const news = files.filter((file) => !outside.includes(file))
    if (news.length === 0) continue
    outside.push(...news)
    patches.push(await patchBetween({ ground, from: before, to: after, files: news }))
  }
  return { outside: outside.map(shown).sort(), patch: patches.join('') }
}

export async function holdBoundary({
  ground,
  before,
  boundary,
  confined,
  snapshot,
  looks = [],
}: Bounded): Promise<Held> {
  const outside: string[] = []
  const patches: string[] = []
  for (let look = 0; look < MOST_LOOKS; look++) {
    const after = looks[look] ?? (await snapshot())
    const changes = boundary === null ? [] : await changesBetween(ground, before, after)
    const files = judgeWrites({ files: changes.map(({ name }) => name), boundary })
    if (files.length === 0) return { outside: outside.map(shown).sort(), patch: patches.join(''), after }
    const news = files.filter((file) => !outside.includes(file))
    if (news.length === 0)
      throw new GitFailure(`What was written to ${someNames(files)} could not be undone.`)
    outside.push(...news)
    patches.push(await patchBetween({ ground, from: before, to: after, files: news }))
    looks[look] = after
    const strays = new Set(files)
    await restore({ ground, tree: before, changes: changes.filter(({ name }) => strays.has(name)), confined })
  }
  throw new GitFailure(`What was written outside the boundary keeps coming back in ${ground.worktree}.`)
}
