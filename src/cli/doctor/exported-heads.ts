/** Where the streams ended when somebody exported the decisions: what `doctor --against` reads. */
import { type AnchorMark, fileTrouble, isInstant, type KnownHashes, linesIn } from '../../journal/index.ts'
import type { RecordHeads } from '../../model/api/record.ts'

export interface ExportedHeads {
  readonly at: number
  readonly known: KnownHashes
  /** How far the anchor went then. */
  readonly anchor: AnchorMark | null
}

/** The line of an export that speaks of the record, and of no decision. */
export const recordLine = (record: RecordHeads): { readonly record: RecordHeads } => ({ record })

export async function readExport(file: string): Promise<ExportedHeads | { readonly problem: string }> {
  let found: ExportedHeads | null = null
  try {
    for await (const line of linesIn(file)) {
      if (!line.startsWith('{"record":')) continue
      found = headsIn(line)
      if (found === null) return { problem: `${file} has a line about the record that no export has.` }
    }
  } catch (error) {
    return { problem: `${file} cannot be read: ${fileTrouble(error)}.` }
  }
  return found ?? { problem: `${file} is no export with heads in it: signalbox decision export writes one.` }
}

function headsIn(line: string): ExportedHeads | null {
  try {
    const { at, heads, anchor } = (JSON.parse(line) as { readonly record: RecordHeads }).record
    if (!isInstant(at) || !heads.every(isHead) || !isMark(anchor)) return null
    const known = new Map(heads.map(({ stream, version, hash }) => [stream, new Map([[version, hash]])]))
    return { at, known, anchor: anchor ?? null }
  } catch {
    return null
  }
}

const isHead = ({ stream, version, hash }: RecordHeads['heads'][number]): boolean =>
  typeof stream === 'string' && Number.isSafeInteger(version) && version > 0 && typeof hash === 'string'

/** Exports of an older Signalbox have none. */
const isMark = (mark: RecordHeads['anchor'] | undefined): boolean =>
  mark == null || (Number.isSafeInteger(mark.lines) && typeof mark.chain === 'string')
