/** The runs there are, latest first, and those of them that are wanted. */
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useRuns } from '../live/live.tsx'
import { EmptyState, Page, ProblemState } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunList } from './run-list.tsx'
import { isFiltered, shownRuns, underRuns } from './runs.view.ts'
import styles from './runs-screen.module.css'
import { useRunKeys } from './use-run-keys.ts'
import { useRunsFilter } from './use-runs-filter.ts'

export function RunsScreen() {
  const runs = useRuns()
  switch (runs.kind) {
    case 'problem':
      return <ProblemState problem={runs.problem.problem} />
    case 'loading':
      return (
        <Page title="Runs" under="…">
          <div className={styles.waiting}>
            {['88%', '74%', '81%', '66%', '70%'].map((width) => (
              <Skeleton key={width} height={20} width={width} />
            ))}
          </div>
        </Page>
      )
    case 'there':
      return (
        <Page title="Runs" under={underRuns(runs.value)}>
          {runs.value.length === 0 ? <NoRuns /> : <Runs rows={runs.value} />}
        </Page>
      )
  }
}

function Runs({ rows }: { readonly rows: readonly RunRow[] }) {
  const { filter, change } = useRunsFilter()
  const shown = useMemo(() => shownRuns(rows, filter), [rows, filter])
  const { field, list, clear } = useRunKeys({ filter, change })
  return (
    <>
      <RunFilters rows={rows} filter={filter} change={change} field={field} clear={clear} />
      {shown.length === 0 ? (
        <EmptyState title="No run is like that">
          <p>
            There {rows.length === 1 ? 'is one run' : `are ${rows.length} runs`}, and none of them fits all
            that is asked for above.
          </p>
          {isFiltered(filter) ? <ActionButton action={clear} /> : null}
        </EmptyState>
      ) : (
        <RunList rows={shown} list={list} />
      )}
    </>
  )
}

function NoRuns() {
  return (
    <EmptyState title="No runs yet">
      <p>
        <code>signalbox run RUNBOOK</code> in a repository starts one; <code>signalbox init</code> writes a
        first runbook into it.
      </p>
      <p>
        The <Link to="/inbox">inbox</Link> starts one for you to watch, with scripted agents.
      </p>
    </EmptyState>
  )
}
