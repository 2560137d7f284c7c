/** One board a flow: columns are its steps, cards are runs. A card that is put elsewhere says first what that will do. */
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import type { UserAction } from '../action/action.ts'
import { useActionList } from '../action/actions.tsx'
import { useProgram } from '../live/kept.ts'
import { useRuns } from '../live/live.tsx'
import { EmptyState, Page, ProblemState } from '../ui/page.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type BoardColumn, columnsOf, flowsOf } from './board.view.ts'
import styles from './board-screen.module.css'
import { MoveDialog } from './move-dialog.tsx'
import { RunCard } from './run-card.tsx'

export function BoardScreen() {
  const { flow } = useParams({ strict: false })
  const runs = useRuns()
  if (runs.kind === 'problem') return <ProblemState problem={runs.problem.problem} />
  if (runs.kind === 'loading')
    return (
      <Page title="Board">
        <Skeleton height={240} />
      </Page>
    )
  const flows = flowsOf(runs.value)
  const name = flow ?? flows[0]
  if (name === undefined)
    return (
      <Page title="Board">
        <EmptyState title="No runs yet">
          <p>
            A board shows the runs of a flow. <code>signalbox run RUNBOOK</code> in a repository starts one.
          </p>
        </EmptyState>
      </Page>
    )
  return <FlowBoard name={name} flows={flows} rows={runs.value.filter((row) => row.name === name)} />
}

interface FlowBoardProps {
  readonly name: string
  readonly flows: readonly string[]
  readonly rows: readonly RunRow[]
}

function FlowBoard({ name, flows, rows }: FlowBoardProps) {
  const program = useProgram(rows[0]?.program ?? null)
  const [moving, setMoving] = useState<{ readonly row: RunRow; readonly to: string } | null>(null)
  const waiting = rows.filter((row) => row.waiting > 0).length
  return (
    <Page title={name} under={<FlowLinks flows={flows} name={name} waiting={waiting} />}>
      {program === null ? (
        <Skeleton height={240} />
      ) : (
        <Columns program={program} rows={rows} onMove={(row, to) => setMoving({ row, to })} />
      )}
      {moving === null ? null : <MoveDialog {...moving} program={program} onClose={() => setMoving(null)} />}
    </Page>
  )
}

function FlowLinks({
  flows,
  name,
  waiting,
}: {
  readonly flows: readonly string[]
  readonly name: string
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
          <Link key={flow} to="/board/$flow" params={{ flow }}>
            <SafeText text={flow} />
          </Link>
        ))}
    </span>
  )
}

interface ColumnsProps {
  readonly program: Program
  readonly rows: readonly RunRow[]
  readonly onMove: (row: RunRow, to: string) => void
}

function Columns({ program, rows, onMove }: ColumnsProps) {
  const columns = useMemo(() => columnsOf(program, rows), [program, rows])
  const cards = columns.flatMap((column) => column.cards)
  const [chosen, setChosen] = useState<string | null>(null)
  useCardKeys({ columns, cards, chosen, setChosen, onMove })
  return (
    <div className={styles.board}>
      {columns.map((column) => (
        <section
          key={column.id}
          className={styles.column}
          aria-label={column.label}
          onDragOver={(event) => {
            if (column.kind === 'step') event.preventDefault()
          }}
          onDrop={(event) => {
            const row = rows.find(({ run }) => run === event.dataTransfer.getData('text/plain'))
            if (row !== undefined && row.step !== column.id) onMove(row, column.id)
          }}
        >
          <h2 className={styles.name}>
            <SafeText text={column.label} />
            <span className={styles.count}>{column.cards.length === 0 ? '' : column.cards.length}</span>
          </h2>
          {column.cards.map((row) => (
            <RunCard
              key={row.run}
              row={row}
              program={program}
              isChosen={row.run === chosen}
              onChoose={() => setChosen(row.run)}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

interface CardKeys {
  readonly columns: readonly BoardColumn[]
  readonly cards: readonly RunRow[]
  readonly chosen: string | null
  readonly setChosen: (run: string) => void
  readonly onMove: (row: RunRow, to: string) => void
}

function useCardKeys({ columns, cards, chosen, setChosen, onMove }: CardKeys): void {
  const navigate = useNavigate()
  const at = cards.findIndex(({ run }) => run === chosen)
  const row = cards[at]
  const steps = columns.filter(({ kind }) => kind === 'step').map(({ id }) => id)
  const choose = (index: number): void => {
    const next = cards[(index + cards.length) % cards.length]
    if (next !== undefined) setChosen(next.run)
  }
  const move = (by: 1 | -1): void => {
    const to = steps[steps.indexOf(row?.step ?? '') + by]
    if (row !== undefined && to !== undefined) onMove(row, to)
  }
  const isMovable = row !== undefined && row.status !== 'ended'
  useActionList(
    (): readonly UserAction[] => [
      {
        id: 'board.next',
        label: 'Next run',
        group: 'Board',
        keys: ['j', 'ArrowDown'],
        run: () => choose(at + 1),
      },
      {
        id: 'board.before',
        label: 'Run before',
        group: 'Board',
        keys: ['k', 'ArrowUp'],
        run: () => choose(at - 1),
      },
      {
        ...{ id: 'board.open', label: 'Open the run', group: 'Board', keys: ['Enter'] },
        available: row !== undefined,
        run: () => row !== undefined && void navigate({ to: '/runs/$run', params: { run: row.run } }),
      },
      {
        ...{ id: 'board.forward', label: 'Move it a step on', group: 'Board', keys: ['>'] },
        available: isMovable,
        run: () => move(1),
      },
      {
        ...{ id: 'board.back', label: 'Move it a step back', group: 'Board', keys: ['<'] },
        available: isMovable,
        run: () => move(-1),
      },
    ],
    [columns, chosen, at],
  )
}
