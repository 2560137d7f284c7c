/** What waits, most costly delay first. Only the lines that can be seen are drawn, however many there are. */
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { signOfDecision } from '../../model/status-sign.ts'
import { useNow } from '../ui/now.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { clockText, durationText } from '../ui/time.ts'
import styles from './decision-list.module.css'
import { type ListLine, originOf } from './decision-list.view.ts'

export interface DecisionListProps {
  readonly cost: { readonly title: string; readonly under: string }
  readonly lines: readonly ListLine[]
  readonly selected: string | null
  /** Null: it is not filtered. */
  readonly filter: string | null
  readonly onFilter: (filter: string | null) => void
  readonly filterField: RefObject<HTMLInputElement | null>
}

const ROW_PX = 64
const HALF_MINUTE_MS = 30_000

export function DecisionList({ cost, lines, selected, filter, onFilter, filterField }: DecisionListProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  })
  const at = lines.findIndex(({ ids }) => selected !== null && ids.includes(selected))
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
  }, [at, rows])
  return (
    <section className={styles.pane} aria-label="What waits">
      <header className={styles.head}>
        <h2>{cost.title}</h2>
        <p>{cost.under}</p>
        {filter === null ? null : (
          <input
            ref={filterField}
            className={styles.filter}
            type="search"
            aria-label="Only those with these words"
            placeholder="Only those with these words"
            value={filter}
            onChange={(event) => onFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' && event.key !== 'Enter') return
              event.preventDefault()
              event.stopPropagation()
              event.currentTarget.blur()
              if (event.key === 'Escape' || filter === '') onFilter(null)
            }}
          />
        )}
      </header>
      <div ref={scroll} className={styles.scroll}>
        {lines.length === 0 && filter !== null && filter !== '' ? (
          <p className={styles.none}>Nothing that waits has these words.</p>
        ) : null}
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = lines[index]
            return line === undefined ? null : (
              <li key={line.row.id} aria-setsize={lines.length} aria-posinset={index + 1}>
                <DecisionLine line={line} top={start} isSelected={index === at} />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

function DecisionLine({
  line,
  top,
  isSelected,
}: {
  readonly line: ListLine
  readonly top: number
  readonly isSelected: boolean
}) {
  const { row, ids, isAsleep } = line
  const now = useNow(HALF_MINUTE_MS)
  return (
    <Link
      to="/inbox/$decision"
      params={{ decision: row.id }}
      search={true}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      data-selected={isSelected ? '' : undefined}
    >
      <StatusShape sign={signOfDecision(row, now)} />
      <span className={styles.headline}>
        <SafeText text={row.headline} />
        {ids.length > 1 ? <span className={styles.many}>×{ids.length}</span> : null}
      </span>
      <span className={styles.age}>
        {isAsleep ? `till ${clockText(row.snoozedUntil ?? 0, now)}` : durationText(now - row.openedAt)}
      </span>
      <span className={styles.origin}>
        <SafeText text={originOf(line)} />
      </span>
    </Link>
  )
}
