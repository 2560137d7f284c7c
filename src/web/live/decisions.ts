/**
 * The decisions that lie with people, and the records of those that were looked at. What the host says is the truth; what a person just did is shown
 * at once on top of it, folded by the engine's own function, and taken back if the host refuses it.
 */
import { evolveRecord } from '../../engine/decision-book.ts'
import { decisionRow } from '../../engine/decision-row.ts'
import type { DecisionPage, ListedDecision } from '../../model/api/decision-record.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { isPending } from '../../model/decision-record.ts'
import { delayRank } from '../../model/delay.ts'
import type { QuestionEvent } from '../../model/event.ts'
import { type Ask, type HostProblem, isProblem } from './ask.ts'
import { concernOf } from './concern.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { createRefresh } from './refresh.ts'
import { createStore, type Store } from './store.ts'
import type { Stream } from './stream.ts'

export interface DecisionList {
  /** What waits, most costly delay first; snoozed ones too. */
  readonly pending: readonly ListedDecision[]
  /** What was decided last, latest first: for following an answer until it was acted on. */
  readonly recent: readonly ListedDecision[]
  /** Whether these are all that wait. */
  readonly isWhole: boolean
  readonly problem: HostProblem | null
}

export interface LiveDecisions {
  readonly list: Store<Loaded<DecisionList>>
  /** The whole record; fetched when it is first asked for. */
  record(id: string): Store<Loaded<DecisionRecord>>
  /** Shows what an act will make of a decision, does it, and takes it back where it is refused. */
  attempt(act: DecisionAct): Promise<HostProblem | null>
}

export interface DecisionAct {
  readonly id: string
  /** What the journal will say, if it is taken; null: wait for it. */
  readonly expected: ((record: DecisionRecord) => QuestionEvent) | null
  readonly send: () => Promise<unknown>
}

const PENDING = 'pending' as const
const FIRST_PAGE = 100
const PAGE = 500
const RECENT = 8

export function openDecisions(ask: Ask, stream: Stream): LiveDecisions {
  const list = createStore<Loaded<DecisionList>>(LOADING)
  const records = new Map<string, Store<Loaded<DecisionRecord>>>()
  const rows = new Map<string, ListedDecision>()
  /** What was done here and is not yet told by the host. */
  const expected = new Map<string, DecisionRecord>()
  let recent: readonly ListedDecision[] = []
  let isWhole = false

  const publish = (): void => {
    const shown = [...rows.values()].map((row) => {
      const mine = expected.get(row.id)
      return mine === undefined ? row : listed(mine, row.group)
    })
    const pending = shown.filter(isPending).sort(byDelay)
    const mine = [...expected.values()]
      .filter((record) => !isPending(record))
      .map((record) => listed(record, 1))
    const ids = new Set(mine.map(({ id }) => id))
    const decided = [...mine, ...recent.filter(({ id }) => !ids.has(id))].sort(
      (one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0),
    )
    list.set({ kind: 'there', value: { pending, recent: decided.slice(0, RECENT), isWhole, problem: null } })
  }

  const keep = (record: DecisionRecord): void => {
    expected.delete(record.id)
    recordStore(record.id).set({ kind: 'there', value: record })
    const row = listed(record, rows.get(record.id)?.group ?? 1)
    if (isPending(record)) rows.set(record.id, row)
    else rows.delete(record.id)
    recent = recent.filter(({ id }) => id !== record.id)
    if (!isPending(record) && record.by !== null)
      recent = [row, ...recent]
        .sort((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0))
        .slice(0, RECENT)
  }

  const fetchOne = async (id: string): Promise<void> => {
    const record = await ask('GET /api/v1/decisions/{id}', { params: { id } })
    if (isProblem(record)) {
      if (recordStore(id).get().kind !== 'there') recordStore(id).set({ kind: 'problem', problem: record })
      return
    }
    keep(record)
    if (list.get().kind === 'there') publish()
  }

  const fetchAll = async (): Promise<void> => {
    const found = new Map<string, ListedDecision>()
    let cursor: string | null = null
    let isFirst = list.get().kind !== 'there'
    const closed = ask('GET /api/v1/decisions', { query: { status: 'closed', limit: RECENT } })
    do {
      const limit: number = isFirst ? FIRST_PAGE : PAGE
      const page: DecisionPage | HostProblem = await ask('GET /api/v1/decisions', {
        query: { status: PENDING, snoozed: true, limit, cursor },
      })
      if (isProblem(page)) {
        if (list.get().kind !== 'there') list.set({ kind: 'problem', problem: page })
        return
      }
      for (const row of page.rows) found.set(row.id, row)
      cursor = page.next
      if (isFirst) {
        // The first cards are there while the rest is on its way.
        isFirst = false
        for (const row of page.rows) rows.set(row.id, row)
        isWhole = cursor === null
        publish()
      }
    } while (cursor !== null)
    const decided = await closed
    if (!isProblem(decided)) recent = decided.rows.filter(({ by }) => by !== null)
    for (const id of rows.keys()) if (!found.has(id)) rows.delete(id)
    for (const [id, row] of found) rows.set(id, row)
    isWhole = true
    publish()
    for (const id of records.keys()) refresh.mark(id)
  }

  const refresh = createRefresh({ one: fetchOne, everything: fetchAll })

  stream.follow((event) => {
    if (event === null) return refresh.all()
    const { run, decision, touchesAllInRun } = concernOf(event)
    if (decision !== null) refresh.mark(decision)
    if (!touchesAllInRun || run === null) return
    for (const row of [...rows.values(), ...recent]) if (row.run === run) refresh.mark(row.id)
  })

  const recordStore = (id: string): Store<Loaded<DecisionRecord>> => {
    const known = records.get(id)
    if (known !== undefined) return known
    const made = createStore<Loaded<DecisionRecord>>(LOADING)
    records.set(id, made)
    return made
  }

  return {
    list,
    record: (id) => {
      const isNew = !records.has(id)
      const store = recordStore(id)
      if (isNew) refresh.mark(id)
      return store
    },
    attempt: async ({ id, expected: foretell, send }) => {
      const store = recordStore(id)
      const before = store.get()
      if (foretell !== null && before.kind === 'there') {
        const after = evolveRecord(before.value, foretell(before.value))
        expected.set(id, after)
        store.set({ kind: 'there', value: after })
        publish()
      }
      const answer = await send()
      const problem = isProblem(answer) ? answer : null
      if (problem !== null) {
        expected.delete(id)
        store.set(before)
        publish()
      }
      // What the host has now, also where it refused: it may have changed meanwhile.
      if (problem?.code !== 'host-away') await fetchOne(id)
      return problem
    },
  }
}

const listed = (record: DecisionRecord, group: number): ListedDecision => ({ ...decisionRow(record), group })

const byDelay = (one: ListedDecision, other: ListedDecision): number =>
  rankOf(other) - rankOf(one) || (one.id < other.id ? 1 : -1)

/** Rows never change, and a long list is put in order often. */
const ranks = new WeakMap<ListedDecision, number>()

function rankOf(row: ListedDecision): number {
  const known = ranks.get(row)
  if (known !== undefined) return known
  const rank = delayRank(row)
  ranks.set(row, rank)
  return rank
}
