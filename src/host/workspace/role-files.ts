/**
 * What no commit has is each role's own: installed packages, build results, caches, copies of the user's files. One role could
 * change a tool that git ignores and the next would run it, unseen. So before another role begins, those files are moved to
 * the role that left them, and those of the role that begins are moved back. They are renamed, not copied.
 *
 * A switch can be broken off anywhere and is then gone on with: `state` says how far it was.
 */
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bringFiles } from './brought.ts'
import { type Confined, failureOf } from './confined.ts'
import { codeOf, textIn } from './file-error.ts'
import { bytesOf, namesOf, shown, textOf } from './file-name.ts'
import { GIT_IN_SHELL, GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { openInside } from './inside.ts'
import { removeFolder } from './remove-folder.ts'
import { RUN_DIR } from './run-folder.ts'
import { throughStore } from './store.ts'
import { listedSubmodules } from './submodules.ts'

export interface RoleToEnter {
  readonly ground: Ground
  /** The user's checkout. */
  readonly repo: string
  readonly role: string
  /** Names what setup makes of the run's files now; asked for only where roles change. */
  readonly setup: () => Promise<string>
  readonly confined: Confined
}

interface State {
  readonly role: string
  readonly phase: 'here' | 'leaving' | 'entering'
}

/** `new`: the files of setup are to be laid in, and then `settleRole` is to be called. */
export async function enterRole(entering: RoleToEnter): Promise<'here' | 'new'> {
  const { ground, role } = entering
  const found = await readState(ground)
  // What lies there before the first role is what setup made.
  if (found === null) await settleRole(ground, role)
  if (found === null || (found.role === role && found.phase === 'here')) return 'here'
  const setup = await entering.setup()
  if (found.phase === 'entering' && found.role !== role)
    await moveBack(folderOf(ground, found.role), ground.worktree, [])
  if (found.phase !== 'entering' || found.role !== role) {
    await writeState(ground, { role: found.role, phase: 'leaving' })
    await moveAway(ground, folderOf(ground, found.role), entering.confined)
    await writeFile(setupFile(ground, found.role), setup, { mode: 0o600 })
    await writeState(ground, { role, phase: 'entering' })
  }
  return (await moveIn(entering, setup)) ? 'here' : 'new'
}

/** False: the role has no files, or setup makes others by now. */
async function moveIn({ ground, repo, role }: RoleToEnter, setup: string): Promise<boolean> {
  const own = folderOf(ground, role)
  const isKnown = (await isFolder(own)) && (await textIn(setupFile(ground, role))) === setup
  if (isKnown) await moveBack(own, ground.worktree, [])
  else await removeFolder(own)
  await bringFiles({ ground, repo, to: ground.worktree })
  if (isKnown) await settleRole(ground, role)
  return isKnown
}

export const settleRole = (ground: Ground, role: string): Promise<void> =>
  writeState(ground, { role, phase: 'here' })

const setupFile = (ground: Ground, role: string): string => `${folderOf(ground, role)}.setup`

const folderOf = ({ roles }: Ground, role: string): string =>
  join(roles, createHash('sha256').update(role).digest('hex').slice(0, 16))

const stateFile = ({ roles }: Ground): string => join(roles, 'state.json')

async function readState(ground: Ground): Promise<State | null> {
  const text = await textIn(stateFile(ground))
  return text === '' ? null : (JSON.parse(text) as State)
}

async function writeState(ground: Ground, state: State): Promise<void> {
  await mkdir(ground.roles, { recursive: true, mode: 0o700 })
  const file = stateFile(ground)
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

const LISTING = `exec ${GIT_IN_SHELL} ls-files -z -o --directory -- . "$@"`

/** Everything that the host's index has not got. */
async function moveAway(ground: Ground, to: string, confined: Confined): Promise<void> {
  const ours = [RUN_DIR, '.vibe'].map((name) => `:(exclude,top,literal)${name}`)
  const result = await confined({
    ground,
    writes: 'nothing',
    argv: ['sh', '-c', LISTING, 'untracked', ...ours],
    env: { ...throughStore(ground).env, GIT_LITERAL_PATHSPECS: '0' },
  })
  if (result.code !== 0)
    throw new GitFailure(`Files that no commit has could not be listed: ${failureOf(result)}`)
  const listed = namesOf(textOf(result.stdout)).map((name) => name.replace(/\/$/, ''))
  // Git names a folder as one where no commit has anything of it, and does not look into submodules.
  const opened = [...listed.filter(isAroundRun), ...(await listedSubmodules(ground))]
  const inside = (await Promise.all(opened.map((name) => entriesOf(ground, name)))).flat()
  for (const name of [...listed.filter((each) => !isAroundRun(each)), ...inside])
    if (name !== RUN_DIR) await moveEntry(ground, name, to)
}

const isAroundRun = (name: string): boolean => RUN_DIR.startsWith(`${name}/`)

async function entriesOf({ worktree }: Ground, name: string): Promise<string[]> {
  const folder = await openInside(worktree, name.split('/'))
  if (typeof folder === 'string') return []
  try {
    return (await readdir(folder.path)).map((entry) => `${name}/${entry}`)
  } finally {
    await folder.close()
  }
}

async function moveEntry({ worktree }: Ground, name: string, to: string): Promise<void> {
  const parts = name.split('/')
  const folders = parts.slice(0, -1)
  await mkdir(join(to, ...folders), { recursive: true, mode: 0o700 })
  const around = await openInside(worktree, folders)
  if (typeof around === 'string')
    throw new GitFailure(`${shown(name)} could not be moved out of the worktree.`)
  try {
    await rename(inFolder(around.path, parts.at(-1)!), inFolder(join(to, ...folders), parts.at(-1)!))
  } finally {
    await around.close()
  }
}

/** Names are bytes. */
const inFolder = (folder: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), bytesOf(name)])

/** A folder that is there already keeps its files and gets those; what a commit has meanwhile stays. */
async function moveBack(from: string, worktree: string, folders: readonly string[]): Promise<void> {
  const source = await openInside(from, folders)
  if (typeof source === 'string') return
  try {
    for (const bytes of await readdir(source.path, { encoding: 'buffer' })) {
      const entry = textOf(bytes)
      const target = await openInside(worktree, folders)
      if (typeof target === 'string') continue
      try {
        const [old, place] = [source, target].map(({ path }) => inFolder(path, entry)) as [Buffer, Buffer]
        if (await isThere(place)) {
          if (await isFolder(old)) await moveBack(from, worktree, [...folders, entry])
        } else await rename(old, place)
      } finally {
        await target.close()
      }
    }
  } finally {
    await source.close()
  }
  if (folders.length === 0) await removeFolder(from)
}

const isThere = (path: Buffer): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      return false
    },
  )

const isFolder = (path: Buffer | string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
