/**
 * Puts files back as they were in a tree. From within the agent's sandbox: whatever the agent puts in the place of a
 * folder meanwhile, nothing but its own ground can be reached from there.
 */
import { type FileChange, GITLINK } from './changes.ts'
import { type Confined, type ConfinedCommand, failureOf } from './confined.ts'
import { bytesOfAll, someNames } from './file-name.ts'
import { CHECK_OUT_AGAIN, smudge } from './filters.ts'
import { GIT_IN_SHELL, GitFailure, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { withScratch } from './scratch.ts'
import { inStore, throughStore } from './store.ts'

export interface RestoreRequest {
  readonly ground: Ground
  readonly tree: string
  readonly changes: readonly FileChange[]
  readonly confined: Confined
}

export async function restore({ ground, tree, changes, confined }: RestoreRequest): Promise<void> {
  const act = async (
    command: Omit<ConfinedCommand, 'ground' | 'writes'>,
    names: readonly string[],
  ): Promise<void> => {
    if (names.length === 0) return
    const input = bytesOfAll(names.map((name) => `${name}\0`))
    const result = await confined({ ground, writes: 'agent', ...command, input })
    if (result.code !== 0)
      throw new GitFailure(`${someNames(names)} could not be put back: ${failureOf(result)}`)
  }
  const gone = changes.filter(({ before }) => before === null)
  const isLink = (change: FileChange): boolean => (change.before ?? change.after)?.mode === GITLINK
  const named = (some: readonly FileChange[]): string[] => some.map(({ name }) => name)
  await act({ argv: ['xargs', '-0', 'rm', '-f', '--'] }, named(gone.filter((each) => !isLink(each))))
  await act({ argv: ['xargs', '-0', 'rm', '-rf', '--'] }, named(gone.filter(isLink)))
  // Those that are not empty stay.
  await act({ argv: ['sh', '-c', 'xargs -0 rmdir -- 2>/dev/null; :'] }, foldersAround(named(gone)))
  await setSubmodules(ground, changes, 'before')
  const kept = named(changes.filter((each) => each.before !== null && !isLink(each)))
  if (kept.length === 0) return
  await withScratch(ground, async ({ dir, index }) => {
    const env = { ...throughStore(ground).env, GIT_INDEX_FILE: index }
    const also = { writable: [dir] }
    await act({ argv: ['sh', '-c', CHECKING_OUT, 'restore', tree], env, also }, kept)
    await smudge({
      ...{ ground, confined, tree, root: ground.worktree, env, reads: [dir], names: kept },
      write: (names, { setting, readable }) =>
        act(
          {
            argv: ['sh', '-c', CHECK_OUT_AGAIN, 'restore', setting],
            env,
            also: { ...also, readable },
          },
          names,
        ),
    })
  })
}

const CHECKING_OUT = `${GIT_IN_SHELL} read-tree "$1" && exec ${GIT_IN_SHELL} checkout-index -f -z --stdin`

/** Only in the host's index: of a submodule nothing else is the run's. */
export async function setSubmodules(
  ground: Ground,
  changes: readonly FileChange[],
  to: 'before' | 'after',
): Promise<void> {
  const lines = changes.flatMap((change) =>
    change[to]?.mode === GITLINK ? [`${GITLINK} ${change[to].id}\t${change.name}\0`] : [],
  )
  if (lines.length > 0)
    await gitOutput(['update-index', '-z', '--index-info'], { ...inStore(ground), input: bytesOfAll(lines) })
}

/** The folders around them, the innermost first. */
export function foldersAround(names: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const name of names) {
    // Only as far up as nobody went before: many files in one deep folder are not many deep folders.
    let end = name.lastIndexOf('/')
    while (end > 0 && !folders.has(name.slice(0, end))) {
      folders.add(name.slice(0, end))
      end = name.lastIndexOf('/', end - 1)
    }
  }
  return [...folders].sort((one, other) => other.length - one.length)
}
