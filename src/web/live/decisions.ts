/**
 * The decisions that lie with people, and the records of those that were looked at. What the host says is the truth; what a person just did is shown
 * at once on top of it, folded by the engine's own function, and taken back if the host refuses it.
 */
import { evolveRecord } from '../../engine/decision-book.ts'
import { decisionRow } from '../../engine/decision-row.ts'
import type { DecisionPage, ListedDecision } from '../../model/api/decision-record.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { isPending } from '../../model/decision-record.ts'
import type { QuestionEvent } from '../../model/event.ts'
import { type Ask, type HostProblem, isProblem } from './ask.ts'
import { concernOf } from './concern.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { createPendingList } from './pending-list.ts'
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
  /** What came last while somebody looked; null for nothing yet. */
  readonly arrived: ListedDecision | null
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
const AGAIN_MS = 2_000

export function openDecisions(ask: Ask, stream: Stream): LiveDecisions {
  const list = createStore<Loaded<DecisionList>>(LOADING)
  const records = new Map<string, Store<Loaded<DecisionRecord>>>()
  /** As the host told them. */
  const rows = new Map<string, ListedDecision>()
  /** What was done here and is not yet told by the host. */
  const expected = new Map<string, DecisionRecord>()
  /** The one laid over the other. */
  const pending = createPendingList()
  /** What was told by itself while the whole list is on its way: that is newer. */
  const toldSince = new Set<string>()
  /** How often each was acted on here, and how many of those acts are on their way. */
  const acts = new Map<string, number>()
  const underWay = new Map<string, number>()
  let isListed = false
  let recent: readonly ListedDecision[] = []
  let isWhole = false
  let arrived: ListedDecision | null = null

  const place = (id: string): void => {
    const [mine, row] = [expected.get(id), rows.get(id)]
    const shown = mine === undefined ? row : listed(mine, row?.group ?? 1)
    if (shown !== undefined && isPending(shown)) pending.set(shown)
    else pending.delete(id)
  }

  const publish = (): void => {
    // Before that, nobody knows whether anything waits.
    if (!isListed) return
    const mine = [...expected.values()]
      .filter((record) => !isPending(record))
      .map((record) => listed(record, 1))
    const ids = new Set(mine.map(({ id }) => id))
    const decided = latestFirst([...mine, ...recent.filter(({ id }) => !ids.has(id))])
    list.set({
      kind: 'there',
      value: { pending: pending.all(), recent: decided, isWhole, arrived, problem: null },
    })
  }

  const keep = (record: DecisionRecord): void => {
    const { id } = record
    expected.delete(id)
    toldSince.add(id)
    recordStore(id).set({ kind: 'there', value: record })
    const row = listed(record, rows.get(id)?.group ?? 1)
    if (isWhole && isPending(record) && !rows.has(id)) arrived = row
    if (isPending(record)) rows.set(id, row)
    else rows.delete(id)
    place(id)
    recent = recent.filter((each) => each.id !== id)
    if (!isPending(record) && record.by !== null) recent = latestFirst([row, ...recent])
  }

  const fetchOne = async (id: string): Promise<void> => {
    const before = acts.get(id)
    const record = await ask('GET /api/v1/decisions/{id}', { params: { id } })
    // It may say what was there before the act: whoever acts looks again afterwards.
    if ((underWay.get(id) ?? 0) > 0 || acts.get(id) !== before) return
    if (isProblem(record)) {
      if (recordStore(id).get().kind !== 'there') recordStore(id).set({ kind: 'problem', problem: record })
      return
    }
    // What was asked for and what was told of it often say the same.
    const known = recordStore(id).get()
    const isNews = expected.has(id) || known.kind !== 'there' || !isSame(known.value, record)
    if (isNews) keep(record)
    else toldSince.add(id)
    if (isNews) publish()
  }

  const fetchAll = async (): Promise<void> => {
    const found = new Map<string, ListedDecision>()
    let cursor: string | null = null
    let isFirst = !isListed
    toldSince.clear()
    const closed = ask('GET /api/v1/decisions', { query: { status: 'closed', limit: RECENT } })
    do {
      const limit: number = isFirst ? FIRST_PAGE : PAGE
      const page: DecisionPage | HostProblem = await ask('GET /api/v1/decisions', {
        query: { status: PENDING, snoozed: true, limit, cursor },
      })
      if (isProblem(page)) {
        if (!isListed) notListed(page)
        return
      }
      for (const row of page.rows) found.set(row.id, row)
      cursor = page.next
      if (isFirst) {
        // The first cards are there while the rest is on its way.
        isFirst = false
        isWhole = cursor === null
        take(found)
        isListed = true
        publish()
      }
    } while (cursor !== null)
    const decided = await closed
    if (!isProblem(decided)) recent = latestFirst(decided.rows.filter(({ by }) => by !== null))
    for (const id of rows.keys())
      if (!found.has(id) && !toldSince.has(id)) {
        rows.delete(id)
        place(id)
      }
    take(found)
    isWhole = true
    publish()
    for (const id of records.keys()) refresh.mark(id)
  }

  /** A host that is away is told of elsewhere, and what is open stays on the page. */
  const notListed = (problem: HostProblem): void => {
    if (problem.code === 'host-away') setTimeout(() => refresh.all(), AGAIN_MS)
    else list.set({ kind: 'problem', problem })
  }

  const take = (found: ReadonlyMap<string, ListedDecision>): void => {
    for (const [id, row] of found) {
      if (toldSince.has(id)) continue
      rows.set(id, row)
      place(id)
    }
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
      // At once: somebody wants to read it, whatever else is on its way.
      if (isNew) void fetchOne(id)
      return store
    },
    attempt: async ({ id, expected: foretell, send }) => {
      const store = recordStore(id)
      const before = store.get()
      if (foretell !== null && before.kind === 'there') {
        const after = evolveRecord(before.value, foretell(before.value))
        expected.set(id, after)
        store.set({ kind: 'there', value: after })
        place(id)
        publish()
      }
      underWay.set(id, (underWay.get(id) ?? 0) + 1)
      const answer = await send()
      underWay.set(id, underWay.get(id)! - 1)
      acts.set(id, (acts.get(id) ?? 0) + 1)
      const problem = isProblem(answer) ? answer : null
      if (problem !== null) {
        expected.delete(id)
        store.set(before)
        place(id)
        publish()
      }
      // What the host has now, also where it refused: it may have changed meanwhile.
      const looked = fetchOne(id)
      if (problem?.code !== 'host-away') await looked
      return problem
    },
  }
}

const listed = (record: DecisionRecord, group: number): ListedDecision => ({ ...decisionRow(record), group })

const latestFirst = (decided: readonly ListedDecision[]): readonly ListedDecision[] =>
  decided.toSorted((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0)).slice(0, RECENT)

const isSame = (one: DecisionRecord, other: DecisionRecord): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
