/** Decisions outside runs by their journal: the streams whose rules are `engine/decide-standalone.ts`. */
import {
  decideStandalone,
  evolveStandalone,
  type StandaloneCommand,
  type StandaloneEvent,
  type StandaloneState,
  standaloneDuties,
} from '../../engine/index.ts'
import type { Journal, Row, StoredEvent, Ticket } from '../../journal/index.ts'
import { createStreams, type StreamKind, type Streams } from '../streams/streams.ts'
import { usable } from '../streams/usable.ts'
import { rowsFor } from './rows.ts'

export type Standalones = Streams<StandaloneState, StandaloneCommand, StandaloneEvent>

const PREFIX = 'decision/'

export const isStandalone = (stream: string): boolean => stream.startsWith(PREFIX)
export const standaloneOf = (stream: string): string => stream.slice(PREFIX.length)

export const createStandalones = (journal: Journal): Standalones => createStreams(journal, STANDALONE)

const STANDALONE: StreamKind<StandaloneState, StandaloneCommand, StandaloneEvent> = {
  streamOf: (id) => `${PREFIX}${id}`,
  fold: foldStandalone,
  decide: (_id, before, command) => decideStandalone(before, command),
  ticketsOf: (_id, state) => ticketsFor(state),
  rowsOf: (_id, { record }, before) => rowsFor(record, before?.record ?? null),
}

const ticketsFor = (state: StandaloneState): Ticket[] =>
  standaloneDuties(state).map((duty) => {
    const { id, kind, dueAt } = duty
    return { id, stream: state.record.stream, kind, dueAt, data: duty }
  })

/** For `doctor`: what is to be done for it, from its events alone. */
export function standaloneTickets(events: readonly StoredEvent[]): Ticket[] {
  const state = foldStandalone(events)
  return state === null ? [] : ticketsFor(state)
}

function foldStandalone(events: readonly StoredEvent[]): StandaloneState | null {
  const [first] = events
  if (first === undefined) return null
  return usable(first.stream, () =>
    events.reduce<StandaloneState | null>(
      (state, { data }) => evolveStandalone(state, data as StandaloneEvent),
      null,
    ),
  )
}

/** For `doctor --rebuild`. */
export function standaloneRows(events: readonly StoredEvent[]): readonly Row[] {
  const state = foldStandalone(events)
  return state === null ? [] : rowsFor(state.record, null)
}
