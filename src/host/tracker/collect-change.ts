/**
 * What a command changed of the issues it was given. All that it wrote may be hostile: only regular files count, by names that
 * issues can have, of a size that issues can have; and where anything else was done in their folder, nothing of it counts.
 */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { isIssueId } from '../../tracker/issue.ts'
import { type IssueTexts, signedByRun, whyNotByRun } from '../../tracker/run-change.ts'
import { collectArtifacts } from '../workspace/artifacts.ts'
import { someNames } from '../workspace/file-name.ts'
import { GitFailure, type GitOptions, gitLine } from '../workspace/git.ts'
import { type FileChanged, type IssueChange, idOfPath } from './issue-change.ts'
import { type IssueFiles, isRegular, type ListedFile, readBlobs, type TrackerPlace } from './issue-files.ts'

const LARGEST_FILE = 1024 * 1024
const LARGEST_ALTOGETHER = 64 * LARGEST_FILE
const MOST_FILES = 5000
const MOST_CHANGED = 500

export async function collectChange(
  { git, folders }: TrackerPlace,
  { laid, dir, run }: { readonly laid: IssueFiles; readonly dir: string; readonly run: string },
): Promise<IssueChange> {
  const found = new Map<string, Uint8Array>()
  const wrong: string[] = []
  /** What lies with the issues and is none, as a picture: too large to be looked at, and never kept. */
  const beside = new Set<string>()
  for (const folder of folders) {
    const { kept, refused } = await collectArtifacts({
      worktree: dir,
      dir: folder,
      maxBytes: LARGEST_FILE,
      maxFiles: MOST_FILES,
      totalBytes: LARGEST_ALTOGETHER,
    })
    for (const { name, bytes } of kept) found.set(`${folder}/${name}`, bytes)
    for (const { name, why } of refused)
      if (laid.has(`${folder}/${name}`) && !isNamed(name)) beside.add(`${folder}/${name}`)
      else wrong.push(`${someNames([`${folder}/${name}`])}: ${why}`)
  }
  const changed = [...found].filter(([path, bytes]) => idOf(bytes, laid) !== laid.get(path)?.id)
  for (const [path, bytes] of changed) {
    const why = whyNoIssue(path, { folders, bytes, before: laid.get(path) })
    if (why !== null) wrong.push(`${someNames([path])}: ${why}`)
  }
  const gone = [...laid].filter(
    ([path, file]) => isRegular(file) && !found.has(path) && !beside.has(path) && !isUnseen(path),
  )
  if (gone.length > 0 && wrong.length === 0)
    wrong.push(`${someNames(gone.map(([path]) => path))}: a run takes no issue away`)
  if (changed.length > MOST_CHANGED)
    wrong.push(`${changed.length} issues were changed; at most ${MOST_CHANGED} are at once`)
  const texts = wrong.length > 0 ? [] : await issueTexts(git, { changed, laid })
  for (const text of texts) {
    const why = whyNotByRun(text)
    if (why !== null) wrong.push(`${someNames([text.path])}: ${why}, and a run leaves what others wrote`)
  }
  if (wrong.length > 0) throw new GitFailure(`No change of an issue was kept. ${told(wrong)}`)
  const signed = new Map(texts.map((text) => [text.path, Buffer.from(signedByRun(text, run))]))
  return Promise.all(
    changed.map(([path, bytes]) => changeOf(git, { path, bytes: signed.get(path) ?? bytes, laid })),
  )
}

/** The index of a folder follows from its issues. */
async function issueTexts(
  git: GitOptions,
  {
    changed,
    laid,
  }: { readonly changed: readonly (readonly [string, Uint8Array])[]; readonly laid: IssueFiles },
): Promise<IssueTexts[]> {
  const issues = changed.filter(([path]) => idOfPath(path) !== null)
  const blobs = await readBlobs(
    git,
    issues.flatMap(([path]) => laid.get(path)?.id ?? []),
  )
  const textOf = (bytes: Uint8Array | undefined) =>
    bytes === undefined ? null : new TextDecoder().decode(bytes)
  return issues.map(([path, bytes]) => ({
    path,
    before: textOf(blobs.get(laid.get(path)?.id ?? '')),
    after: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  }))
}

/** What `collectArtifacts` passes over. */
const isUnseen = (path: string): boolean => path.endsWith('/.gitignore')

const told = (wrong: readonly string[]): string =>
  wrong.length > 5 ? `${wrong.slice(0, 5).join('; ')}; and ${wrong.length - 5} more.` : `${wrong.join('; ')}.`

function whyNoIssue(
  path: string,
  {
    folders,
    bytes,
    before,
  }: {
    readonly folders: readonly string[]
    readonly bytes: Uint8Array
    readonly before: ListedFile | undefined
  },
): string | null {
  const folder = folders.find((each) => path.startsWith(`${each}/`)) ?? ''
  const name = path.slice(folder.length + 1)
  if (!isNamed(name)) return 'it is no file of an issue'
  // Its text would become where the link leads.
  if (before !== undefined && !isRegular(before)) return 'a link stands there'
  return !isUtf8(bytes) || bytes.includes(0) ? 'it is not text' : null
}

const isNamed = (name: string): boolean =>
  name === 'README.md' || (name.endsWith('.md') && isIssueId(name.slice(0, -3)))

/** As git names a blob, without asking it. */
function idOf(bytes: Uint8Array, laid: IssueFiles): string {
  const [first] = laid.values()
  return createHash(first?.id.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
}

async function changeOf(
  git: GitOptions,
  { path, bytes, laid }: { readonly path: string; readonly bytes: Uint8Array; readonly laid: IssueFiles },
): Promise<FileChanged> {
  const before = laid.get(path) ?? null
  const id = await gitLine(['hash-object', '-w', '--no-filters', '--stdin'], { ...git, input: bytes })
  return { path, before, after: { mode: before?.mode ?? '100644', id } }
}
