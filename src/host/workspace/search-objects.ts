/**
 * Which objects of repositories have a text, whether a ref leads to them or not. The user's repositories are asked through
 * the host's git. What an agent may have made is read in a sandbox.
 */
import { type Confined, failureOf } from './confined.ts'
import { bytesOf, textOf } from './file-name.ts'
import { GIT_IN_SHELL, type GitOptions, git, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { inStore } from './store.ts'

export type Holds = (bytes: Uint8Array) => boolean

export interface FoundInRepository {
  /** Refs that lead to it, in full; the first ones. */
  readonly refs: readonly string[]
  /** Some of it hangs on no ref that was looked at. */
  readonly isLoose: boolean
  /** What was not looked into, as a sentence; empty where everything was. */
  readonly unseen: string
}

/** Above it only what the refs of Signalbox lead to is looked into. */
const MAX_REPOSITORY_BYTES = 1024 ** 3
const MAX_BATCH_BYTES = 32 * 1024 ** 2
const MAX_OBJECT_BYTES = 256 * 1024 ** 2
const MAX_REFS = 200
const MAX_FOUND = 1000

/** Null: nothing of it, and everything was looked into. */
export async function searchUserRepository(gitDir: string, holds: Holds): Promise<FoundInRepository | null> {
  const at: GitOptions = {
    cwd: '/',
    env: { GIT_DIR: gitDir, GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' },
  }
  const whole = await git(
    ['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objectsize)'],
    at,
  )
  if (whole.code !== 0) return null
  const all = sized(whole.stdout)
  const isLarge = all.reduce((sum, { size }) => sum + size, 0) > MAX_REPOSITORY_BYTES
  const objects = isLarge
    ? await sizedOf(await reachableFrom(at, ['--glob=refs/heads/signalbox', '--glob=refs/signalbox']), at)
    : all
  const huge = objects.filter(({ size }) => size > MAX_OBJECT_BYTES)
  const found = new Set<string>()
  for (const batch of batches(objects.filter(({ size }) => size <= MAX_OBJECT_BYTES)))
    for (const { id, content } of await contents(batch, at)) if (holds(content)) found.add(id)
  const unseen = isLarge
    ? `Of ${gitDir} only what branches and refs of Signalbox have was looked into: all of it is larger than 1 GiB.`
    : huge.length > 0
      ? `${huge.length} objects of ${gitDir} are larger than 256 MiB and were not looked into.`
      : ''
  if (found.size === 0) return unseen === '' ? null : { refs: [], isLoose: false, unseen }
  return { ...(await refsTo(at, found)), unseen }
}

interface Sized {
  readonly id: string
  readonly size: number
}

const sized = (listed: string): Sized[] =>
  listed.split('\n').flatMap((line) => {
    const [id = '', size = ''] = line.split(' ')
    return /^\d+$/.test(size) ? [{ id, size: Number(size) }] : []
  })

async function sizedOf(ids: readonly string[], at: GitOptions): Promise<Sized[]> {
  const input = ids.map((id) => `${id}\n`).join('')
  return sized(await gitOutput(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { ...at, input }))
}

/** With the commits, trees and files of the commits that lead there. */
async function reachableFrom(at: GitOptions, from: readonly string[]): Promise<string[]> {
  const listed = await gitOutput(['rev-list', '--objects', ...from, '--'], at)
  return listed.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ', 1)[0]!]))
}

function* batches(objects: readonly Sized[]): Generator<Sized[]> {
  let batch: Sized[] = []
  let bytes = 0
  for (const object of objects) {
    if (batch.length > 0 && bytes + object.size > MAX_BATCH_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(object)
    bytes += object.size
  }
  if (batch.length > 0) yield batch
}

async function contents(batch: readonly Sized[], at: GitOptions) {
  const input = batch.map(({ id }) => `${id}\n`).join('')
  return parsed(bytesOfOutput(await gitOutput(['cat-file', '--batch', '--buffer'], { ...at, input })))
}

/** Between NULs each piece may or may not be UTF-8, see file-name.ts. */
const bytesOfOutput = (text: string): Buffer =>
  Buffer.concat(
    text.split('\0').flatMap((piece, nth) => (nth === 0 ? [bytesOf(piece)] : [ZERO, bytesOf(piece)])),
  )

const ZERO = Buffer.from([0])

/** As `cat-file --batch` writes them: a line with id, type and size, the content, a line end. */
function parsed(bytes: Buffer): { readonly id: string; readonly content: Buffer }[] {
  const objects: { id: string; content: Buffer }[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    if (end === -1) break
    const [id = '', , size = ''] = bytes.subarray(at, end).toString('latin1').split(' ')
    const length = /^\d+$/.test(size) ? Number(size) : null
    at = end + 1
    if (length === null) continue
    objects.push({ id, content: bytes.subarray(at, at + length) })
    at += length + 1
  }
  return objects
}

async function refsTo(
  at: GitOptions,
  found: ReadonlySet<string>,
): Promise<Pick<FoundInRepository, 'refs' | 'isLoose'>> {
  const names = (await gitOutput(['for-each-ref', '--format=%(refname)'], at))
    .split('\n')
    .filter((ref) => ref !== '')
  const ours = (ref: string): number => (/^refs\/(?:heads\/)?signalbox\//.test(ref) ? 0 : 1)
  const looked = names.sort((a, b) => ours(a) - ours(b)).slice(0, MAX_REFS)
  const wanted = new Set([...found].slice(0, MAX_FOUND))
  const hanging = new Set(wanted)
  const refs: string[] = []
  for (const ref of looked) {
    const here = (await reachableFrom(at, [ref])).filter((id) => wanted.has(id))
    if (here.length > 0) refs.push(ref)
    for (const id of here) hanging.delete(id)
  }
  return { refs, isLoose: hanging.size > 0 }
}

/** The objects that lie in each folder of that name below, whichever repository it belongs to. */
const READING = `
find "$@" -type d -name objects 2>/dev/null | while IFS= read -r dir; do
  (
    cd "$dir" || exit 0
    find . -path './??/*' -type f | sed -n 's|^\\./\\([0-9a-f][0-9a-f]\\)/\\([0-9a-f]\\{38,62\\}\\)$|\\1\\2|p'
    for each in pack/*.idx; do [ -e "$each" ] && ${GIT_IN_SHELL} show-index < "$each" | cut -d' ' -f2; done
  ) 2>/dev/null | GIT_OBJECT_DIRECTORY="$dir" ${GIT_IN_SHELL} cat-file --batch --buffer
done
`

/** Of a run's ground: the host's store, agents' and people's repositories, and what agents made in their files. Null: nothing. */
export async function searchGround(ground: Ground, holds: Holds, confined: Confined): Promise<string | null> {
  const roots = [ground.store, ground.agentRepo, ground.peopleRepo, ground.aside, ground.worktree]
  const result = await confined({
    ground,
    writes: 'nothing',
    also: { readable: [ground.peopleRepo, ground.aside] },
    cwd: ground.store,
    argv: ['sh', '-c', READING, 'search', ...roots],
    env: inStore(ground).env ?? {},
  })
  if (result.code === null)
    return `The repositories in ${ground.dir} were not looked into: ${failureOf(result)}`
  return parsed(result.stdout).some(({ content }) => holds(content))
    ? `The repositories of the run in ${ground.dir} have it in their objects.`
    : null
}

/** For names of refs. */
export const refText = (ref: string): string => textOf(bytesOf(ref)).replace(/^refs\/(?:heads|tags)\//, '')
