/**
 * Issue files written into a folder of the host's: byte for byte, and never through a link, whatever a commit or a command
 * made of the way there. Only while nobody is at work in it.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeIn } from '../inside/place.ts'
import { writeInside } from '../inside/write-inside.ts'
import type { CleanCheckout } from '../workspace/clean-checkout.ts'
import { type Confined, failureOf } from '../workspace/confined.ts'
import { isMissing } from '../workspace/file-error.ts'
import { bytesOfAll } from '../workspace/file-name.ts'
import { GIT_IN_SHELL, GitFailure, type GitOptions } from '../workspace/git.ts'
import type { Ground } from '../workspace/ground.ts'
import { removeFolder } from '../workspace/remove-folder.ts'
import { throughStore } from '../workspace/store.ts'
import { CLAIMS } from './claimed-ids.ts'
import { filesOfCommit, type IssueFiles, isRegular, readBlobs, type TrackerPlace } from './issue-files.ts'

export interface LayRequest {
  readonly ground: Ground
  readonly place: TrackerPlace
  readonly files: IssueFiles
  /** What the checkout is of. */
  readonly commit: string
  readonly checkout: CleanCheckout
  /** Ids that are taken, though no file here says so. */
  readonly claimed: readonly string[]
  readonly confined: Confined
}

/** In place of what the commit has; git in there sees no difference. */
export async function layInCheckout(request: LayRequest): Promise<void> {
  const { place, files, commit, checkout, claimed } = request
  const tracked = [...(await filesOfCommit(place, commit)).keys()]
  await overlook(request, tracked)
  for (const folder of place.folders) await makeOwn(checkout.files, folder.split('/'), 'emptied')
  await layFiles(place.git, files, checkout.files)
  // Where there are none there is no folder either, as git would have it.
  for (const folder of place.folders)
    if (![...files.keys()].some((name) => name.startsWith(`${folder}/`)))
      await rm(join(checkout.files, folder), { recursive: true })
  const claims = await makeOwn(checkout.repository, CLAIMS, 'as it is')
  for (const id of claimed) await writeFile(join(claims, id), '')
}

/** A folder of its own for these very files; the same one whenever it is asked for again. */
export async function layApart(
  { git, folders }: TrackerPlace,
  apart: { readonly filesOf: () => Promise<IssueFiles>; readonly under: string; readonly name: string },
): Promise<string> {
  const { under, name } = apart
  const dir = join(under, name)
  if (existsSync(dir)) return dir
  const files = await apart.filesOf()
  await mkdir(under, { recursive: true, mode: 0o755 })
  const draft = join(under, `.${randomUUID()}`)
  await mkdir(draft)
  for (const folder of folders)
    if ([...files.keys()].some((each) => each.startsWith(`${folder}/`)))
      await mkdir(join(draft, folder), { recursive: true })
  await layFiles(git, files, draft)
  await rename(draft, dir).catch((error: unknown) => {
    // Another command of the run was first.
    if (!/ENOTEMPTY|EEXIST/.test(String(error))) throw error
    return rm(draft, { recursive: true })
  })
  await clearOld(under, name)
  return dir
}

const MOST_KEPT = 6

/** Other commands may still read the last ones. */
async function clearOld(under: string, newest: string): Promise<void> {
  const names = (await readdir(under)).filter((name) => name !== newest && !name.startsWith('.'))
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(under, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  )
  for (const { name } of dated.sort((a, b) => b.at - a.at).slice(MOST_KEPT))
    await rm(join(under, name), { recursive: true, force: true })
}

async function layFiles(git: GitOptions, files: IssueFiles, to: string): Promise<void> {
  const regular = [...files].filter(([, file]) => isRegular(file))
  const blobs = await readBlobs(
    git,
    regular.map(([, { id }]) => id),
  )
  for (const [name, { id, mode }] of regular) {
    const content = blobs.get(id) ?? ''
    const place = placeIn(to, name)
    const written =
      'why' in place
        ? place
        : await writeInside(place, { content, mode: mode === '100755' ? 0o755 : 0o644, existing: 'kept' })
    if (written !== 'written') throw new GitFailure(`The issue file ${name} could not be laid in.`)
  }
}

/** A real folder at every part of the way: what is something else there is taken away. */
async function makeOwn(
  root: string,
  names: readonly string[],
  content: 'emptied' | 'as it is',
): Promise<string> {
  let path = root
  for (const [at, name] of names.entries()) {
    path = join(path, name)
    const isLast = at === names.length - 1
    const found = await lstat(path).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    if (found?.isDirectory() === true && !(isLast && content === 'emptied')) continue
    if (found !== null) await (found.isDirectory() ? removeFolder(path) : rm(path))
    await mkdir(path)
  }
  return path
}

/** The checkout stays clean to its git, whatever lies in the folders of issues. In the sandbox: setup may have left anything. */
async function overlook(
  { ground, place: { folders }, checkout: { files, repository }, confined }: LayRequest,
  tracked: readonly string[],
): Promise<void> {
  const excluded = folders.map((folder) => `/${folder}/`)
  const script = [
    'cd "$1" || exit 1',
    'shift',
    'printf "%s\\n" "$@" >> info/exclude',
    tracked.length === 0 ? 'true' : `exec ${GIT_IN_SHELL} update-index --skip-worktree -z --stdin`,
  ].join('\n')
  const result = await confined({
    ground,
    writes: 'nothing',
    also: { writable: [files, repository] },
    cwd: files,
    argv: ['sh', '-c', script, 'overlook', repository, ...excluded],
    env: {
      ...throughStore(ground).env,
      GIT_WORK_TREE: files,
      GIT_INDEX_FILE: join(repository, 'index'),
    },
    input: bytesOfAll(tracked.map((name) => `${name}\0`)),
  })
  if (result.code !== 0) throw new GitFailure(`The issues could not be laid in: ${failureOf(result)}`)
}
