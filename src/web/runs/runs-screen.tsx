/** The runs there are, latest first. */
import { Link } from '@tanstack/react-router'
import type { RunRow } from '../../model/api/runs.ts'
import { signOfRun } from '../../model/status-sign.ts'
import { useRuns } from '../live/live.tsx'
import { useNow } from '../ui/now.ts'
import { EmptyState, Page, ProblemState } from '../ui/page.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusShape } from '../ui/status.tsx'
import { durationText } from '../ui/time.ts'
import styles from './runs-screen.module.css'

export function RunsScreen() {
  const runs = useRuns()
  switch (runs.kind) {
    case 'problem':
      return <ProblemState problem={runs.problem.problem} />
    case 'loading':
      return (
        <Page title="Runs">
          <Skeleton height={32} />
        </Page>
      )
    case 'there':
      return <Page title="Runs">{runs.value.length === 0 ? <NoRuns /> : <RunList rows={runs.value} />}</Page>
  }
}

function RunList({ rows }: { readonly rows: readonly RunRow[] }) {
  const now = useNow()
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={row.run}>
          <Link to="/runs/$run" params={{ run: row.run }} className={styles.row}>
            <StatusShape sign={signOfRun(row)} />
            <span>
              <SafeText text={row.issue?.title ?? row.name} />{' '}
              <span className={styles.under}>
                <SafeText text={[row.run, row.name, row.step ?? row.end ?? ''].join(' · ')} />
              </span>
            </span>
            <span className={styles.under}>{durationText(now - row.startedAt)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function NoRuns() {
  return (
    <EmptyState title="No runs yet">
      <p>
        <code>signalbox run RUNBOOK</code> in a repository starts one.
      </p>
    </EmptyState>
  )
}
