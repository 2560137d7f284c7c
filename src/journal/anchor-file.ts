/**
 * The anchor: where the streams ended, and which tombstones were ordered, written down outside of the database, one batch a
 * line, each with a hash that covers all lines before it. A database that was cut, swapped or computed anew no longer fits it. Lines are only added;
 * one that a crash broke off is passed over, for the next one goes on from the last that is whole.
 */
import { hash } from 'node:crypto'
import { FailureError } from '../model/failure.ts'
import { type AnchorNote, ERASURES, type Head } from './erasure.ts'
import { fileTrouble, linesIn } from './lines.ts'

export interface AnchorLine {
  readonly at: number
  /** Of the last event that was there. */
  readonly position: number
  readonly heads: readonly (readonly [stream: string, version: number, hash: string])[]
  /** Where a tombstone is about to stand; null in all other lines, left out by an older Signalbox. */
  readonly erasing?: readonly [version: number, hash: string] | null
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
  /** Hashes of tombstones that were announced before they were written, by their versions. */
  readonly announced: ReadonlyMap<number, ReadonlySet<string>>
  /** Up to here an older Signalbox wrote down tombstones, which it did not announce. */
  readonly vouchedTo: number
  /** Lines that are malformed, or do not go on from the one before them. */
  readonly broken: readonly number[]
  /** What was lost before a line was written. */
  readonly lost: readonly AnchorNote[]
  /** Whether the line that somebody knows is the one that is there; null where there is none at that place. */
  readonly fitsNote: boolean | null
}

/** A line that somebody knows: the database, or an export. */
export type AnchorMark = Pick<AnchorNote, 'lines' | 'chain'>

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

/** A file that is not there has no lines; one that cannot be read is an `AnchorFileError`. */
export async function readAnchor(file: string, mark: AnchorMark | null): Promise<AnchorRead> {
  const known = new Map<string, Map<number, string>>()
  const announced = new Map<number, Set<string>>()
  const broken: number[] = []
  const lost: AnchorNote[] = []
  let [lines, chain, position, vouchedTo] = [0, '', 0, 0]
  let lastAt: number | null = null
  let fitsNote: boolean | null = null
  for await (const text of linesOf(file)) {
    const [, own = '', body = ''] = WHOLE.exec(text) ?? []
    if (body === '') continue
    const line = parsed(body)
    lines++
    if (line === null || chainAfter(chain, body) !== own) broken.push(lines)
    chain = own
    if (mark !== null && mark.lines === lines) fitsNote = mark.chain === own
    if (line === null) continue
    position = line.position
    lastAt = line.at
    if (line.lost !== undefined) lost.push(line.lost)
    for (const [stream, version, own] of line.heads) {
      const hashes = known.get(stream) ?? new Map<number, string>()
      known.set(stream, hashes.set(version, own))
      if (stream === ERASURES && line.erasing === undefined) vouchedTo = Math.max(vouchedTo, version)
    }
    if (line.erasing != null) {
      const [version, own] = line.erasing
      announced.set(version, (announced.get(version) ?? new Set()).add(own))
    }
  }
  return { lines, chain, position, lastAt, known, announced, vouchedTo, broken, lost, fitsNote }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    yield* linesIn(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new AnchorFileError(file, 'read', error)
  }
}

/** The anchor cannot be used; the message is for people and says which file it is, and why. */
export class AnchorFileError extends FailureError {
  override readonly name = 'AnchorFileError'

  constructor(file: string, what: 'read' | 'written', cause: unknown) {
    super('altered', `The anchor ${file} cannot be ${what}: ${fileTrouble(cause)}.`)
    this.cause = cause
  }
}

function parsed(body: string): AnchorLine | null {
  try {
    const line = JSON.parse(body) as AnchorLine
    const { at, position, heads, erasing, lost } = line
    const isRight =
      isInstant(at) &&
      Number.isSafeInteger(position) &&
      Array.isArray(heads) &&
      heads.every(isHead) &&
      (erasing == null || isHead([ERASURES, ...erasing])) &&
      (lost === undefined || Number.isSafeInteger(lost.lines))
    return isRight ? line : null
  } catch {
    return null
  }
}

const isHead = (head: unknown): boolean =>
  Array.isArray(head) &&
  head.length === 3 &&
  typeof head[0] === 'string' &&
  Number.isSafeInteger(head[1]) &&
  head[1] > 0 &&
  typeof head[2] === 'string'

/** What a date can be made of. */
export const isInstant = (at: unknown): at is number =>
  typeof at === 'number' && !Number.isNaN(new Date(at).getTime())

export const headEntry = ({ stream, version, hash: own }: Head): AnchorLine['heads'][number] => [
  stream,
  version,
  own,
]
