/**
 * The anchor: where the streams ended, written down outside of the database, one batch a line, each line with a hash that
 * covers all lines before it. A database that was cut, swapped or computed anew no longer fits it. Lines are only added;
 * one that a crash broke off is passed over, for the next one goes on from the last that is whole.
 */
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AnchorNote, Head } from './erasure.ts'

export interface AnchorLine {
  readonly at: number
  /** Of the last event that was there. */
  readonly position: number
  readonly heads: readonly (readonly [stream: string, version: number, hash: string])[]
  /** What the database knew of lines that were no longer there when this one was written. */
  readonly lost?: AnchorNote
}

export interface AnchorRead {
  readonly lines: number
  readonly chain: string
  readonly position: number
  /** The time of the last line; null where there is none. */
  readonly lastAt: number | null
  /** Every hash that was written down, by stream and version. */
  readonly known: ReadonlyMap<string, ReadonlyMap<number, string>>
  /** Lines that do not go on from the one before them. */
  readonly broken: readonly number[]
  /** What was lost before a line was written. */
  readonly lost: readonly AnchorNote[]
  /** Whether the line that the database knows is the one that is there; null where there is none at that place. */
  readonly fitsNote: boolean | null
}

export const anchorLine = (
  previous: string,
  line: AnchorLine,
): { readonly text: string; readonly chain: string } => {
  const body = JSON.stringify(line)
  const chain = chainAfter(previous, body)
  return { text: `${JSON.stringify({ chain })} ${body}\n`, chain }
}

const chainAfter = (previous: string, body: string): string => hash('sha256', `${previous} ${body}`)

const WHOLE = /^\{"chain":"([0-9a-f]{64})"\} (\{.*\})$/

/** Read line by line: it may have grown for years. A file that is not there has no lines. */
export async function readAnchor(file: string, note: AnchorNote | null): Promise<AnchorRead> {
  const known = new Map<string, Map<number, string>>()
  const broken: number[] = []
  const lost: AnchorNote[] = []
  let [lines, chain, position] = [0, '', 0]
  let lastAt: number | null = null
  let fitsNote: boolean | null = null
  for await (const text of linesOf(file)) {
    const [, own = '', body = ''] = WHOLE.exec(text) ?? []
    const line = parsed(body)
    if (line === null) continue
    lines++
    if (chainAfter(chain, body) !== own) broken.push(lines)
    chain = own
    position = line.position
    lastAt = line.at
    if (line.lost !== undefined) lost.push(line.lost)
    if (note !== null && note.lines === lines) fitsNote = note.chain === own
    for (const [stream, version, own] of line.heads) {
      const hashes = known.get(stream) ?? new Map<number, string>()
      known.set(stream, hashes.set(version, own))
    }
  }
  return { lines, chain, position, lastAt, known, broken, lost, fitsNote }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8')
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function parsed(body: string): AnchorLine | null {
  try {
    const line = JSON.parse(body) as AnchorLine
    return Array.isArray(line.heads) ? line : null
  } catch {
    return null
  }
}

export const headEntry = ({ stream, version, hash: own }: Head): AnchorLine['heads'][number] => [
  stream,
  version,
  own,
]
