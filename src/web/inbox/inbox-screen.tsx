/** What waits for a person, the one of it that is looked at, and the last answer along the foot. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListedDecision } from '../../model/api/decision-record.ts'
import { useActionList } from '../action/actions.tsx'
import type { DecisionList as DecisionListData } from '../live/decisions.ts'
import { useDecisions, useLive, useRuns } from '../live/live.tsx'
import { type Loaded, valueIn } from '../live/loaded.ts'
import { useIsNarrow } from '../ui/narrow.ts'
import { useNow } from '../ui/now.ts'
import { ProblemState } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { DecisionCard } from './decision-card.tsx'
import { DecisionList } from './decision-list.tsx'
import { costOf, type ListLine, linesOf, neighbourOf, nextAfter } from './decision-list.view.ts'
import { type Drafts, useDrafts } from './draft.ts'
import { FirstVisit, NothingWaits } from './empty-inbox.tsx'
import { type Go, useGo } from './go.ts'
import styles from './inbox-screen.module.css'
import { LastAnswer } from './last-answer.tsx'

const HALF_MINUTE_MS = 30_000

export function InboxScreen() {
  const list = useDecisions()
  const drafts = useDrafts()
  if (list.kind === 'problem') return <ProblemState problem={list.problem.problem} />
  return <Inbox list={list} drafts={drafts} />
}

function Inbox({ list, drafts }: { readonly list: Loaded<DecisionListData>; readonly drafts: Drafts }) {
  const now = useNow(HALF_MINUTE_MS)
  const { decision: selected = null } = useParams({ strict: false })
  const { filter, setFilter, isSpread, setSpread } = useListSearch()
  const data = valueIn(list)
  const pending = data?.pending ?? NONE
  const lines = useMemo(
    () => linesOf(pending, { filter: filter ?? '', now, isSpread }),
    [pending, filter, now, isSpread],
  )
  const go = useGo()
  const filterField = useRef<HTMLInputElement>(null)
  useNeighboursFetched(lines, selected)
  useFirstSelected({ isThere: data !== null, lines, selected, go })
  useListActions({ lines, selected, go, filterField, filter, setFilter, isSpread, setSpread })
  const isWhole = data?.isWhole ?? true
  const cost = useMemo(() => costOf(pending, { now, isWhole }), [pending, now, isWhole])
  const onDone = useCallback((ids: readonly string[]) => go(nextAfter(lines, ids), 'done'), [go, lines])
  return (
    <div className={`${styles.inbox} ${selected === null ? '' : styles.reading}`}>
      <h1 className="unseen">Inbox</h1>
      <div className={styles.list}>
        <DecisionList
          cost={data === null ? { title: 'Inbox', under: '' } : cost}
          lines={lines}
          selected={selected}
          filter={filter}
          onFilter={setFilter}
          filterField={filterField}
        />
      </div>
      <div className={styles.card}>
        {selected === null ? (
          <NothingSelected isThere={data !== null} lines={lines} />
        ) : (
          <DecisionCard key={selected} id={selected} lines={lines} drafts={drafts} onDone={onDone} />
        )}
      </div>
      <div className={styles.foot}>
        <LastAnswer recent={data?.recent ?? NONE} go={go} />
      </div>
      <Announced arrived={data?.arrived ?? null} />
    </div>
  )
}

const NONE: DecisionListData['pending'] = []

/** What the list is filtered by stands in the address. */
function useListSearch() {
  const navigate = useNavigate()
  const { q, each } = useSearch({ strict: false }) as { readonly q?: string; readonly each?: boolean }
  // What is typed stands at once; the address follows.
  const [filter, setTyped] = useState(q === undefined ? null : `${q}`)
  const change = useCallback(
    (next: { readonly q?: string | undefined; readonly each?: boolean | undefined }) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  )
  return {
    filter,
    setFilter: useCallback(
      (text: string | null) => {
        setTyped(text)
        change({ q: text ?? undefined })
      },
      [change],
    ),
    isSpread: each === true,
    setSpread: useCallback((isSpread: boolean) => change({ each: isSpread || undefined }), [change]),
  }
}

interface ListState {
  readonly lines: readonly ListLine[]
  readonly selected: string | null
  readonly go: Go
}

/** Where there is room for both, the first is looked at; nothing that comes later takes its place. */
function useFirstSelected({ isThere, lines, selected, go }: ListState & { readonly isThere: boolean }): void {
  const isNarrow = useIsNarrow()
  const first = lines[0]?.row.id ?? null
  useEffect(() => {
    if (isThere && !isNarrow && selected === null && first !== null) go(first, 'done')
  }, [isThere, isNarrow, selected, first, go])
}

/** The next card stands when its key is pressed. */
function useNeighboursFetched(lines: readonly ListLine[], selected: string | null): void {
  const { decisions } = useLive()
  useEffect(() => {
    if (selected === null) return
    for (const by of [1, -1] as const) {
      const next = neighbourOf(lines, selected, by)
      if (next !== null) decisions.record(next)
    }
  }, [decisions, lines, selected])
}

interface ListActionState extends ListState, ReturnType<typeof useListSearch> {
  readonly filterField: RefObject<HTMLInputElement | null>
}

function useListActions(state: ListActionState): void {
  const { lines, selected, go, filterField, filter, setFilter, isSpread, setSpread } = state
  useActionList(() => {
    const move = (by: -1 | 1) => () =>
      go(selected === null ? (lines[0]?.row.id ?? null) : neighbourOf(lines, selected, by))
    const group = 'Inbox'
    const available = lines.length > 0
    return [
      { id: 'inbox.next', label: 'Next decision', group, keys: ['j', 'ArrowDown'], available, run: move(1) },
      {
        id: 'inbox.previous',
        label: 'Decision before',
        group,
        keys: ['k', 'ArrowUp'],
        available,
        run: move(-1),
      },
      {
        id: 'inbox.group',
        label: isSpread ? 'Show those that ask the same as one' : 'Show each of those that ask the same',
        group,
        keys: ['g'],
        run: () => setSpread(!isSpread),
      },
      {
        id: 'inbox.filter',
        label: 'Only those with some words',
        group,
        keys: ['/'],
        run: () => {
          if (filter === null) flushSync(() => setFilter(''))
          filterField.current?.focus()
        },
      },
    ]
  }, [lines, selected, go, filterField, filter, setFilter, isSpread, setSpread])
}

function NothingSelected({
  isThere,
  lines,
}: {
  readonly isThere: boolean
  readonly lines: readonly ListLine[]
}) {
  const runs = useRuns()
  if (!isThere) return <Skeleton width="60%" height={28} />
  if (lines.length > 0) return null
  return runs.kind === 'there' && runs.value.length === 0 ? <FirstVisit /> : <NothingWaits />
}

/** Whoever hears the page hears what arrives. */
const Announced = ({ arrived }: { readonly arrived: ListedDecision | null }) => (
  <p className="unseen" role="status">
    {arrived === null ? '' : `A decision: ${arrived.headline}`}
  </p>
)
