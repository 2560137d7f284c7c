/**
 * The folder that issues are kept in. Its files are read and written from the opened folder, so that no link in it or on the
 * way to it leads elsewhere; a file is replaced whole or not at all, and only if it still says what was read.
 */
import { randomUUID } from 'node:crypto'
import { link, readdir, realpath, rename, stat, unlink } from 'node:fs/promises'
import { type IssueRefusal, isRefused, refuse } from '../../tracker/refusal.ts'
import { INDEX, type IssueProblem, issueIdOf } from '../../tracker/tracker.ts'
import { makeFolders } from '../inside/write-inside.ts'
import { MISSING, readRegular } from '../workspace/artifacts.ts'
import { codeFrom, codeOf, isMissing } from '../workspace/file-error.ts'
import { type OpenFolder, openInside } from '../workspace/inside.ts'
import { writeNew } from '../workspace/write-new.ts'

/** Without a word in the config, the first that has issues. */
export const ISSUE_FOLDERS = ['.signalbox/issues', 'TODO'] as const

/** Of one file. */
export const LARGEST_ISSUE = 1024 * 1024

export interface IssuePlace {
  readonly repo: string
  /** What the config names; null where it names none. */
  readonly configured: string | null
}

export interface FoundFolder {
  /** Relative to the repository. */
  readonly folder: string
  readonly isThere: boolean
}

export interface ReadFiles {
  readonly files: ReadonlyMap<string, string>
  readonly problems: readonly IssueProblem[]
}

export async function findFolder({ repo, configured }: IssuePlace): Promise<FoundFolder> {
  if (configured !== null) return { folder: configured, isThere: (await namesIn(repo, configured)) !== null }
  const found = await Promise.all(
    ISSUE_FOLDERS.map(async (folder) => ({ folder, names: await namesIn(repo, folder) })),
  )
  const used = found.find(({ names }) => names?.some((name) => issueIdOf(name) !== null))
  const there = used ?? found.find(({ names }) => names !== null)
  return { folder: there?.folder ?? ISSUE_FOLDERS[0], isThere: there !== undefined }
}

/** Within a repository, and nothing of git's. */
export const isIssueFolder = (path: string): boolean =>
  path.length <= 200 &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..') &&
  !/^\.git$/i.test(path.split('/')[0] ?? '')

/** Null where there is no such folder. One that is a link is none. */
async function namesIn(repo: string, folder: string): Promise<readonly string[] | null> {
  const opened = await openFolder(repo, folder)
  if (typeof opened === 'string') return null
  try {
    return await readdir(opened.path)
  } finally {
    await opened.close()
  }
}

export async function readFiles({ repo, folder }: { repo: string; folder: string }): Promise<ReadFiles> {
  const opened = await openFolder(repo, folder)
  if (typeof opened === 'string') return { files: new Map(), problems: linkedProblem(opened, folder) }
  try {
    const names = (await readdir(opened.path)).filter((name) => name === INDEX || issueIdOf(name) !== null)
    const files = new Map<string, string>()
    const problems: IssueProblem[] = []
    for (let at = 0; at < names.length; at += AT_A_TIME)
      await Promise.all(
        names.slice(at, at + AT_A_TIME).map(async (name) => {
          const read = await readText(opened, name)
          if ('text' in read) files.set(name, read.text)
          else if (read.why !== MISSING)
            problems.push({
              id: name.slice(0, -3),
              problem: `${folder}/${name} cannot be read: ${read.why}.`,
            })
        }),
      )
    return { files, problems }
  } finally {
    await opened.close()
  }
}

const AT_A_TIME = 64

const linkedProblem = (why: 'missing' | 'linked', folder: string): IssueProblem[] =>
  why === 'missing'
    ? []
    : [
        {
          id: folder,
          problem: `${folder} is a link, or no folder. Issues are read from a folder of the repository.`,
        },
      ]

/** What changed meanwhile is told as `changed`; then nothing more is written. */
export async function writeFiles(
  { repo, folder }: { readonly repo: string; readonly folder: string },
  {
    before,
    after,
  }: { readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> },
): Promise<'written' | 'changed' | IssueRefusal> {
  const opened = await makeFolder(repo, folder)
  if (isRefused(opened)) return opened
  const made: string[] = []
  try {
    // The index last: it speaks of the others.
    const names = [...after.keys()].toSorted((a, b) => Number(a === INDEX) - Number(b === INDEX))
    for (const name of names) {
      const [was, text] = [before.get(name), after.get(name) ?? '']
      if (
        was === undefined ? await created(opened, name, text) : await replaced(opened, { name, was, text })
      ) {
        if (was === undefined) made.push(name)
      } else {
        await Promise.all(made.map((each) => unlink(opened.entry(each))))
        return 'changed'
      }
    }
    return 'written'
  } catch (error) {
    if (codeOf(error) === '') throw error
    await Promise.all(made.map((each) => unlink(opened.entry(each)).catch(() => undefined)))
    return refuse('cannot-write', `${folder} cannot be written: ${(error as Error).message}`)
  } finally {
    await opened.close()
  }
}

async function makeFolder(repo: string, folder: string): Promise<OpenFolder | IssueRefusal> {
  try {
    const made = await makeFolders({ root: repo, names: folder.split('/') })
    return 'why' in made ? refuse('cannot-write', `${folder} ${made.why}.`) : made
  } catch (error) {
    codeFrom(error)
    return refuse('cannot-write', `${folder} cannot be made: ${(error as Error).message}`)
  }
}

async function created(folder: OpenFolder, name: string, text: string): Promise<boolean> {
  const draft = await drafted(folder, { name, text, mode: 0o666 })
  try {
    await link(draft, folder.entry(name))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
  }
}

async function replaced(
  folder: OpenFolder,
  { name, was, text }: { readonly name: string; readonly was: string; readonly text: string },
): Promise<boolean> {
  const now = await readText(folder, name)
  if (!('text' in now) || now.text !== was) return false
  const { mode } = await stat(folder.entry(name))
  const draft = await drafted(folder, { name, text, mode: mode & 0o777 })
  await rename(draft, folder.entry(name))
  return true
}

async function drafted(
  folder: OpenFolder,
  { name, text, mode }: { readonly name: string; readonly text: string; readonly mode: number },
): Promise<string> {
  const draft = folder.entry(`.${name}.${randomUUID()}`)
  await writeNew(draft, text, mode)
  return draft
}

async function readText(
  folder: OpenFolder,
  name: string,
): Promise<{ readonly text: string } | { readonly why: string }> {
  const read = await readRegular(folder.entry(name), LARGEST_ISSUE)
  if (!('bytes' in read)) return read
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes) }
  } catch {
    return { why: 'it is not UTF-8 text' }
  }
}

async function openFolder(repo: string, folder: string): Promise<OpenFolder | 'missing' | 'linked'> {
  try {
    return await openInside(await realpath(repo), folder.split('/'))
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}
