/**
 * Streams of one kind and the one way into them: load, decide, append at the version that was seen; one command at a
 * time for each stream. What is kept in memory is a cache of the journal, thrown away whenever the two disagree. What
 * a stream is about, its `StreamKind` says; nothing here knows it.
 */
import type { Claim, Journal, NewEvent, Row, StoredEvent, Ticket } from '../../journal/index.ts'
import type { Refusal } from '../../model/refusal.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { ticketChange } from './ticket-change.ts'
import { usable } from './usable.ts'

export interface StreamKind<State, Command, Event extends DatedEvent> {
  readonly streamOf: (id: string) => string
  /** What these events make of it; null where there are none. */
  readonly fold: (events: readonly StoredEvent[]) => State | null | Promise<State | null>
  /** Pure: it is asked again when somebody else wrote in between. */
  readonly decide: (id: string, before: State | null, command: Command) => StreamDecided<State, Event>
  /** What the world should be doing about it now. */
  readonly ticketsOf: (id: string, state: State) => readonly Ticket[]
  /** Its lines in the lists, as far as they have changed. */
  readonly rowsOf: (id: string, state: State, before: State | null) => readonly Row[]
}

export interface DatedEvent {
  readonly type: string
  readonly at: number
}

export type StreamDecided<State, Event> =
  | { readonly state: State; readonly events: readonly Event[] }
  | { readonly refusal: Refusal }

export type Executed<State, Event> =
  | { readonly loaded: State; readonly events: readonly Event[] }
  | { readonly refusal: Refusal }
  /** Another worker has the duty now, or nobody: what was done about it does not count. */
  | { readonly lost: true }

/** Null where nothing was done. */
export const stateAfter = <State>(executed: Executed<State, unknown>): State | null =>
  'loaded' in executed ? executed.loaded : null

export interface Streams<State, Command, Event> {
  load(id: string): Promise<State | null>
  /** All of it or nothing. */
  execute(id: string, command: Command, alongside?: Alongside): Promise<Executed<State, Event>>
}

/** What is written in the same breath. */
export interface Alongside {
  /** What was claimed is done with this. */
  readonly settle?: Claim | null
  /** Bytes that the events name by their digest. */
  readonly keep?: readonly Uint8Array[]
}

interface Known<State> {
  readonly state: State
  readonly version: number
  readonly tickets: readonly Ticket[]
}

/** So many streams stay folded; the others are folded again when something happens to them. */
const MOST_CACHED = 512

export function createStreams<State, Command, Event extends DatedEvent>(
  journal: Journal,
  kind: StreamKind<State, Command, Event>,
): Streams<State, Command, Event> {
  const cache = new Map<string, Known<State>>()
  const inTurn = createKeyedMutex()
  // What was erased in the journal must not come back from here.
  let erasures = 0
  journal.onErase(() => {
    erasures++
    cache.clear()
  })

  function remember(id: string, known: Known<State>): void {
    cache.delete(id)
    cache.set(id, known)
    if (cache.size > MOST_CACHED) cache.delete(cache.keys().next().value!)
  }

  async function read(id: string): Promise<Known<State> | null> {
    const events = await journal.readIntact(kind.streamOf(id))
    const state = await kind.fold(events)
    if (state === null) return null
    const tickets = usable(kind.streamOf(id), () => kind.ticketsOf(id, state))
    const known = { state, version: events.length, tickets }
    remember(id, known)
    return known
  }

  const isBehind = async (id: string, { version }: Known<State>): Promise<boolean> =>
    (await journal.read(kind.streamOf(id), version)).length > 0

  /** Null: somebody else wrote in between. */
  async function append(
    id: string,
    before: Known<State> | null,
    { decided, settle = null, keep = [] }: Alongside & { readonly decided: Accepted<State, Event> },
  ): Promise<Executed<State, Event> | null> {
    const { state, events } = decided
    const erasuresBefore = erasures
    const tickets = events.length === 0 && before !== null ? before.tickets : kind.ticketsOf(id, state)
    const change = ticketChange(before?.tickets ?? [], tickets)
    const appended = await journal.append({
      stream: kind.streamOf(id),
      expected: before?.version ?? 0,
      events: events.map(stored),
      tickets: change.tickets,
      retire: settle === null ? change.retire : change.retire.filter((gone) => gone !== settle.ticket.id),
      settle,
      rows: events.length === 0 ? [] : kind.rowsOf(id, state, before?.state ?? null),
      ...(keep.length === 0 ? {} : { keep }),
    })
    if (appended.done) {
      if (erasures === erasuresBefore) remember(id, { state, version: appended.version, tickets })
      return { loaded: state, events }
    }
    cache.delete(id)
    return appended.reason === 'claim-lost' ? { lost: true } : null
  }

  return {
    // In turn: the journal tells of an append before the append's own caller has seen it.
    load: (id) => inTurn(id, async () => (cache.get(id) ?? (await read(id)))?.state ?? null),
    execute: (id, command, alongside = {}) =>
      inTurn(id, async () => {
        for (;;) {
          const cached = cache.get(id)
          const before = cached ?? (await read(id))
          const decided = kind.decide(id, before?.state ?? null, command)
          const isNothing =
            'refusal' in decided || (decided.events.length === 0 && (alongside.settle ?? null) === null)
          // What does not fit the state we remember, or changes nothing in it, may do so in the one there is.
          if (isNothing && cached !== undefined && (await isBehind(id, cached))) {
            cache.delete(id)
            continue
          }
          if ('refusal' in decided) return decided
          if (isNothing) return { loaded: decided.state, events: [] }
          const executed = await append(id, before, { decided, ...alongside })
          if (executed !== null) return executed
        }
      }),
  }
}

type Accepted<State, Event> = Exclude<StreamDecided<State, Event>, { readonly refusal: Refusal }>

const stored = (event: DatedEvent): NewEvent => ({ type: event.type, at: event.at, data: event })
