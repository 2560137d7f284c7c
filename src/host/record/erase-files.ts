/**
 * Takes a text out of files: overwritten where it stands, with as many letters, so that whoever appends to the file
 * meanwhile loses nothing. Agents write in some of these folders: they are gone through from open folder to open folder,
 * and no link is followed.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../workspace/file-error.ts'
import { type OpenFolder, openInside } from '../workspace/inside.ts'

export interface FileErasure {
  readonly spellings: readonly Buffer[]
  readonly mode: 'look' | 'erase'
}

export interface FoundFiles {
  /** In which it stands, or stood. */
  readonly files: string[]
  /** That have another name somewhere, and may be somebody else's: left as they are. */
  readonly shared: string[]
}

export async function eraseInFiles(roots: readonly string[], erasure: FileErasure): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], shared: [] }
  for (const root of roots) {
    const kind = await lstat(root).catch(() => null)
    if (kind?.isDirectory() === true) {
      const folder = await openInside(root, [])
      if (typeof folder !== 'string') await eraseInFolder(folder, root, { ...erasure, found })
    } else if (kind?.isFile() === true) {
      const folder = await openInside(dirname(root), [])
      if (typeof folder === 'string') continue
      await eraseInFile(folder.entry(basename(root)), root, { ...erasure, found })
      await folder.close()
    }
  }
  return found
}

async function eraseInFolder(
  folder: OpenFolder,
  path: string,
  erasure: FileErasure & { readonly found: FoundFiles },
): Promise<void> {
  for (const entry of await readdir(folder.path, { withFileTypes: true })) {
    const name = join(path, entry.name)
    if (entry.isDirectory()) {
      const inner = await folder.folder(entry.name)
      if (typeof inner !== 'string') await eraseInFolder(inner, name, erasure)
    } else if (entry.isFile()) await eraseInFile(folder.entry(entry.name), name, erasure)
  }
  await folder.close()
}

const PIECE = 4 * 1024 * 1024

/** Piece by piece, each looking back as far as the longest spelling may reach. */
async function eraseInFile(
  path: string,
  name: string,
  { spellings, mode, found }: FileErasure & { readonly found: FoundFiles },
): Promise<void> {
  const how = mode === 'look' ? constants.O_RDONLY : constants.O_RDWR
  const file = await open(path, how | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === '') throw error
    return null
  })
  if (file === null) return
  try {
    const { nlink } = await file.stat()
    const overlap = Math.max(...spellings.map(({ length }) => length)) - 1
    let isFound = false
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(PIECE), position: at })
      const piece = buffer.subarray(0, bytesRead)
      for (const { from, length } of placesIn(piece, spellings)) {
        isFound = true
        if (mode === 'erase' && nlink === 1) await file.write(Buffer.alloc(length, '*'), 0, length, at + from)
      }
      if (bytesRead < PIECE) break
      at += PIECE - overlap
    }
    if (isFound) (nlink === 1 ? found.files : found.shared).push(name)
  } finally {
    await file.close()
  }
}

function* placesIn(
  piece: Buffer,
  spellings: readonly Buffer[],
): Generator<{ readonly from: number; readonly length: number }> {
  for (const spelling of spellings)
    for (
      let from = piece.indexOf(spelling);
      from !== -1;
      from = piece.indexOf(spelling, from + spelling.length)
    )
      yield { from, length: spelling.length }
}
