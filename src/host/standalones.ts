/** Decisions outside runs by their journal: load, decide, append, one command at a time for each. */
import {
  decideStandalone,
  evolveStandalone,
  type StandaloneCommand,
  type StandaloneEvent,
  type StandaloneState,
  standaloneDuties,
} from '../engine/index.ts'
import type { Claim, Journal, Row, StoredEvent, Ticket } from '../journal/index.ts'
import type { Refusal } from '../model/refusal.ts'
import { rowsFor } from './inbox/rows.ts'
import { createKeyedMutex } from './keyed-mutex.ts'

export interface Standalones {
  load(id: string): Promise<StandaloneState | null>
  execute(
    id: string,
    command: StandaloneCommand,
    settle?: Claim | null,
  ): Promise<{ readonly state: StandaloneState } | { readonly refusal: Refusal } | { readonly lost: true }>
}

const PREFIX = 'decision/'

export const isStandalone = (stream: string): boolean => stream.startsWith(PREFIX)
export const standaloneOf = (stream: string): string => stream.slice(PREFIX.length)

export function createStandalones(journal: Journal): Standalones {
  const inTurn = createKeyedMutex()
  const load = async (id: string): Promise<StandaloneState | null> =>
    foldStandalone(await journal.read(`${PREFIX}${id}`, 0))

  return {
    load,
    execute: (id, command, settle = null) =>
      inTurn(id, async () => {
        for (;;) {
          const before = await load(id)
          const decided = decideStandalone(before, command)
          if ('refusal' in decided) return decided
          const { state, events } = decided
          // A duty whose result changes nothing is done all the same.
          if (events.length === 0 && settle === null) return { state }
          const appended = await journal.append({
            stream: `${PREFIX}${id}`,
            expected: before?.version ?? 0,
            events: events.map((event) => ({ type: event.type, at: event.at, data: event })),
            ...ticketsBetween(before, state, settle),
            settle,
            rows: rowsFor(state.record, before?.record ?? null),
          })
          if (appended.done) return { state }
          if (appended.reason === 'claim-lost') return { lost: true } as const
        }
      }),
  }
}

function ticketsBetween(
  before: StandaloneState | null,
  after: StandaloneState,
  settle: Claim | null,
): { readonly tickets: readonly Ticket[]; readonly retire: readonly string[] } {
  const [had, has] = [before === null ? [] : standaloneDuties(before), standaloneDuties(after)]
  const { stream } = after.record
  return {
    tickets: has
      .filter(({ id }) => !had.some((duty) => duty.id === id))
      .map((duty) => ({ id: duty.id, stream, kind: duty.kind, dueAt: duty.dueAt, data: duty })),
    retire: had
      .filter(({ id }) => id !== settle?.ticket.id && !has.some((duty) => duty.id === id))
      .map(({ id }) => id),
  }
}

function foldStandalone(events: readonly StoredEvent[]): StandaloneState | null {
  return events.reduce<StandaloneState | null>(
    (state, { data }) => evolveStandalone(state, data as StandaloneEvent),
    null,
  )
}

/** For `doctor --rebuild`. */
export function standaloneRows(events: readonly StoredEvent[]): readonly Row[] {
  const state = foldStandalone(events)
  return state === null ? [] : rowsFor(state.record, null)
}
