/**
 * Takes a text out of files: overwritten where it stands, with as many letters, so that whoever appends to the file
 * meanwhile loses nothing. Agents write in some of these folders: see the walk for how they are gone through.
 *
 * What it gives back is what this pass did. A pass that erased nothing is a look at what remains.
 */
import type { Stats } from 'node:fs'
import { type FileHandle, lstat } from 'node:fs/promises'
import { codeFrom, isAway } from '../workspace/file-error.ts'
import { walkFiles } from '../workspace/file-walk.ts'
import { openToRead, openToWrite, type RawPath } from '../workspace/open-anyway.ts'

export interface FileErasure {
  readonly spellings: readonly Buffer[]
  readonly mode: 'look' | 'erase'
}

export interface FileFindings {
  /** In which it stands, or was overwritten. */
  readonly files: readonly string[]
  /** Where it stays, and where it may stand unseen: in sentences. */
  readonly remains: readonly string[]
}

export async function eraseInFiles(roots: readonly string[], erasure: FileErasure): Promise<FileFindings> {
  const files: string[] = []
  const remains: string[] = []
  let untold = 0
  const piece = Buffer.alloc(Math.max(PIECE, 2 * longest(erasure.spellings)))
  for (const root of roots)
    for await (const { name, became } of eraseBelow(root, { ...erasure, piece }))
      if (became === 'found') files.push(name)
      else if (remains.length < MOST_TOLD) remains.push(`${name} ${became}`)
      else untold += 1
  if (untold > 0) remains.push(`${untold} more files or folders still have it, or could not be looked into.`)
  return { files, remains }
}

const PIECE = 4 * 1024 * 1024

/** An agent can make as many as it likes. */
const MOST_TOLD = 500

interface Work extends FileErasure {
  readonly piece: Buffer
}

interface Outcome {
  readonly name: string
  /** `found`, or the end of a sentence about why it stays. */
  readonly became: string
}

async function* eraseBelow(root: string, work: Work): AsyncGenerator<Outcome> {
  const kind = await lstat(root).catch(() => null)
  if (kind?.isSymbolicLink() === true)
    yield { name: root, became: 'is a link, which was not followed. Name what it leads to with --also.' }
  else if (kind?.isFile() === true) {
    const became = await eraseInFile(root, work)
    if (became !== null) yield { name: root, became }
  } else if (kind?.isDirectory() === true)
    for await (const step of walkFiles(root))
      if (step.kind === 'file') {
        const became = await eraseInFile(step.path, work)
        if (became !== null) yield { name: step.name(), became }
      } else if (step.kind === 'unopened') yield { name: step.name, became: unseen(step.code) }
      else yield { name: step.name, became: 'was moved while it was looked through. Do this again.' }
}

const unseen = (code: string): string => `could not be looked into (${code}): it may have it.`
const unwritten = (code: string): string => `has it, and could not be overwritten (${code}).`
const SHARED = 'has it, and another name somewhere: it was left as it is.'
const HOLLOW = 'claims to be far larger than what lies on the disk: it was not looked into, and may have it.'

/** Null: it does not stand there, or the file is gone. */
async function eraseInFile(path: RawPath, work: Work): Promise<string | null> {
  const file = await openToRead(path).catch(codeFrom)
  if (typeof file === 'string') return isAway(file) ? null : unseen(file)
  const became = await eraseInOpen({ file, path }, work).catch((error: unknown) => unseen(codeFrom(error)))
  await file.close()
  return became
}

interface OpenFile {
  readonly file: FileHandle
  readonly path: RawPath
}

async function eraseInOpen(open: OpenFile, work: Work): Promise<string | null> {
  const stat = await open.file.stat()
  if (!stat.isFile()) return null
  if (isHollow(stat)) return HOLLOW
  const places = placesIn(open.file, work)
  if (work.mode === 'erase' && stat.nlink === 1) return overwrite(open, places)
  for await (const _ of places) return stat.nlink === 1 ? 'found' : SHARED
  return null
}

const HOLLOW_FROM = 4 * 1024 ** 3
const BLOCK = 512

/** Nothing of it need lie on the disk: reading it to its end could take for ever. */
const isHollow = ({ size, blocks }: Stats): boolean => size > HOLLOW_FROM && blocks * BLOCK < size / 64

async function overwrite({ file, path }: OpenFile, places: AsyncGenerator<Place>): Promise<string | null> {
  let writer: FileHandle | string | null = null
  try {
    for await (const place of places) {
      writer ??= await openToWrite(file, path).catch(codeFrom)
      const problem = typeof writer === 'string' ? writer : await writeOver(writer, place).catch(codeFrom)
      if (typeof problem === 'string') return unwritten(problem)
    }
    return writer === null ? null : 'found'
  } finally {
    if (writer !== null && typeof writer !== 'string') await writer.close()
  }
}

async function writeOver(writer: FileHandle, { from, length }: Place): Promise<void> {
  const stars = Buffer.alloc(length, '*')
  for (let written = 0; written < length; )
    written += (await writer.write(stars, written, length - written, from + written)).bytesWritten
}

interface Place {
  readonly from: number
  readonly length: number
}

/** Piece by piece, each looking back as far as the longest spelling may reach. */
async function* placesIn(file: FileHandle, { spellings, piece }: Work): AsyncGenerator<Place> {
  const overlap = longest(spellings) - 1
  for (let at = 0; ; at += piece.length - overlap) {
    const { bytesRead } = await file.read({ buffer: piece, position: at })
    const read = piece.subarray(0, bytesRead)
    for (const spelling of spellings)
      for (
        let from = read.indexOf(spelling);
        from !== -1;
        from = read.indexOf(spelling, from + spelling.length)
      )
        yield { from: at + from, length: spelling.length }
    if (bytesRead < piece.length) return
  }
}

const longest = (spellings: readonly Buffer[]): number => Math.max(...spellings.map(({ length }) => length))
