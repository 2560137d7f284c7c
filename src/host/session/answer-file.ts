/**
 * The file an agent answers in. It lies where the agent writes, so it may be anything: what is not a plain file of JSON
 * is malformed, with a text that says why, and never the same as no answer.
 *
 * Read first, then record what was read, then archive: whoever is killed in between reads the same answer again.
 */
import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { lstat, mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { RawAnswer } from '../../model/answer.ts'
import { firstCharacters } from '../../model/characters.ts'
import { EXCESS_TEXT, readJson } from '../../model/json-text.ts'
import { MISSING, readRegular } from '../workspace/artifacts.ts'
import { codeOf, isMissing } from '../workspace/file-error.ts'
import { openInside } from '../workspace/inside.ts'

const LONGEST_TEXT = 2000

interface Limits {
  readonly maxBytes: number
  readonly within: string
}

export async function readAnswerFile(path: string, limits: Limits): Promise<RawAnswer> {
  return (await readJsonFile(path, limits)).given
}

/** With the bytes as they were, where there were any to read. */
export async function readJsonFile(
  path: string,
  { maxBytes, within }: Limits,
): Promise<{ readonly given: RawAnswer; readonly bytes: Uint8Array | null }> {
  if (isAbsent(path)) return { given: { kind: 'nothing' }, bytes: null }
  const folder = await folderOf(path, within)
  if (folder === 'missing') return { given: { kind: 'nothing' }, bytes: null }
  if (folder === 'linked')
    return { given: malformed(path, 'a folder on the way to it is a link'), bytes: null }
  const read = await readRegular(folder.entry(basename(path)), maxBytes)
  await folder.close()
  if ('why' in read)
    return { given: read.why === MISSING ? { kind: 'nothing' } : malformed(path, read.why), bytes: null }
  return { given: jsonIn(path, read.bytes), bytes: read.bytes }
}

function jsonIn(path: string, bytes: Uint8Array): RawAnswer {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return malformed(path, 'it is not UTF-8 text')
  }
  if (text.trim() === '') return malformed(path, 'it is empty')
  const read = readJson(text)
  switch (read.kind) {
    case 'value':
      return read
    case 'excess':
      return malformed(path, `it is ${EXCESS_TEXT[read.excess]}`)
    case 'malformed':
      return { kind: 'malformed', text: firstCharacters(text, LONGEST_TEXT) }
  }
}

const malformed = (path: string, why: string): RawAnswer => ({
  kind: 'malformed',
  text: `(${basename(path)} was not read: ${why}. Write a regular file with JSON in it.)`,
})

/**
 * Takes the file out of the worktree, whatever it is, so that it can never be taken for a later answer. A regular file
 * goes to the record; gives back where it is there, or null if there was nothing to keep.
 */
export async function archiveAnswerFile(
  path: string,
  { record, within }: { readonly record: string; readonly within: string },
): Promise<string | null> {
  if (isAbsent(path)) return null
  const folder = await folderOf(path, within)
  // What lies behind a link is not the agent's answer, and not ours to move.
  if (typeof folder === 'string') return null
  try {
    await mkdir(record, { recursive: true, mode: 0o700 })
    const kept = join(record, `${randomUUID()}-${basename(path)}`)
    // Moved before it is judged, and not looked into: its agent may be at work in it.
    if (!(await moved(folder.entry(basename(path)), kept))) {
      await rename(folder.entry(basename(path)), folder.entry(`taken-${randomUUID()}`))
      return null
    }
    return (await lstat(kept)).isFile() ? kept : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  } finally {
    await folder.close()
  }
}

/**
 * Mostly there is nothing, and that is told at once, with whoever waits for an answer waiting. What is there is then looked
 * at from open folder to open folder, whatever this look met on the way.
 */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** False where it lies on another disk. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return false
    throw error
  }
}

function folderOf(path: string, within: string): ReturnType<typeof openInside> {
  const way = relative(within, dirname(path))
  if (way.startsWith('..')) throw new Error(`${path} is not in ${within}`)
  return openInside(
    within,
    way.split('/').filter((name) => name !== ''),
  )
}
