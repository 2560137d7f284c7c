/**
 * The chain of hashes through a stream: each event's hash covers the one before it, so an event cannot be changed or
 * taken out without breaking a link. It protects against accident and against quiet edits, not against somebody who
 * computes the whole chain anew.
 */
import { hash } from 'node:crypto'
import { FailureError } from '../model/failure.ts'
import { type EditedEvent, ERASURES, type Head, type Tombstones, textDigest } from './erasure.ts'
import type { NewEvent, StoredEvent, Tampering } from './journal.ts'
import { jsonText } from './json-text.ts'

/** What stands before the first event. */
export const CHAIN_START = ''

/** An event as it lies in the journal: its data is the exact text that was hashed. */
export interface ChainLink extends Omit<StoredEvent, 'data'> {
  readonly text: string
}

/** Names are written with their length, so that no two events have the same form. */
export function chainHash(previous: string, link: Omit<ChainLink, 'hash' | 'position'>): string {
  const { stream, version, type, at, text } = link
  return hash(
    'sha256',
    `${previous} ${version} ${at} ${type.length}:${type} ${stream.length}:${stream} ${text}`,
  )
}

export function storedEvent({
  position,
  stream,
  version,
  type,
  at,
  text,
  hash: own,
}: ChainLink): StoredEvent {
  return { position, stream, version, type, at, data: parsed(stream, version, text), hash: own }
}

function parsed(stream: string, version: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AlteredStreamError({
      stream,
      version,
      problem: 'The event is not the one that was written: it is no JSON.',
    })
  }
}

/** Where a tombstone will stand, before it does. */
export const tombstoneHead = (end: Pick<Head, 'version' | 'hash'>, { type, at, data }: NewEvent): Head => {
  const body = { stream: ERASURES, version: end.version + 1, type, at, text: jsonText(data) }
  return { stream: ERASURES, version: body.version, hash: chainHash(end.hash, body) }
}

export interface Chain {
  readonly stream: string
  /** What the journal knows of the stream apart from its events. */
  readonly head: { readonly version: number; readonly hash: string }
  readonly links: readonly ChainLink[]
  /** The event that is not where the one after it says; left out where each is found. */
  readonly lostAt?: number | null
  /** What was erased of an event, by its version. */
  readonly edited?: (version: number) => EditedEvent | undefined
  /** Hashes that events had at some time, by their versions. */
  readonly known?: ReadonlyMap<number, string>
}

const NOTHING_ERASED = (): undefined => undefined

/** The event is the one that was written, or what the journal itself left of it. */
export function isAsWritten(
  previous: string,
  link: ChainLink,
  edited: (version: number) => EditedEvent | undefined,
): boolean {
  if (chainHash(previous, link) === link.hash) return true
  const left = edited(link.version)
  if (left === undefined || left.fits === false || left.hash !== link.hash) return false
  // Tombstones of an older Signalbox cover the text alone.
  return left.leaves === undefined ? left.now === textDigest(link.text) : left.leaves === leftDigest(link)
}

/** Of all that is left of an event whose text was changed. */
export const leftDigest = (link: ChainLink): string => chainHash(link.hash, link)

/** Each link is held against the stored hash before it, so one edit is told once and not again for all that follows. */
export function brokenLinks({ stream, head, links, lostAt, edited, known }: Chain): Tampering[] {
  const broken: Tampering[] = []
  const tell = (version: number, problem: string) => broken.push({ stream, version, problem })
  let previous: Pick<ChainLink, 'version' | 'hash'> = { version: 0, hash: CHAIN_START }
  for (const link of links) {
    if (link.version !== previous.version + 1) {
      tell(previous.version + 1, missing(previous.version + 1, link.version - 1))
    } else if (!isAsWritten(previous.hash, link, edited ?? NOTHING_ERASED)) {
      tell(link.version, 'The event is not the one that was written: its hash does not fit.')
    }
    previous = link
  }
  if (previous.version < head.version) {
    tell(previous.version + 1, missing(previous.version + 1, head.version))
  } else if (previous.version > head.version) {
    tell(head.version + 1, `The stream should end at version ${head.version}, but events follow.`)
  } else if (previous.hash !== head.hash) {
    tell(head.version, 'The last event is not the one the stream ended with.')
  }
  // Where events are missing, so is the way to them.
  if (broken.length === 0 && typeof lostAt === 'number') broken.push(wayBackLost(stream, lostAt))
  return known === undefined || known.size === 0
    ? broken
    : [...broken, ...unlikeKnown({ stream, head, links, known })]
}

/** Events are found from the last one back; where each stands follows from the events, so it can be found anew. */
export const wayBackLost = (stream: string, version: number): Tampering => ({
  stream,
  version,
  problem: 'The way back to it is broken.',
  cure: 'rebuild',
})

/** A stream is not what was written to it; the message is for people and says what is wrong. */
export class AlteredStreamError extends FailureError {
  override readonly name = 'AlteredStreamError'

  constructor({ stream, version, problem, cure }: Tampering) {
    super(
      'altered',
      `The record of ${stream} was changed in the journal's store, so nothing goes on with it. Event ${version}: ${problem} ` +
        `${cure === 'rebuild' ? REBUILD : BACKUP}; signalbox doctor tells what else was changed.`,
    )
  }
}

/** Nothing can be made of it, though each of its events is the one that was written, or what an erasure left. */
export class UnusableStreamError extends FailureError {
  override readonly name = 'UnusableStreamError'

  constructor(stream: string, cause: unknown) {
    super(
      'altered',
      `Nothing can be made of the record of ${stream} any more, so nothing goes on with it: words were erased or changed that it needs. ` +
        `${BACKUP}, or take it away: signalbox erase --run or --decision. (${String(cause)})`,
    )
    this.cause = cause
  }
}

const REBUILD = 'If no event is missing, signalbox doctor --rebuild mends that'
const BACKUP = 'Put a copy of the database from a backup in its place'

/** The events of a stream that is whole; it throws where one is another than was written, or is missing. */
export function intactEvents(chain: Chain): StoredEvent[] {
  const [broken] = brokenLinks(chain)
  if (broken !== undefined) throw new AlteredStreamError(broken)
  return chain.links.map(storedEvent)
}

/** Held against what was known elsewhere: a chain that was computed anew, or cut with its head, fits only itself. */
function unlikeKnown({
  stream,
  head,
  links,
  known,
}: Chain & { known: ReadonlyMap<number, string> }): Tampering[] {
  const hashes = new Map(links.map((link) => [link.version, link.hash]))
  const last = lastOf(known)
  const cut =
    last > head.version
      ? [{ stream, version: head.version + 1, problem: `${missing(head.version + 1, last)} ${CUT}` }]
      : []
  const [changed] = [...known].filter(([version, hash]) => (hashes.get(version) ?? hash) !== hash)
  if (changed === undefined) return cut
  return [
    { stream, version: changed[0], problem: 'The event is another one than the one that was there.' },
    ...cut,
  ]
}

/** One by one: an anchor that has grown for years knows more than fits into a call. */
function lastOf(known: ReadonlyMap<number, string>): number {
  let last = 0
  for (const version of known.keys()) last = Math.max(last, version)
  return last
}

const CUT = 'The stream was cut, and made to look whole.'

/** A stream that was there and is not: taken away whole, unless its tombstone says that the journal did that. */
export function goneStream(
  stream: string,
  known: ReadonlyMap<number, string>,
  { removed }: Pick<Tombstones, 'removed'>,
): Tampering[] {
  const last = lastOf(known)
  const tombstone = removed(stream)
  const tell = (version: number, problem: string): Tampering[] => [{ stream, version, problem }]
  if (tombstone === undefined) return tell(1, `The whole stream is missing; it had at least ${last} events.`)
  if (last > tombstone.version) return tell(tombstone.version + 1, 'More was there than the tombstone says.')
  return (known.get(tombstone.version) ?? tombstone.hash) === tombstone.hash
    ? []
    : tell(tombstone.version, 'The tombstone speaks of another stream than the one that was there.')
}

const missing = (from: number, to: number): string =>
  from === to ? `Event ${from} is missing.` : `Events ${from} to ${to} are missing.`
