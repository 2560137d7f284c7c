/**
 * Tickets held against the duties that follow from the events: one that somebody took out of the database is a duty that
 * nobody does. They are filed with the events, so each stream is looked at as it was at one version.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Journal, JournalReader, StoredEvent, Ticket } from '../../journal/index.ts'
import type { DecisionRow, DecisionStatus } from '../../model/decision-record.ts'
import { CLOSED, DECISIONS, PENDING } from '../inbox/rows.ts'
import { isStandalone, standaloneTickets } from '../inbox/standalones.ts'
import { isThreadStream, streamOfThread, THREADS, threadTickets } from '../notices/outbox.ts'
import { keptProgram } from './kept-program.ts'
import { foldRun } from './loaded-run.ts'
import { RUNS } from './projection.ts'
import { runTickets, streamOf } from './runs.ts'

export interface TicketsUnlike {
  readonly stream: string
  /** The version at which it was looked at. */
  readonly version: number
  /** Not there, or due at a time that nobody would have set. */
  readonly missing: readonly Ticket[]
  /** Of no duty, or due at such a time. */
  readonly odd: readonly string[]
}

type Reads = Pick<JournalReader, 'list' | 'readIntact' | 'ticketsOf' | 'fetch'>

/** Of what goes on. Streams that cannot be read are told of elsewhere. */
export async function ticketsUnlike(reader: Reads, now: number): Promise<TicketsUnlike[]> {
  const unlike: TicketsUnlike[] = []
  for (const stream of await streamsGoingOn(reader)) {
    const found = await unlikeIn(reader, stream, now).catch(() => null)
    if (found !== null) unlike.push(found)
  }
  return unlike
}

/** Files what is missing, and retires what is odd. Gives back of how many streams. */
export async function fileTickets(journal: Journal, now: number): Promise<number> {
  const unlike = await ticketsUnlike(journal, now)
  for (const { stream, version, missing, odd } of unlike)
    await journal.append({
      stream,
      expected: version,
      events: [],
      tickets: missing,
      retire: odd,
      settle: null,
      rows: [],
    })
  return unlike.length
}

const PAGE = 500

async function streamsGoingOn(reader: Reads): Promise<string[]> {
  const runs = await allRows(reader, RUNS, 'open')
  const closed = (await allRows(reader, DECISIONS, CLOSED)).filter(({ data }) =>
    MAY_BE_UNDELIVERED.has((data as DecisionRow).status),
  )
  const decisions = [...(await allRows(reader, DECISIONS, PENDING)), ...closed]
  const outside = decisions.map(({ data }) => (data as DecisionRow).stream).filter(isStandalone)
  const threads = await allRows(reader, THREADS, 'open')
  return [
    ...runs.map(({ key }) => streamOf(key)),
    ...outside,
    ...threads.map(({ key }) => streamOfThread(key)),
  ]
}

async function ticketsBy(
  reader: Reads,
  stream: string,
  events: readonly StoredEvent[],
): Promise<readonly Ticket[]> {
  if (isStandalone(stream)) return standaloneTickets(events)
  if (isThreadStream(stream)) return threadTickets(stream, events)
  return runTickets(await foldRun(events, (digest) => keptProgram(reader, digest)))
}

/** Off the list, while somebody outside may still have to be told. */
const MAY_BE_UNDELIVERED: ReadonlySet<DecisionStatus> = new Set(['answered', 'delivered', 'acknowledged'])

async function allRows(reader: Reads, model: string, facet: string) {
  const rows: Awaited<ReturnType<Reads['list']>> = []
  for (;;) {
    const page = await reader.list({ model, facet, before: rows.at(-1) ?? null, limit: PAGE })
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

/** What is tried again is due later than its duty says, by minutes or hours. */
const LONG_MS = 7 * 24 * 60 * 60_000
const MOST_LOOKS = 3

async function unlikeIn(reader: Reads, stream: string, now: number): Promise<TicketsUnlike | null> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const events = await reader.readIntact(stream)
    const wanted = await ticketsBy(reader, stream, events)
    const held = await reader.ticketsOf(stream)
    // A host may be at work.
    if ((await reader.readIntact(stream)).length !== events.length) continue
    const wantedBy = new Map(wanted.map((ticket) => [ticket.id, ticket]))
    const isRight = ({ id, kind, dueAt, data }: Ticket): boolean => {
      const ticket = wantedBy.get(id)
      if (ticket?.kind !== kind || !isDeepStrictEqual(data, filed(ticket.data))) return false
      return dueAt <= Math.max(ticket.dueAt, now) + LONG_MS
    }
    const right = new Set(held.filter(isRight).map(({ id }) => id))
    const missing = wanted.filter(({ id }) => !right.has(id))
    const odd = held.flatMap(({ id }) => (right.has(id) ? [] : [id]))
    return missing.length + odd.length === 0 ? null : { stream, version: events.length, missing, odd }
  }
  return null
}

/** As it is read again. */
const filed = (data: unknown): unknown => JSON.parse(JSON.stringify(data))
