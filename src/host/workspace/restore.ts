/** Puts files back as they were in a tree, in the working tree and in the index. */
import { lstat, rm, rmdir, unlink } from 'node:fs/promises'
import { codeOf, isMissing } from './file-error.ts'
import { bytesOf, bytesOfAll, namesOf, someNames } from './file-name.ts'
import { GitFailure, git, gitOutput } from './git.ts'
import { withPrivateIndex } from './private-index.ts'
import { type Entry, GITLINK, putEntries } from './snapshot.ts'

export interface RestoreRequest {
  readonly path: string
  readonly tree: string
  readonly files: readonly string[]
}

export async function restorePaths({ path, tree, files }: RestoreRequest): Promise<void> {
  if (files.length === 0) return
  const known = await entriesOf(path, tree)
  const gone = files.filter((name) => !known.has(name))
  const kept = files.filter((name) => known.has(name))
  try {
    for (const name of gone) await removeFile(path, name)
    for (const name of gone) await removeEmptyParents(path, name)
  } catch (error) {
    if (codeOf(error) === '') throw error
    throw new GitFailure(`${someNames(gone)} could not be removed: ${(error as Error).message}`)
  }
  await withPrivateIndex(path, async (index) => {
    await gitOutput(['read-tree', tree], index)
    const input = bytesOfAll(kept.map((name) => `${name}\0`))
    await gitOutput(['checkout-index', '-f', '-z', '--stdin'], { ...index, input })
  })
  for (const name of kept) {
    const entry = known.get(name)
    // A submodule that is not checked out has nothing to put back.
    if (entry?.mode === GITLINK && (await isRepository(fullPath(path, name))))
      await git(['checkout', '-q', '-f', '--detach', entry.id], { cwd: fullPath(path, name).toString() })
  }
  await putEntries(
    { cwd: path },
    files.map((name) => ({ name, entry: known.get(name) ?? null })),
  )
}

async function entriesOf(path: string, tree: string): Promise<Map<string, Entry>> {
  const lines = namesOf(await gitOutput(['ls-tree', '-r', '-z', '--full-tree', tree], { cwd: path }))
  return new Map(
    lines.map((line) => {
      const tab = line.indexOf('\t')
      const [mode = '', , id = ''] = line.slice(0, tab).split(' ')
      return [line.slice(tab + 1), { mode, id }]
    }),
  )
}

/** Never through a link: what is behind it is not ours. */
async function removeFile(root: string, name: string): Promise<void> {
  if (!(await hasRealParents(root, name))) return
  const file = fullPath(root, name)
  const found = await lstatOf(file)
  if (found === null) return
  if (!found.isDirectory()) await unlink(file)
  else if (await isRepository(file)) await rm(file, { recursive: true, force: true })
}

async function hasRealParents(root: string, name: string): Promise<boolean> {
  for (const parent of parentsOf(name)) {
    const found = await lstatOf(fullPath(root, parent))
    if (found === null || !found.isDirectory()) return false
  }
  return true
}

async function removeEmptyParents(root: string, name: string): Promise<void> {
  for (const parent of parentsOf(name).reverse()) {
    if (!(await hasRealParents(root, parent))) continue
    try {
      await rmdir(fullPath(root, parent))
    } catch (error) {
      if (!isMissing(error)) return
    }
  }
}

const parentsOf = (name: string): string[] => {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

const fullPath = (root: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), bytesOf(name)])

const isRepository = async (folder: Buffer): Promise<boolean> =>
  (await lstatOf(Buffer.concat([folder, Buffer.from('/.git')]))) !== null

async function lstatOf(file: Buffer) {
  try {
    return await lstat(file)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
