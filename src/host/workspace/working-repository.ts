/**
 * The two repositories that know the worktree's files. The agents' is theirs, with all that is in it: the host makes it,
 * and runs git on it only from within a sandbox. The people's is made by the host, and no agent can write to it: on disk
 * the worktree's `.git` names that one, and the agents' is laid over it inside a sandbox. Where no sandbox can lay one
 * path over another there is no people's repository, and everyone uses the agents'.
 */
import { randomUUID } from 'node:crypto'
import { constants, existsSync, renameSync } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, isMissing } from './file-error.ts'
import { gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { type OpenFolder, openInside } from './inside.ts'
import { removeFolder } from './remove-folder.ts'
import { writeRepository } from './repository-files.ts'
import { hasPeopleRepository } from './shown-git.ts'
import { indexOf, tipOf } from './store.ts'
import { overlookSubmodules } from './submodules.ts'
import { agentSettings, peopleSettings, readUserSettings, type UserSettings } from './user-settings.ts'
import { writeNew } from './write-new.ts'

export type Whose = 'agents' | 'people'

const placeOf = ({ agentRepo, peopleRepo }: Ground, whose: Whose): string =>
  whose === 'agents' ? agentRepo : peopleRepo

export interface BranchHead {
  readonly branch: string
  readonly commit: string
}

/** The agents', as the host makes it, at the tip of the run's branch. */
export async function renewAgentRepository(ground: Ground, branch: string): Promise<void> {
  const [user, refs, commit] = await Promise.all([
    readUserSettings(ground),
    userRefs(ground),
    tipOf(ground, branch),
  ])
  await makeRepository(ground, 'agents', { branch, commit, user, refs })
}

export interface NewRepository extends BranchHead {
  readonly user: UserSettings
  /** See `userRefs`. */
  readonly refs: ReadonlyMap<string, string>
}

/** A new one in place of whatever is there. Only while nobody works with it. */
export async function makeRepository(
  ground: Ground,
  whose: Whose,
  { branch, commit, user, refs }: NewRepository,
): Promise<void> {
  const dir = placeOf(ground, whose)
  const draft = `${dir}.new`
  await removeFolder(draft)
  await writeRepository({
    dir: draft,
    bare: 'with files',
    settings: whose === 'agents' ? agentSettings(user) : peopleSettings(user),
    borrows: [join(ground.store, 'objects'), join(ground.userGitDir, 'objects')],
    branch,
    refs: new Map([...refs, [`refs/heads/${branch}`, commit]]),
    user,
  })
  await writeIndex(ground, whose, join(draft, 'index'))
  // At once: a git of the user's may be looking.
  if (existsSync(dir)) renameSync(dir, asideIn(ground))
  renameSync(draft, dir)
  await nameRepository(ground)
  await removeAside(ground)
}

/** The user's branches and tags as they are now, to look at and to merge. */
export async function userRefs({ userGitDir }: Ground): Promise<Map<string, string>> {
  const args = [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]
  const listed = await gitOutput(args, { cwd: userGitDir, env: { GIT_DIR: userGitDir } })
  const lines = listed.split('\n').filter((line) => line !== '')
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [id = '', name = ''] = line.split(' ')
      return name.startsWith('refs/heads/signalbox/') ? [] : [[name, id]]
    }),
  )
}

/** What the host's index knows of the files, so that the first look of others need not read them all. To a new file. */
async function writeIndex(ground: Ground, whose: Whose, file: string): Promise<void> {
  await copyFile(indexOf(ground), file, constants.COPYFILE_EXCL)
  if (whose === 'people') await overlookSubmodules(ground, file)
  // A copy that looked younger than the original would make git trust files that were written in the same instant.
  const { mtimeMs } = await stat(indexOf(ground))
  const writtenAt = Math.floor(mtimeMs / 1000) - 1
  await utimes(file, writtenAt, writtenAt)
}

const ASIDE = 'aside-'

const asideIn = ({ dir }: Ground): string => join(dir, `${ASIDE}${randomUUID()}`)

async function removeAside({ dir }: Ground): Promise<void> {
  for (const name of await readdir(dir)) if (name.startsWith(ASIDE)) await removeFolder(join(dir, name))
}

/** What the worktree's `.git` names, on disk and in the agents' sandboxes, whatever became of it. */
export async function nameRepository(ground: Ground): Promise<void> {
  const { worktree, agentRepo, peopleRepo, agentLink } = ground
  await put(agentLink, `gitdir: ${agentRepo}\n`, ground)
  await put(
    join(worktree, '.git'),
    `gitdir: ${hasPeopleRepository(ground) ? peopleRepo : agentRepo}\n`,
    ground,
  )
}

async function put(link: string, text: string, ground: Ground): Promise<void> {
  if (await says(link, text)) return
  try {
    // Not looked into: its agent may be at work in it.
    if ((await lstat(link)).isDirectory()) await rename(link, asideIn(ground))
    else await unlink(link)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await writeNew(link, text, 0o644)
}

async function says(link: string, text: string): Promise<boolean> {
  try {
    const file = await open(link, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      return found.isFile() && found.size === text.length && (await file.readFile('utf8')) === text
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}

/** What git keeps of a merge, a rebase and the like that is not finished. */
const UNFINISHED = new Set([
  ...['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'MERGE_RR', 'AUTO_MERGE', 'SQUASH_MSG', 'CHERRY_PICK_HEAD'],
  ...[
    'REVERT_HEAD',
    'REBASE_HEAD',
    'rebase-merge',
    'rebase-apply',
    'sequencer',
    'BISECT_LOG',
    'BISECT_NAMES',
  ],
  ...['BISECT_TERMS', 'BISECT_START', 'BISECT_ANCESTORS_OK', 'BISECT_EXPECTED_REV'],
])

/** Whether nothing was done with it since the host set it. Its files are enough to tell that; a git would take longer. */
export async function isAtBranch(
  ground: Ground,
  whose: Whose,
  { branch, commit }: BranchHead,
): Promise<boolean> {
  const isSame = await within(placeOf(ground, whose), '', async (folder) => {
    const names = await readdir(folder.path)
    return (
      !names.some((name) => UNFINISHED.has(name)) && says(folder.entry('HEAD'), `ref: refs/heads/${branch}\n`)
    )
  })
  const { parent, name } = refOf(branch)
  return (
    isSame === true &&
    (await within(placeOf(ground, whose), parent, (folder) => says(folder.entry(name), `${commit}\n`))) ===
      true
  )
}

/**
 * Where it shall stand, once the host has taken the work in. Its files are written as they are: git would obey its
 * settings. False: they cannot be, by something that its owner put in their place.
 */
async function setRepository(ground: Ground, whose: Whose, { branch, commit }: BranchHead): Promise<boolean> {
  await nameRepository(ground)
  const repository = placeOf(ground, whose)
  const index = join(ground.dir, `${whose}-index.new`)
  await rm(index, { force: true })
  await writeIndex(ground, whose, index)
  const { parent, name } = refOf(branch)
  const isSet = await within(repository, parent, (folder) => replace(ground, folder, name, `${commit}\n`))
  const isNamed = await within(repository, '', async (folder) => {
    await replace(ground, folder, 'HEAD', `ref: refs/heads/${branch}\n`)
    await clear(ground, folder, 'index')
    await rename(index, folder.entry('index'))
    for (const each of await readdir(folder.path)) if (UNFINISHED.has(each)) await clear(ground, folder, each)
    return true
  })
  await removeAside(ground)
  return isSet === true && isNamed === true
}

/** Those that stand there already are left alone: a git may be reading them. */
export async function setRepositories(ground: Ground, stand: BranchHead): Promise<void> {
  const all: readonly Whose[] = hasPeopleRepository(ground) ? ['agents', 'people'] : ['agents']
  for (const whose of all)
    if (!(await isAtBranch(ground, whose, stand))) await setRepository(ground, whose, stand)
}

function refOf(branch: string): { readonly parent: string; readonly name: string } {
  const ref = `refs/heads/${branch}`
  const end = ref.lastIndexOf('/')
  return { parent: ref.slice(0, end), name: ref.slice(end + 1) }
}

/** In a folder of a repository, made where it is missing; null where something else is in its place. */
async function within<T>(
  root: string,
  path: string,
  act: (folder: OpenFolder) => Promise<T>,
): Promise<T | null> {
  let folder = await openInside(root, [])
  for (const name of path.split('/').filter((part) => part !== '')) {
    if (typeof folder === 'string') return null
    await mkdir(folder.entry(name)).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    const inner: OpenFolder | 'missing' | 'linked' = await folder.folder(name)
    await folder.close()
    folder = inner
  }
  if (typeof folder === 'string') return null
  try {
    return await act(folder)
  } finally {
    await folder.close()
  }
}

async function replace(ground: Ground, folder: OpenFolder, name: string, text: string): Promise<boolean> {
  const draft = folder.entry(`${name}.${randomUUID()}`)
  await writeNew(draft, text, 0o644)
  await clear(ground, folder, name)
  await rename(draft, folder.entry(name))
  return true
}

/** Out of the way, without a look into it. */
const clear = (ground: Ground, folder: OpenFolder, name: string): Promise<void> =>
  rename(folder.entry(name), asideIn(ground)).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })

/** Locks that a killed git left. Nothing is followed: the folder itself is not the agent's to replace. */
export async function clearLocks(ground: Ground): Promise<void> {
  for (const repository of [ground.agentRepo, ground.peopleRepo])
    for (const name of ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock'])
      await rm(join(repository, name), { force: true })
}
