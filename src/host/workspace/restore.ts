/**
 * Puts files back as they were in a tree. From within the agent's sandbox: whatever the agent puts in the place of a
 * folder meanwhile, nothing but its own ground can be reached from there.
 */
import { type FileChange, GITLINK } from './changes.ts'
import { type Confined, type ConfinedCommand, failureOf } from './confined.ts'
import { bytesOfAll, someNames } from './file-name.ts'
import { GIT_IN_SHELL, GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { throughStore } from './store.ts'

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
  const kept = changes.filter(({ before }) => before !== null)
  await act(
    {
      argv: ['sh', '-c', CHECKING_OUT, 'restore', tree],
      env: throughStore(ground).env ?? {},
    },
    named(kept.filter((each) => !isLink(each))),
  )
  for (const { name, before } of kept.filter(isLink))
    await confined({
      ground,
      writes: 'agent',
      argv: ['git', '-C', name, 'checkout', '-q', '-f', '--detach', before!.id],
    })
}

/** By an index of its own: the store's is not to be written from there. */
const CHECKING_OUT = `
folder=$(mktemp -d) && export GIT_INDEX_FILE="$folder/index" || exit 1
trap 'rm -rf "$folder"' EXIT
${GIT_IN_SHELL} read-tree "$1" && ${GIT_IN_SHELL} checkout-index -f -z --stdin
`

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
