/** One board a flow: what is to be done, then its steps, then its ends; cards are runs. A card that is put elsewhere says first what that will do. */
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import type { StartDraft } from '../course/start.view.ts'
import { StartDialog } from '../course/start-dialog.tsx'
import { useProgram } from '../live/kept.ts'
import { useMe, useRepositories, useRuns } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { EmptyState, Page, ProblemState } from '../ui/page.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { flowsOf, type StartWish } from './board.view.ts'
import { BoardColumns } from './board-columns.tsx'
import styles from './board-screen.module.css'
import { MoveDialog } from './move-dialog.tsx'
import type { BoardPlace } from './place.ts'

export function BoardScreen() {
  const { flow } = useParams({ strict: false })
  const runs = useRuns()
  const { isOwner } = useMe()
  const known = useRepositories()
  if (runs.kind === 'problem') return <ProblemState problem={runs.problem.problem} />
  if (runs.kind === 'loading' || known.kind === 'loading')
    return (
      <Page title="Board">
        <Skeleton height={240} />
      </Page>
    )
  const flows = flowsOf(runs.value)
  const name = flow ?? flows[0] ?? null
  const repos = (valueIn(known) ?? []).map(({ repo }) => repo)
  if (name === null && (repos.length === 0 || !isOwner))
    return (
      <Page title="Board">
        <EmptyState title="No runs yet">
          <p>
            A board shows the runs of a flow. <code>signalbox run RUNBOOK</code> in a repository starts one;
            after <code>signalbox up</code> in a repository it can be started from here.
          </p>
        </EmptyState>
      </Page>
    )
  const rows = runs.value.filter((row) => row.name === name)
  return <FlowBoard key={name} name={name} flows={flows} rows={rows} all={runs.value} repos={repos} />
}

interface FlowBoardProps {
  /** Null: there is no run of any yet. */
  readonly name: string | null
  readonly flows: readonly string[]
  readonly rows: readonly RunRow[]
  readonly all: readonly RunRow[]
  /** Those in which runs can be started. */
  readonly repos: readonly string[]
}

function FlowBoard({ name, flows, rows, all, repos }: FlowBoardProps) {
  const place: BoardPlace = useSearch({ strict: false })
  const [latest] = rows
  const program = useProgram(latest?.program ?? null)
  const [moving, setMoving] = useState<{ readonly row: RunRow; readonly to: string } | null>(null)
  const [starting, setStarting] = useState<StartDraft | null>(null)
  const repo = place.repo ?? repos.find((each) => each === latest?.repo) ?? repos[0] ?? null
  const start = (on: StartWish): void => {
    if (repo === null) return
    // Its runbook where this board is of one of that repository.
    const runbook = rows.find((row) => row.repo === repo)?.runbook ?? ''
    setStarting({ dir: repo, runbook, on, base: '', vars: {} })
  }
  const waiting = rows.filter((row) => row.waiting > 0).length
  return (
    <Page title={name ?? 'Board'} under={<FlowLinks flows={flows} name={name} waiting={waiting} />}>
      {program === null && latest !== undefined ? (
        <Skeleton height={240} />
      ) : (
        <BoardColumns
          {...{ program, rows, all, repo, repos }}
          onMove={(row, to) => setMoving({ row, to })}
          onStart={start}
        />
      )}
      {moving === null ? null : <MoveDialog {...moving} program={program} onClose={() => setMoving(null)} />}
      {starting === null ? null : <StartDialog initial={starting} onClose={() => setStarting(null)} />}
    </Page>
  )
}

function FlowLinks({
  flows,
  name,
  waiting,
}: {
  readonly flows: readonly string[]
  readonly name: string | null
  readonly waiting: number
}) {
  return (
    <span className={styles.flows}>
      {waiting === 0
        ? 'Nobody waits for you.'
        : waiting === 1
          ? 'One waits for you.'
          : `${waiting} wait for you.`}
      {flows
        .filter((flow) => flow !== name)
        .map((flow) => (
          <Link key={flow} to="/board/$flow" params={{ flow }} search={{}}>
            <SafeText text={flow} />
          </Link>
        ))}
    </span>
  )
}
