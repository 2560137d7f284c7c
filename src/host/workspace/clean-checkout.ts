/**
 * A checkout of the very commit that is judged, with a repository of its own: of the agent's there is nothing in it but
 * what it committed. Made for one judgement and taken away after it, so that whoever is judged leaves nothing to the
 * next. What setup made is laid in first, and the commit's own files over it.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Artifacts } from './artifacts.ts'
import { bringFiles } from './brought.ts'
import { type Confined, type ConfinedCommand, failureOf } from './confined.ts'
import { bytesOfAll } from './file-name.ts'
import { CHECK_OUT_AGAIN, smudge } from './filters.ts'
import { GIT_IN_SHELL, GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { layIn } from './prepared-files.ts'
import { removeFolder } from './remove-folder.ts'
import { writeRepository } from './repository-files.ts'
import { ensureRunFolders, RUN_DIR } from './run-folder.ts'
import { throughStore } from './store.ts'
import { agentSettings, readUserSettings } from './user-settings.ts'
import { userRefs } from './working-repository.ts'

export interface CheckoutRequest {
  readonly ground: Ground
  /** The user's checkout. */
  readonly repo: string
  readonly branch: string
  readonly commit: string
  /** What setup made, as a folder; null where there is none. */
  readonly prepared: string | null
  /** What agents have left in the run's folder, to be read there. */
  readonly artifacts: Artifacts['kept']
  readonly confined: Confined
}

export interface CleanCheckout {
  readonly files: string
  /** The repository that its `.git` names. */
  readonly repository: string
  /** An empty folder to be at home in. */
  readonly home: string
  /** What was laid into its run's folder. */
  readonly artifacts: Artifacts['kept']
  readonly remove: () => Promise<void>
}

export async function makeCleanCheckout(request: CheckoutRequest): Promise<CleanCheckout> {
  const { ground, repo, prepared, artifacts, confined } = request
  const dir = join(ground.checkouts, randomUUID())
  const checkout = {
    files: join(dir, 'files'),
    repository: join(dir, 'repository.git'),
    home: join(dir, 'home'),
    artifacts,
    remove: () => removeFolder(dir),
  }
  try {
    await mkdir(checkout.files, { recursive: true, mode: 0o700 })
    await mkdir(checkout.home)
    await makeRepository(request, checkout.repository)
    if (prepared !== null) await layIn({ ground, from: prepared, to: checkout.files, confined })
    await checkOutCommit(request, checkout)
    await writeFile(join(checkout.files, '.git'), `gitdir: ${checkout.repository}\n`, { flag: 'wx' })
    await bringFiles({ ground, repo, to: checkout.files })
    await layArtifacts(checkout.files, artifacts)
    return checkout
  } catch (error) {
    await checkout.remove()
    throw error
  }
}

/** What judgements before a crash left. */
export const clearCheckouts = ({ checkouts }: Ground): Promise<void> => removeFolder(checkouts)

async function makeRepository({ ground, branch, commit }: CheckoutRequest, dir: string): Promise<void> {
  const user = await readUserSettings(ground)
  const refs = await userRefs(ground)
  refs.set(`refs/heads/${branch}`, commit)
  await writeRepository({
    dir,
    bare: 'with files',
    settings: agentSettings(user),
    borrows: [join(ground.store, 'objects'), join(ground.userGitDir, 'objects')],
    branch,
    refs,
    user,
  })
}

/** By the store's settings. Confined: setup may have left anything. */
async function checkOutCommit(
  { ground, commit, confined }: CheckoutRequest,
  { files, repository }: CleanCheckout,
): Promise<void> {
  const index = join(repository, 'index')
  const env = { ...throughStore(ground).env, GIT_WORK_TREE: files, GIT_INDEX_FILE: index }
  const run = async (
    script: string,
    argument: string,
    more: Partial<ConfinedCommand> = {},
  ): Promise<void> => {
    const result = await confined({
      ground,
      writes: 'nothing',
      cwd: files,
      argv: ['sh', '-c', script, 'check-out', argument],
      env,
      ...more,
      also: { writable: [files, repository], ...more.also },
    })
    if (result.code !== 0)
      throw new GitFailure(`The commit ${commit} could not be checked out: ${failureOf(result)}`)
  }
  await run(`exec ${GIT_IN_SHELL} read-tree --reset -u "$1"`, commit)
  await smudge({
    ...{ ground, confined, tree: commit, root: files, env, reads: [repository], names: null },
    write: (names, { setting, readable }) =>
      run(CHECK_OUT_AGAIN, setting, {
        also: { readable },
        input: bytesOfAll(names.map((name) => `${name}\0`)),
      }),
  })
}

/** Into a folder that is ours alone: a commit could bring one with links that lead out of it. */
async function layArtifacts(files: string, artifacts: Artifacts['kept']): Promise<void> {
  const problem = await ensureRunFolders(files)
  if (problem !== null) throw new GitFailure(problem.problem)
  await removeFolder(join(files, RUN_DIR))
  await mkdir(join(files, RUN_DIR))
  for (const { name, bytes } of artifacts) {
    const file = join(files, RUN_DIR, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes, { flag: 'wx' })
  }
}
