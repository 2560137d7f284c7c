/** A run on a board: what it is about, who is at it, what it waits for. */
import { Link } from '@tanstack/react-router'
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import { signOfRun } from '../../model/status-sign.ts'
import { useNow } from '../ui/now.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { durationText } from '../ui/time.ts'
import { agentsAt } from './board.view.ts'
import styles from './run-card.module.css'

const MINUTE_MS = 60_000

export interface RunCardProps {
  readonly row: RunRow
  readonly program: Program
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function RunCard({ row, program, isChosen, onChoose }: RunCardProps) {
  const now = useNow(MINUTE_MS)
  const { run, issue, name, step, status, changedAt, usage, budgets } = row
  const isOver = status === 'ended'
  const facts = [
    step === null ? '' : agentsAt(program, step),
    isOver ? `${durationText(now - changedAt)} ago` : durationText(now - changedAt),
    usage.costUsd > 0 ? `${usage.costUsd.toFixed(2)} USD` : '',
    ...(isOver ? [] : Object.entries(budgets).map(([budget, left]) => `${budget} ${left}`)),
  ]
  return (
    <Link
      to="/runs/$run"
      params={{ run }}
      className={`${styles.card} ${row.waiting > 0 ? (styles.waits ?? '') : ''} ${isChosen ? (styles.chosen ?? '') : ''}`}
      draggable={!isOver}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', run)}
      onFocus={onChoose}
    >
      <span className={styles.title}>
        <StatusShape sign={signOfRun(row)} /> <SafeText text={issue?.title ?? name} />
      </span>
      <span className={styles.facts}>
        <SafeText text={[run, ...facts].filter((fact) => fact !== '').join(' · ')} />
      </span>
    </Link>
  )
}
