/** One file of a project, and what is to become of it: planned first, then done whole or not at all. */
import { isUtf8 } from 'node:buffer'
import { lstatSync } from 'node:fs'
import { chmod, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Problem } from '../../host/workspace/problem.ts'
import { readBytes } from '../files.ts'
import type { EditedFile } from './edited-file.ts'

export interface Deed {
  readonly file: string
  readonly did: 'created' | 'replaced' | 'changed' | 'kept' | 'removed'
  readonly note: string
  /** Null where nothing is written. */
  readonly text: string | null
  /** What the user must do before it is of use. */
  readonly warning?: string
}

/** A link is replaced, never followed. */
export async function perform(repo: string, { file, text, did }: Deed): Promise<void> {
  const path = join(repo, file)
  if (did === 'removed') return remove(repo, file)
  if (text === null) return
  await mkdir(dirname(path), { recursive: true })
  if (did === 'created') return writeFile(path, text, { flag: 'wx' })
  const draft = `${path}.${process.pid}.new`
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => null,
  )
  try {
    await writeFile(draft, text, { flag: 'wx' })
    if (mode !== null) await chmod(draft, mode)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** With the folders that nothing else is in. */
async function remove(repo: string, file: string): Promise<void> {
  await rm(join(repo, file))
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const isGone = await rmdir(join(repo, folder)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}

/** What a file of the user's says, null where there is none. One behind a link is somebody else's, perhaps. */
export function textOfFile(repo: string, file: string): { readonly text: string | null } | Problem {
  const steps = file.split('/').map((_, index, parts) => join(repo, ...parts.slice(0, index + 1)))
  for (const path of steps) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return { text: null }
    if (found.isSymbolicLink()) return leftAlone(file, 'it is a link, or lies behind one')
  }
  const read = readBytes(join(repo, file))
  if (read.kind === 'unreadable') return leftAlone(file, `it ${read.why}`)
  if (!isUtf8(read.bytes)) return leftAlone(file, 'it is not UTF-8 text')
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes) }
}

const leftAlone = (file: string, why: string): Problem => ({
  problem: `${file} is left alone, and so is everything else: ${why}. Mend or remove it, then try again.`,
})

export const PRESENT = 'signalbox is in it'

/** What is to become of a file of the user's that something of ours is put into, or taken out of. */
export function deedOf(file: string, edited: EditedFile, { note }: Pick<Deed, 'note'>): Deed | Problem {
  switch (edited.kind) {
    case 'malformed':
      return leftAlone(file, edited.why)
    case 'kept':
      return { file, did: 'kept', note: edited.why, text: null }
    case 'present':
      return { file, did: 'kept', note: PRESENT, text: null }
    case 'absent':
      return { file, did: 'kept', note: 'nothing of signalbox is in it', text: null }
    case 'emptied':
      return { file, did: 'removed', note, text: null }
    case 'new':
      return { file, did: 'created', note, text: edited.text }
    case 'changed':
      return { file, did: 'changed', note, text: edited.text }
  }
}
