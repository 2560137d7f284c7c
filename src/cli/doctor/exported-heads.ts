/** Where the streams ended when somebody exported the decisions: what `doctor --against` reads. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { KnownHashes } from '../../journal/index.ts'
import type { RecordHeads } from '../../model/api/record.ts'

export interface ExportedHeads {
  readonly at: number
  readonly known: KnownHashes
}

/** The line of an export that speaks of the record, and of no decision. */
export const recordLine = (record: RecordHeads): { readonly record: RecordHeads } => ({ record })

export async function readExport(file: string): Promise<ExportedHeads | { readonly problem: string }> {
  let found: ExportedHeads | null = null
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8') }))
      found = headsIn(line) ?? found
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).` }
  }
  return found ?? { problem: `${file} is no export with heads in it: signalbox decision export writes one.` }
}

function headsIn(line: string): ExportedHeads | null {
  if (!line.startsWith('{"record":')) return null
  try {
    const { record } = JSON.parse(line) as { readonly record: RecordHeads }
    return {
      at: record.at,
      known: new Map(record.heads.map(({ stream, version, hash }) => [stream, new Map([[version, hash]])])),
    }
  } catch {
    return null
  }
}
