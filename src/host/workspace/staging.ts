/**
 * The worktree's files in the host's index. Never by `git add`: that would go into a submodule and run there what its
 * settings name. And from within the sandbox: git opens files by their names, and an agent can swap a folder for a link
 * between its look and its reading; what lies outside must not be there to be read.
 */
import { rm } from 'node:fs/promises'
import { broughtNames } from './brought.ts'
import { type FileChange, GITLINK } from './changes.ts'
import type { Confined, ConfinedResult } from './confined.ts'
import { bytesOfAll, namesOf, textOf } from './file-name.ts'
import { GIT_IN_SHELL, GitFailure, git, gitLine, gitOutput, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'
import { indexOf, inStore, throughStore } from './store.ts'

/**
 * Brings the index up to what lies in the worktree; what git ignores stays out. A repository of its own stands there as
 * one name, and is not looked into; gives back those that no submodule accounts for.
 */
async function stageAll(ground: Ground, confined: Confined): Promise<readonly string[]> {
  const run = onFiles(ground, confined)
  const { changes, others: found } = await lookAtFiles(run)
  // Whatever an ignore file of the worktree says of them.
  const lent = new Set(await broughtNames(ground))
  const others = found.filter((name) => !lent.has(name))
  const gone = changes.filter(({ meta }) => meta.endsWith(' D')).map(({ name }) => name)
  const changed = changes.filter(({ meta }) => !meta.endsWith(' D')).map(({ name }) => name)
  const take = (how: string, names: readonly string[]) =>
    names.length === 0
      ? ''
      : run(
          `exec ${GIT_IN_SHELL} update-index ${how} -z --stdin`,
          bytesOfAll(names.map((name) => `${name}\0`)),
        )
  // Out before in, so that a folder can take the place of a file.
  await take('--force-remove', gone)
  await take(TAKING, [...changed, ...others.filter((name) => !name.endsWith('/'))])
  const repositories = others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1))
  if (repositories.length === 0) return []
  const known = await submodulesOf(ground)
  await take(
    TAKING,
    repositories.filter((name) => known.has(name)),
  )
  const strange = repositories.filter((name) => !known.has(name))
  const length =
    (await gitLine(['rev-parse', '--show-object-format'], inStore(ground))) === 'sha256' ? 64 : 40
  const lines = strange.map((name) => `${GITLINK} ${'1'.repeat(length)}\t${name}\0`)
  await gitOutput(['update-index', '--replace', '-z', '--index-info'], {
    ...inStore(ground),
    input: bytesOfAll(lines),
  })
  return strange
}

/** What vanished meanwhile is taken out. */
const TAKING = '--add --remove --replace'

/** Repositories that no submodule accounts for: their files would be missing from the commit. */
export async function strangeRepositories(ground: Ground, changes: readonly FileChange[]): Promise<string[]> {
  const links = changes.filter(({ before, after }) => after?.mode === GITLINK && before?.mode !== GITLINK)
  if (links.length === 0) return []
  const known = await submodulesOf(ground)
  return links.map(({ name }) => name).filter((name) => !known.has(name))
}

/** Folders of Signalbox's own reach no commit, whatever a .gitignore says. */
const isOurs = (name: string): boolean =>
  name === '.signalbox/run' || name.startsWith('.signalbox/run/') || name === '.vibe/decision.json'

/** As .gitmodules names them: the one in the index, which is a file of its own and no link to another. */
async function submodulesOf(ground: Ground): Promise<Set<string>> {
  const args = ['config', '-z', '--blob', ':.gitmodules', '--get-regexp', '\\.path$']
  const listed = await git(args, inStore(ground))
  return new Set(namesOf(listed.stdout).map((line) => line.slice(line.indexOf('\n') + 1)))
}

type Run = (script: string, input?: Uint8Array) => Promise<string>

/** A shell script on the worktree, through the store's index. */
function onFiles(ground: Ground, confined: Confined): Run {
  return async (script, input = new Uint8Array()) => {
    const argv = ['sh', '-c', script]
    const result = await confined({
      ground,
      writes: 'store',
      argv,
      env: throughStore(ground).env ?? {},
      input,
    })
    if (result.code !== 0) throw new GitFailure(sentenceOf(['update-index'], told(result)))
    return textOf(result.stdout)
  }
}

/**
 * What differs from the index, and what is not in it. Both in one sandbox: to make one takes longer than either. What is
 * to be ignored in submodules is said explicitly: what a .gitmodules says would make git go into them.
 */
async function lookAtFiles(run: Run): Promise<{ readonly changes: Diff[]; readonly others: string[] }> {
  const diff = `${GIT_IN_SHELL} diff-files -z --raw --no-renames --ignore-submodules=dirty`
  const list = `${GIT_IN_SHELL} ls-files -z -o --exclude-standard`
  const text = await run(`${diff} && printf '\\0' && exec ${list}`)
  // No name is empty, so an empty one stands between the two.
  const [raw = '', listed = ''] = text.startsWith('\0') ? ['', text.slice(1)] : text.split(/\0\0(.*)/s, 2)
  return { changes: diffsOf(namesOf(raw)), others: namesOf(listed).filter((name) => !isOurs(name)) }
}

interface Diff {
  readonly meta: string
  readonly name: string
}

/** As git tells of changes: how each was and is, then its name. */
const diffsOf = (raw: readonly string[]): Diff[] =>
  raw.flatMap((meta, at) => (at % 2 === 0 ? [{ meta, name: raw[at + 1] ?? '' }] : []))

const told = ({ code, cutShort, stdout, stderr }: ConfinedResult) => ({
  code: code ?? 127,
  cutShort,
  stdout: textOf(stdout),
  stderr,
  truncated: false,
})

/** The index as this commit has it; what it knows of files that are the same is kept. */
export async function indexFrom(ground: Ground, commit: string): Promise<void> {
  const kept = await git(['read-tree', '-m', commit], inStore(ground))
  if (kept.code === 0) return
  await rm(indexOf(ground), { force: true })
  await gitOutput(['read-tree', commit], inStore(ground))
}

/** Everything in the worktree that git does not ignore, as a tree. */
export async function takeSnapshot(ground: Ground, confined: Confined): Promise<string> {
  const strange = await stageAll(ground, confined)
  // In a partial clone some of what did not change is elsewhere.
  const tree = await gitLine(['write-tree', '--missing-ok'], inStore(ground))
  if (strange.length > 0)
    // Only this tree names them: once they are plain folders, their files are to be seen.
    await gitOutput(['update-index', '--force-remove', '-z', '--stdin'], {
      ...throughStore(ground),
      input: bytesOfAll(strange.map((name) => `${name}\0`)),
    })
  return tree
}
