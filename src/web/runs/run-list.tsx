/** Runs as a list that reads like a table. */
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import { signOfRun } from '../../model/status-sign.ts'
import { useNow } from '../ui/now.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { durationText } from '../ui/time.ts'
import { folderName, headlineOf, placeText } from './runs.view.ts'
import styles from './runs-screen.module.css'

const MINUTE_MS = 60_000

export interface RunListProps {
  readonly rows: readonly RunRow[]
  readonly list: RefObject<HTMLUListElement | null>
}

export function RunList({ rows, list }: RunListProps) {
  return (
    <>
      <div className={`${styles.row} ${styles.names}`} aria-hidden="true">
        <span />
        <span>Run</span>
        <span className={styles.place}>Where</span>
        <span className={styles.flow}>Runbook</span>
        <span className={styles.repo}>Repository</span>
        <span className={styles.cost}>USD</span>
        <span className={styles.age}>Began</span>
      </div>
      <ul ref={list} className={styles.list} aria-label="Runs">
        {rows.map((row) => (
          <li key={row.run} className={styles.item}>
            <RunLine row={row} />
          </li>
        ))}
      </ul>
    </>
  )
}

function RunLine({ row }: { readonly row: RunRow }) {
  const now = useNow(MINUTE_MS)
  const { run, name, repo, usage, startedAt } = row
  return (
    <Link to="/runs/$run" params={{ run }} className={styles.row}>
      <StatusShape sign={signOfRun(row)} />
      <span className={styles.title}>
        <SafeText text={headlineOf(row)} /> <span className={styles.id}>{run}</span>
      </span>
      <span className={styles.place}>
        <SafeText text={placeText(row)} />
      </span>
      <span className={styles.flow}>
        <SafeText text={name} />
      </span>
      <span className={styles.repo} title={repo}>
        <SafeText text={folderName(repo)} />
      </span>
      <span className={styles.cost}>{usage.costUsd > 0 ? usage.costUsd.toFixed(2) : ''}</span>
      <span className={styles.age}>{durationText(now - startedAt)}</span>
    </Link>
  )
}
