/** What a run is, in three lines. */
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RunDetail } from '../../model/api/runs.ts'
import { signOfRun } from '../../model/status-sign.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusTag } from '../ui/status.tsx'
import { exactDurationText } from '../ui/time.ts'
import type { TimedEvent } from './axis.view.ts'
import { costText } from './cost.view.ts'
import { spentTime } from './moment.view.ts'
import styles from './run-head.module.css'

export interface RunHeadProps {
  readonly detail: RunDetail
  readonly events: readonly TimedEvent[]
  readonly now: number
  readonly others: readonly string[]
}

export function RunHead({ detail, events, now, others }: RunHeadProps) {
  const { row, placement } = detail
  const seconds = Math.floor(now / 1000) * 1000
  const { workingMs, waitingMs } = useMemo(() => spentTime(events, seconds), [events, seconds])
  return (
    <header className={styles.head}>
      <div className={styles.crumb}>
        <StatusTag sign={signOfRun(row)}>{wordOf(row)}</StatusTag>
        <span>{row.run}</span>
        <span>
          runbook{' '}
          <Link to="/runbooks/$name" params={{ name: row.name }}>
            <SafeText text={row.name} />
          </Link>
        </span>
        {row.issue === null ? null : (
          <span>
            issue <SafeText text={row.issue.id} />
          </span>
        )}
        {others.length === 0 ? null : <span>{others.join(', ')} looks at this too</span>}
      </div>
      <h1 className={styles.title}>
        <SafeText text={row.issue?.title ?? row.name} />
      </h1>
      <div className={styles.meta}>
        <span>
          branch <code>{placement.branch}</code>
        </span>
        <span>
          {exactDurationText(workingMs)} working
          {waitingMs > 0 ? `, ${exactDurationText(waitingMs)} waiting` : ''}
        </span>
        <span>{costText(row.usage)}</span>
        {row.extended ? <span>course changed by a person</span> : null}
        {row.discarded ? <span>discarded</span> : null}
      </div>
    </header>
  )
}

function wordOf({ status, end }: RunDetail['row']): string | undefined {
  return status === 'ended' ? (end ?? undefined) : undefined
}
