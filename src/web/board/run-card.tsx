/** A run on a board: what it is about, who is at it, what it waits for. */
import { Link } from '@tanstack/react-router'
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import { signOfRun } from '../../model/status-sign.ts'
import { useNow } from '../ui/now.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { cardKey } from './board.view.ts'
import styles from './run-card.module.css'
import { cardTold } from './run-card.view.ts'

const EXACT_MS = 5_000

export interface RunCardProps {
  readonly row: RunRow
  readonly program: Program
  /** What it asks a person first; null: nothing. */
  readonly asks: string | null
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function RunCard({ row, program, asks, isChosen, onChoose }: RunCardProps) {
  const now = useNow(EXACT_MS)
  const { run, issue, name, status } = row
  const { facts, waits, left } = cardTold({ row, program, asks, now })
  return (
    <Link
      to="/runs/$run"
      params={{ run }}
      className={`${styles.card} ${row.waiting > 0 ? (styles.waits ?? '') : ''} ${isChosen ? (styles.chosen ?? '') : ''}`}
      draggable={status !== 'ended'}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', cardKey({ kind: 'run', row }))}
      onFocus={onChoose}
    >
      <span className={styles.title}>
        <StatusShape sign={signOfRun(row)} /> <SafeText text={issue?.title ?? name} />
      </span>
      {waits === null ? null : (
        <span className={styles.waitsFor}>
          <SafeText text={waits} />
        </span>
      )}
      <span className={styles.facts}>
        <SafeText text={facts.join(' · ')} />
      </span>
      {left.length === 0 ? null : (
        <span className={styles.facts}>
          <SafeText text={left.join(' · ')} />
        </span>
      )}
    </Link>
  )
}
