/** One file of a project, and what is to become of it: planned first, then done whole or not at all. */
import { isUtf8 } from 'node:buffer'
import type { Place } from '../../host/inside/place.ts'
import { kindInside, MAX_FILE_BYTES, readInside } from '../../host/inside/read-inside.ts'
import { removeInside, writeInside } from '../../host/inside/write-inside.ts'
import type { Problem } from '../../host/workspace/problem.ts'
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

/** Gives what was in the way of it. */
export async function perform(repo: string, { file, text, did }: Deed): Promise<Problem | null> {
  const place = placeOf(repo, file)
  if (did === 'removed') await removeInside(place)
  if (did === 'removed' || text === null) return null
  const existing = did === 'created' ? 'kept' : 'replaced'
  const written = await writeInside(place, { content: text, mode: 0o666, existing })
  if (written === 'written') return null
  return {
    problem: `${file} ${written === 'there' ? 'was written by another program just now' : written.why}.`,
  }
}

/** Why nothing can be done to this file. A file that is a link can be replaced; what lies behind one is another folder's. */
export function obstacleTo(repo: string, { file, text, did }: Deed): Problem | null {
  if (text === null && did !== 'removed') return null
  return kindInside(placeOf(repo, file)) === 'behind a link' ? leftAlone(file, 'it lies behind a link') : null
}

/** What a file of the user's says, null where there is none. One behind a link is somebody else's, perhaps. */
export function textOfFile(repo: string, file: string): { readonly text: string | null } | Problem {
  const read = readInside(placeOf(repo, file), { maxBytes: MAX_FILE_BYTES })
  if ('why' in read) return read.kind === 'missing' ? { text: null } : leftAlone(file, `it ${read.why}`)
  if (!isUtf8(read.bytes)) return leftAlone(file, 'it is not UTF-8 text')
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes) }
}

const placeOf = (repo: string, file: string): Place => ({ root: repo, names: file.split('/') })

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
