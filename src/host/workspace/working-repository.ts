/**
 * The repository an agent works with. It is the agent's, with all that is in it: the host makes it, sets it right from
 * within the agent's sandbox, and never asks git about it outside.
 */
import { randomUUID } from 'node:crypto'
import { constants, existsSync, renameSync } from 'node:fs'
import { copyFile, lstat, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Confined } from './confined.ts'
import { isMissing } from './file-error.ts'
import { twiceForRoom } from './for-room.ts'
import { gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { removeFolder } from './remove-folder.ts'
import { writeRepository } from './repository-files.ts'
import { indexOf, tipOf } from './store.ts'
import { agentSettings, readUserSettings, type UserSettings } from './user-settings.ts'
import { writeNew } from './write-new.ts'

export interface AgentRepository {
  readonly ground: Ground
  readonly branch: string
  readonly commit: string
}

/** As the host makes it, at the tip of the run's branch. */
export async function renewAgentRepository(ground: Ground, branch: string): Promise<void> {
  const user = await readUserSettings(ground)
  await makeAgentRepository({ ground, branch, commit: await tipOf(ground, branch), user })
}

/** A new one in place of whatever is there. Only while nobody works with it. */
export async function makeAgentRepository({
  ground,
  branch,
  commit,
  user,
}: AgentRepository & { readonly user: UserSettings }): Promise<void> {
  const draft = `${ground.agentRepo}.new`
  await removeFolder(draft)
  const refs = await userRefs(ground)
  refs.set(`refs/heads/${branch}`, commit)
  await writeRepository({
    dir: draft,
    bare: 'with files',
    settings: agentSettings(user),
    borrows: [join(ground.store, 'objects'), join(ground.userGitDir, 'objects')],
    branch,
    refs,
    user,
  })
  await copyIndex(ground, draft)
  // At once: a git of the user's may be looking.
  if (existsSync(ground.agentRepo)) renameSync(ground.agentRepo, asideIn(ground))
  renameSync(draft, ground.agentRepo)
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

/** What the host's index knows of the files, so that the agent's first look need not read them all. */
async function copyIndex(ground: Ground, repository: string): Promise<void> {
  const copy = join(repository, 'index')
  await copyFile(indexOf(ground), copy)
  // A copy that looked younger than the original would make git trust files that were written in the same instant.
  const { mtimeMs } = await stat(indexOf(ground))
  const writtenAt = Math.floor(mtimeMs / 1000) - 1
  await utimes(copy, writtenAt, writtenAt)
}

const ASIDE = 'aside-'

const asideIn = ({ dir }: Ground): string => join(dir, `${ASIDE}${randomUUID()}`)

async function removeAside({ dir }: Ground): Promise<void> {
  for (const name of await readdir(dir)) if (name.startsWith(ASIDE)) await removeFolder(join(dir, name))
}

/** The worktree's `.git` names the repository, whatever an agent made of it. */
export async function nameRepository(ground: Ground): Promise<void> {
  const { worktree, agentRepo } = ground
  const link = join(worktree, '.git')
  const text = `gitdir: ${agentRepo}\n`
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

/** Its files are written as they are: git would ask its hooks. */
const SCRIPT = `
cd "$GIT_DIR" && ref="refs/heads/$1" && mkdir -p "\${ref%/*}" &&
printf '%s\\n' "$2" > "$ref" && printf 'ref: %s\\n' "$ref" > HEAD && cp -f "$3" index || exit 1
for left in MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR AUTO_MERGE SQUASH_MSG CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD \\
  rebase-merge rebase-apply sequencer BISECT_LOG BISECT_NAMES BISECT_TERMS BISECT_START BISECT_ANCESTORS_OK \\
  BISECT_EXPECTED_REV; do [ -e "$left" ] && rm -rf "$left"; done; :
`

/** Where its repository shall stand, once the host has taken its work in. What fails there is the agent's loss. */
export async function setAgentRepository(
  { ground, branch, commit }: AgentRepository,
  confined: Confined,
): Promise<boolean> {
  await nameRepository(ground)
  const { code } = await twiceForRoom([ground.dir], () =>
    confined({
      ground,
      writes: 'agent',
      argv: ['sh', '-c', SCRIPT, 'set', branch, commit, indexOf(ground)],
      env: { GIT_DIR: ground.agentRepo, GIT_WORK_TREE: ground.worktree, GIT_NO_REPLACE_OBJECTS: '1' },
    }),
  )
  return code === 0
}

/** Locks that a killed git of an agent left. Nothing is followed: the folder itself is not the agent's to replace. */
export async function clearAgentLocks({ agentRepo }: Ground): Promise<void> {
  for (const name of ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock'])
    await rm(join(agentRepo, name), { force: true })
}
