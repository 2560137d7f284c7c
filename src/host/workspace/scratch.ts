/**
 * A folder for one command in a sandbox: what git writes there instead of in the host's store, which no sandbox can
 * change. New objects come over as a pack, and every one is hashed and checked before the store has it.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './file-error.ts'
import { twiceForRoom } from './for-room.ts'
import { GIT_IN_SHELL, GitFailure, git, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'
import { removeFolder } from './remove-folder.ts'
import { quotedPath } from './repository-files.ts'
import { inStore, throughStore } from './store.ts'

export interface Scratch {
  readonly dir: string
  readonly index: string
  readonly objects: string
  /** A folder for files. */
  readonly files: string
  /** For git on the worktree that writes only here. */
  readonly env: Readonly<Record<string, string>>
}

export async function withScratch<T>(ground: Ground, act: (scratch: Scratch) => Promise<T>): Promise<T> {
  const dir = join(ground.scratch, randomUUID())
  const objects = join(dir, 'objects')
  const files = join(dir, 'files')
  const index = join(dir, 'index')
  await mkdir(objects, { recursive: true, mode: 0o700 })
  await mkdir(files)
  const env = {
    ...throughStore(ground).env,
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(join(ground.store, 'objects')),
  }
  try {
    return await act({ dir, index, objects, files, env })
  } finally {
    await removeFolder(dir)
  }
}

/** What a killed host left. */
export const clearScratch = ({ scratch }: Ground): Promise<void> => removeFolder(scratch)

/** A line of shell that packs the objects a command wrote to its scratch folder. Large files are in packs already. */
export const PACK_NEW_OBJECTS = `
(
  cd "$GIT_OBJECT_DIRECTORY" || exit 1
  find . -path './??/*' -type f | sed -n 's|^\\./\\([0-9a-f][0-9a-f]\\)/\\([0-9a-f]\\{38,62\\}\\)$|\\1\\2|p'
  for each in pack/*.idx; do [ -e "$each" ] && ${GIT_IN_SHELL} show-index < "$each" | cut -d' ' -f2; done
) | ${GIT_IN_SHELL} -c pack.compression=1 pack-objects -q --stdout --window=0 > "\${GIT_OBJECT_DIRECTORY%/*}/pack" || exit 1
`

const PACK_OF_NOTHING_BYTES = 32

/** Null when every object is sound and in the store now, else the last line of what git found. */
export async function adoptObjects(ground: Ground, { dir }: Scratch): Promise<string | null> {
  const file = join(dir, 'pack')
  // The sandbox that wrote it has ended, so nothing takes its place after this look.
  const found = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (found === null) return null
  if (!found.isFile()) return 'the pack is not a file'
  if (found.size <= PACK_OF_NOTHING_BYTES) return null
  const args = ['index-pack', '--stdin', '--fix-thin', '--strict']
  const result = await twiceForRoom([ground.dir], () =>
    git(args, { ...inStore(ground), input: createReadStream(file) }),
  )
  // Nobody's objects are wrong because git did not get to look at them.
  if (result.cutShort !== null) throw new GitFailure(sentenceOf(args, result))
  return result.code === 0 ? null : (result.stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? '')
}
