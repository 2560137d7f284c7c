/** What an agent may write, and what happens to the rest: it is kept as a patch and undone. */
import { shown, someNames } from './file-name.ts'
import { GitFailure, problemOf } from './git.ts'
import { globOf } from './glob.ts'
import type { Problem } from './problem.ts'
import { restorePaths } from './restore.ts'
import { changedBetween, patchBetween, takeSnapshot } from './snapshot.ts'

export interface Judged {
  readonly files: readonly string[]
  /**
   * Later patterns win over earlier ones, `!` forbids, and a list that begins with `!` means everything but that.
   * Null allows all, an empty list nothing.
   */
  readonly writes: readonly string[] | null
}

/** The files that lie outside. */
export function judgeWrites({ files, writes }: Judged): string[] {
  if (writes === null) return []
  const rules = writes.map((pattern) => ({
    allows: !pattern.startsWith('!'),
    matches: globOf(pattern.startsWith('!') ? pattern.slice(1) : pattern),
  }))
  const unnamed = rules[0]?.allows === false
  return files.filter((file) => {
    const last = rules.findLast((rule) => rule.matches(file))
    return !(last?.allows ?? unnamed)
  })
}

export interface Bounded {
  readonly path: string
  /** A tree, or a commit for its tree. */
  readonly before: string
  readonly writes: readonly string[] | null
}

export interface Held {
  /** For people and journals, see `shown`. */
  readonly outside: string[]
  /** What was written there; `git apply` brings it back. */
  readonly patch: string
  /** The tree that is there now, nothing outside in it. */
  readonly after: string
}

/**
 * Only the files count, not how they came: what an agent committed outside is undone in the files and in the index, and
 * so by the next commit. What git ignores is not looked at; it reaches no commit.
 */
export async function holdBoundary(request: Bounded): Promise<Held | Problem> {
  try {
    return await held(request)
  } catch (error) {
    return problemOf(error)
  }
}

/** Undoing an ignore file brings to light what it hid, so one look is not always enough. */
const MOST_LOOKS = 5

async function held({ path, before, writes }: Bounded): Promise<Held> {
  const outside: string[] = []
  const patches: string[] = []
  for (let look = 0; look < MOST_LOOKS; look++) {
    const after = await takeSnapshot(path)
    const files = judgeWrites({ files: await changedBetween(path, before, after), writes })
    if (files.length === 0) return { outside: outside.map(shown).sort(), patch: patches.join(''), after }
    const news = files.filter((file) => !outside.includes(file))
    if (news.length === 0)
      throw new GitFailure(`What was written to ${someNames(files)} could not be undone.`)
    outside.push(...news)
    patches.push(await patchBetween({ path, from: before, to: after, files: news }))
    await restorePaths({ path, tree: before, files })
  }
  throw new GitFailure(`What was written outside the boundary keeps coming back in ${path}.`)
}

export { headOf, holdBranch } from './branch.ts'
