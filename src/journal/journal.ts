/**
 * The journal: streams of events, tickets for what is to be done about them, read models and kept bytes.
 *
 * One verb changes anything that matters: `append` writes events at an expected version together with new tickets,
 * the settling of a claimed one, the read models' rows and the bytes they name, all or nothing. It resolves when that is durable;
 * where the disk does not take it, it rejects with a `StorageFailure`, nothing is written, and it can be asked again. None of
 * the words here is the domain's: what an event means is decided above.
 */
import type {
  AnchorNote,
  Edit,
  Erasure,
  ErasureScope,
  Head,
  KnownHashes,
  MovedHead,
  StoredTombstone,
} from './erasure.ts'

export interface NewEvent {
  readonly type: string
  readonly at: number
  /** Plain JSON; the whole event as its writer knows it. */
  readonly data: unknown
}

export interface StoredEvent extends NewEvent {
  /** Order over all streams; grows, without promise of being dense. */
  readonly position: number
  readonly stream: string
  /** 1 for the first event of a stream. */
  readonly version: number
  /** Of this event and the one before it in its stream. */
  readonly hash: string
}

export interface Ticket {
  /** Comes from what is to be done, so that a second ticket for it is recognised and ignored. */
  readonly id: string
  readonly stream: string
  readonly kind: string
  /** Nobody may claim it earlier. */
  readonly dueAt: number
  readonly data: unknown
}

/** The right to act on a ticket. A claim that was lost settles nothing. */
export interface Claim {
  readonly ticket: Ticket
  readonly token: string
}

/** One line of a read model. */
export interface Row {
  readonly model: string
  readonly key: string
  /** What lists are filtered by. */
  readonly facet: string
  /** What lists are ordered by. */
  readonly rank: number
  /** Null takes the row away. */
  readonly data: unknown
}

export interface Append {
  readonly stream: string
  /** The version the writer has seen; anything else in the journal refuses the append. */
  readonly expected: number
  readonly events: readonly NewEvent[]
  readonly tickets: readonly Ticket[]
  /** Ids of tickets nobody needs to act on any more; their claims are lost. */
  readonly retire: readonly string[]
  readonly settle: Claim | null
  readonly rows: readonly Row[]
  /** Bytes that the events name by their digest; left out where there are none. */
  readonly keep?: readonly Uint8Array[]
}

export type Appended =
  | { readonly done: true; readonly version: number; readonly position: number }
  | { readonly done: false; readonly reason: 'version' | 'claim-lost'; readonly version: number }

export interface ClaimRequest {
  readonly limit: number
  readonly now: number
  readonly leaseMs: number
  /** Only tickets of these kinds; null for all. */
  readonly kinds: readonly string[] | null
}

export interface ListRequest {
  readonly model: string
  readonly facet: string | null
  /** Rows ranked before this one (exclusive), for the next page; null for the first. */
  readonly before: { readonly rank: number; readonly key: string } | null
  readonly limit: number
}

export type Project = (stream: string, events: readonly StoredEvent[]) => Promise<readonly Row[]>

/** A row that is not what the events make of it. */
export interface RowDifference {
  readonly model: string
  readonly key: string
  /** Unaccounted: of no stream of which rows could be made. */
  readonly how: 'changed' | 'missing' | 'made up' | 'unaccounted'
}

export interface Rebuilt {
  /** Of how many streams rows were made. */
  readonly streams: number
  /** Those of which none could be: rows that no other stream made stay as they were. */
  readonly unmade: RowsUnlike['unmade']
}

export interface ErasureOrder {
  readonly at: number
  /** Streams that go whole, with the bytes that they alone name. */
  readonly streams: readonly string[]
  /** Null: nothing is changed in what stays. */
  readonly edit: Edit | null
  /** Left out: the edit changes whatever it fits, wherever that is. */
  readonly within?: ErasureScope
  /** Of streams whose events change, the rows are made anew; those of streams that go, go. */
  readonly project: Project
  /** By whom and why, for the tombstone. */
  readonly note: unknown
}

export interface Tampering {
  readonly stream: string
  readonly version: number
  readonly problem: string
  /** Where making anew what is derived from the events mends it. */
  readonly cure?: 'rebuild'
}

/** Bytes that an event names, and that are not there. */
export interface MissingBytes {
  readonly stream: string
  readonly version: number
  readonly digest: string
}

/** Rows held against the events. */
export interface RowsUnlike {
  readonly differences: readonly RowDifference[]
  /** Streams of which no rows could be made, so that theirs could not be looked at. */
  readonly unmade: readonly { readonly stream: string; readonly why: string }[]
}

export interface Journal {
  append(append: Append): Promise<Appended>
  /** A stream's events after a version (0 for all), in order. */
  read(stream: string, afterVersion: number): Promise<StoredEvent[]>
  /** All of a stream, held against its chain: nobody acts on what was changed in the store. Throws an `AlteredStreamError`. */
  readIntact(stream: string): Promise<StoredEvent[]>
  readAll(afterPosition: number, limit: number): Promise<StoredEvent[]>
  /** Told of each event once it is durable, in order. Gives back how to stop. */
  follow(listener: (events: readonly StoredEvent[]) => void): () => void

  /** Due tickets that nobody holds, earliest first. */
  claim(request: ClaimRequest): Promise<Claim[]>
  /** Holds on for longer; gives back the claims that are lost. */
  renew(claims: readonly Claim[], until: number): Promise<Claim[]>
  /** Gives a ticket back, to be claimed again no earlier than `dueAt`. */
  release(claim: Claim, dueAt: number): Promise<void>
  /** Told when there may be something new to claim, and of tickets that were retired. */
  watch(listener: (change: { readonly retired: readonly string[] }) => void): () => void
  /** When the earliest ticket that nobody holds is due, of these kinds or of any; null if there is none. */
  nextDueAt(kinds?: readonly string[]): Promise<number | null>
  ticketsOf(stream: string): Promise<Ticket[]>

  row(model: string, key: string): Promise<Row | null>
  /** Highest rank first; of equals, the highest key. */
  list(request: ListRequest): Promise<Row[]>
  /** Keys that begin so, at most `limit`: for ids by prefix. */
  keysWith(model: string, prefix: string, limit: number): Promise<string[]>
  count(model: string, facet: string): Promise<number>

  /** Bytes by their SHA-256, in hexadecimal. Keeping twice is keeping once. */
  keep(bytes: Uint8Array): Promise<string>
  /** Held against their digest: what was changed in the store is never given out, and throws a `KeptBytesError`. */
  fetch(digest: string): Promise<Uint8Array | null>
  /** How much room all of them take. */
  keptBytes(): Promise<number>

  /** Walks every stream's chain of hashes, and holds it against what was known elsewhere. */
  verify(known?: KnownHashes): Promise<Tampering[]>
  /** Digests of kept bytes that are not the ones that were kept. */
  alteredBytes(): Promise<string[]>
  /** Bytes that events name and that nobody erased, and that are not there. */
  missingBytes(namedIn: (event: StoredEvent) => readonly string[]): Promise<MissingBytes[]>
  /** Rows that are not what the events make of them. */
  rowsUnlike(project: Project): Promise<RowsUnlike>
  /** Oldest first, whatever else is wrong with their stream; what no journal wrote is none. */
  tombstones(): Promise<StoredTombstone[]>
  /** Where the streams end that have an event after this position. */
  heads(afterPosition: number): Promise<MovedHead[]>
  /** What `noteAnchor` was told last. */
  anchorNote(): Promise<AnchorNote | null>
  noteAnchor(note: AnchorNote): Promise<void>
  /** What an order would come to; nothing is changed. */
  wouldErase(order: ErasureOrder): Promise<Erasure>
  /** Takes bytes out of the store and leaves a tombstone, in one transaction. */
  erase(order: ErasureOrder): Promise<Erasure>
  /** Told before anything is erased, with where its tombstone will stand; if it throws, nothing is. */
  beforeErase(listener: (tombstone: Head) => Promise<void>): () => void
  /** Told when something was erased: whoever remembers what is stored must read it again. */
  onErase(listener: () => void): () => void
  /** Gives back the room of what was erased, so that none of its bytes are left in any file. False: somebody reads there. */
  compact(): Promise<boolean>
  /** Whether that is still to be done after an erasure; a journal that is opened or closed tries to. */
  isCompactionOwed(): Promise<boolean>
  /** Makes anew what is derived from the events: the way back through each stream, and all rows. */
  rebuild(project: Project): Promise<Rebuilt>
  /** Why nothing that is here will be found again, such as a file that was deleted; null where it will. */
  whyGone(): string | null
  close(): Promise<void>
}

/** What another process may do while the host writes: it sees whatever is committed, and changes nothing. */
export type JournalReader = Pick<
  Journal,
  | 'read'
  | 'readIntact'
  | 'readAll'
  | 'ticketsOf'
  | 'row'
  | 'list'
  | 'keysWith'
  | 'count'
  | 'fetch'
  | 'keptBytes'
  | 'verify'
  | 'alteredBytes'
  | 'missingBytes'
  | 'rowsUnlike'
  | 'tombstones'
  | 'heads'
  | 'anchorNote'
  | 'wouldErase'
  | 'close'
>
