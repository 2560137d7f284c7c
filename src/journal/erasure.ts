/**
 * What the journal erased, and how that stays part of the record. An event whose text was changed keeps the hash it was
 * written with, so the chain goes on through it; that the text is another one by now is said by a tombstone: an event in
 * a stream of the journal's own, chained like any other. What no tombstone speaks of was not erased but tampered with.
 */
import { hash } from 'node:crypto'

/** The stream of tombstones. */
export const ERASURES = 'erasures'
export const ERASED = 'erased'

/** Where a stream ends. */
export interface Head {
  readonly stream: string
  readonly version: number
  readonly hash: string
}

export interface MovedHead extends Head {
  /** Of its last event. */
  readonly position: number
}

/** What was known of streams at some time, outside of the journal: hashes of events by their versions. */
export type KnownHashes = ReadonlyMap<string, ReadonlyMap<number, string>>

/** How far the journal's heads were written down outside of it, and under which hash. */
export interface AnchorNote {
  readonly lines: number
  readonly chain: string
  readonly position: number
  /** How long the file then was. */
  readonly bytes: number
}

/** What becomes of what is stored: null where nothing in it goes. */
export interface Edit {
  text(text: string): string | null
  bytes(bytes: Uint8Array): Uint8Array | null
}

/** Where alone an edit changes anything: whatever says the same elsewhere is somebody else's. */
export interface ErasureScope {
  readonly stream: string
  readonly versions: ReadonlySet<number>
  /** Digests of kept bytes. */
  readonly bytes: ReadonlySet<string>
  /** Changed only where they could not be made anew from the events. */
  readonly rows: readonly RowName[]
}

type RowName = { readonly model: string; readonly key: string }

export function isRowToEdit(
  row: RowName,
  { within, made }: { readonly within: ErasureScope | undefined; readonly made: readonly RowName[] },
): boolean {
  const isSame = ({ model, key }: RowName): boolean => model === row.model && key === row.key
  return within === undefined || (within.rows.some(isSame) && !made.some(isSame))
}

export interface EditedEvent {
  readonly stream: string
  readonly version: number
  /** Of the chain, as the event was written. */
  readonly hash: string
  /** Digest of the event as it stands there now: its stream, version, type, time and text. */
  readonly leaves?: string
  /** Of the text alone: how an older Signalbox said it. */
  readonly now?: string
  /** False: it was not the one that was written already before this. */
  readonly fits?: false
}

export interface ErasedBytes {
  readonly digest: string
  /** Digest of what was left of them; null where nothing was. */
  readonly now: string | null
  /** False: they were not the ones that were kept already before this. */
  readonly fits?: false
}

/** A tombstone. */
export interface Erasure {
  readonly events: readonly EditedEvent[]
  /** Where streams that were taken away had ended. */
  readonly streams: readonly Head[]
  readonly bytes: readonly ErasedBytes[]
  /** By whom, why and what else: for whoever ordered it. */
  readonly note: unknown
}

export interface StoredTombstone extends Erasure {
  readonly version: number
  readonly hash: string
  readonly at: number
}

export interface Tombstones {
  edited(stream: string, version: number): EditedEvent | undefined
  removed(stream: string): Head | undefined
  /** Digest of what is left of the bytes; null for nothing, undefined where they were not touched. */
  left(digest: string): string | null | undefined
  readonly count: number
}

export const textDigest = (text: string): string => hash('sha256', text)

/** Of what was erased twice, the last tombstone has the word. */
export function tombstonesOf(links: readonly { readonly type: string; readonly text: string }[]): Tombstones {
  const edited = new Map<string, EditedEvent>()
  const removed = new Map<string, Head>()
  const left = new Map<string, string | null>()
  for (const { type, text } of links) {
    const erasure = type === ERASED ? erasureIn(text) : null
    if (erasure === null) continue
    for (const event of erasure.events) edited.set(`${event.version} ${event.stream}`, event)
    for (const head of erasure.streams) removed.set(head.stream, head)
    for (const { digest, now, fits } of erasure.bytes) left.set(digest, fits === false ? null : now)
  }
  return {
    edited: (stream, version) => edited.get(`${version} ${stream}`),
    removed: (stream) => removed.get(stream),
    left: (digest) => left.get(digest),
    count: links.length,
  }
}

export const storedTombstones = (
  links: readonly (Pick<StoredTombstone, 'version' | 'hash' | 'at'> & {
    readonly type: string
    readonly text: string
  })[],
): StoredTombstone[] =>
  links.flatMap(({ version, hash, at, type, text }) => {
    const erasure = type === ERASED ? erasureIn(text) : null
    return erasure === null ? [] : [{ ...erasure, version, hash, at }]
  })

/** Null for what no journal wrote: it excuses nothing. */
function erasureIn(text: string): Erasure | null {
  try {
    const erasure = JSON.parse(text) as Erasure | null
    const parts = [erasure?.events, erasure?.streams, erasure?.bytes]
    return parts.every((part) => Array.isArray(part) && part.every(isObject)) ? erasure : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
