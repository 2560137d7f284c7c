/**
 * The file an agent answers in. It lies in the worktree, so it may be anything: what is not a plain file of JSON
 * is malformed, with a text that says why, and never the same as no answer.
 *
 * Read first, then record what was read, then archive: whoever is killed in between reads the same answer again.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { Given } from '../../model/answer.ts'
import { firstCharacters } from '../../model/characters.ts'
import { MISSING, readRegular } from './artifacts.ts'
import { codeOf, isMissing } from './file-error.ts'

const LONGEST_TEXT = 2000

interface Limits {
  readonly maxBytes: number
  readonly within: string
}

export async function readAnswerFile(path: string, limits: Limits): Promise<Given> {
  return (await readJsonFile(path, limits)).given
}

/** With the bytes as they were, where there were any to read. */
export async function readJsonFile(
  path: string,
  { maxBytes, within }: Limits,
): Promise<{ readonly given: Given; readonly bytes: Uint8Array | null }> {
  const way = await wayTo(path, within)
  if (way === 'missing') return { given: { kind: 'nothing' }, bytes: null }
  if (way === 'linked') return { given: malformed(path, 'a folder on the way to it is a link'), bytes: null }
  const read = await readRegular(path, maxBytes)
  if ('why' in read)
    return { given: read.why === MISSING ? { kind: 'nothing' } : malformed(path, read.why), bytes: null }
  return { given: jsonIn(path, read.bytes), bytes: read.bytes }
}

function jsonIn(path: string, bytes: Uint8Array): Given {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return malformed(path, 'it is not UTF-8 text')
  }
  if (text.trim() === '') return malformed(path, 'it is empty')
  try {
    return { kind: 'value', value: JSON.parse(text) }
  } catch {
    return { kind: 'malformed', text: firstCharacters(text, LONGEST_TEXT) }
  }
}

const malformed = (path: string, why: string): Given => ({
  kind: 'malformed',
  text: `(${basename(path)} was not read: ${why}. Write a regular file with JSON in it.)`,
})

/**
 * Takes the file out of the worktree, whatever it is, so that it can never be taken for a later answer. A regular file
 * goes to the record; gives back where it is there, or null if there was nothing to keep.
 */
export async function archiveAnswerFile(path: string, recordDir: string): Promise<string | null> {
  try {
    // What lies behind a link is not the agent's answer, and not ours to move.
    if (!(await lstat(dirname(path))).isDirectory()) return null
    if (!(await lstat(path)).isFile()) {
      await rm(path, { recursive: true, force: true })
      return null
    }
    await mkdir(recordDir, { recursive: true })
    const kept = join(recordDir, `${randomUUID()}-${basename(path)}`)
    await move(path, kept)
    return kept
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await rm(from, { force: true })
  }
}

/** Whether the folders between the worktree and the file are folders of the worktree. */
async function wayTo(path: string, within: string): Promise<'clear' | 'linked' | 'missing'> {
  const folder = relative(within, dirname(path))
  if (folder.startsWith('..')) throw new Error(`${path} is not in ${within}`)
  try {
    const expected = join(await realpath(within), folder)
    return (await realpath(dirname(path))) === expected ? 'clear' : 'linked'
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return 'linked'
    if (!isMissing(error)) throw error
    return 'missing'
  }
}
