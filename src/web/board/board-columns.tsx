/** The columns of a board with their cards, and the keys that choose, move and start. */
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import { isPending } from '../../model/decision-record.ts'
import type { Program } from '../../model/program.ts'
import type { UserAction } from '../action/action.ts'
import { useActionList } from '../action/actions.tsx'
import { todoOf } from '../course/start.view.ts'
import { useDecisions, useRepository } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { type BoardCard, cardKey, columnsOf, neighbourOf, type StartWish } from './board.view.ts'
import styles from './board-screen.module.css'
import { RunCard } from './run-card.tsx'
import { TodoColumn } from './todo-column.tsx'

export interface BoardColumnsProps {
  /** Null: no run tells of any steps yet. */
  readonly program: Program | null
  readonly rows: readonly RunRow[]
  readonly all: readonly RunRow[]
  /** Whose issues are to be done; null: nobody may start anything here. */
  readonly repo: string | null
  readonly repos: readonly string[]
  readonly onMove: (row: RunRow, to: string) => void
  readonly onStart: (on: StartWish) => void
}

export function BoardColumns({ program, rows, all, repo, repos, onMove, onStart }: BoardColumnsProps) {
  const look = useRepository(repo)
  const found = valueIn(look)
  const todo = useMemo(() => (found === null ? [] : todoOf(found.issues, all, found.repo)), [found, all])
  const columns = useMemo(() => (program === null ? [] : columnsOf(program, rows)), [program, rows])
  const headlines = useHeadlines()
  const [chosen, setChosen] = useState<string | null>(null)
  const cards: readonly BoardCard[] = [
    ...todo.map((issue) => ({ kind: 'issue', issue }) as const),
    ...columns.flatMap((column) => column.cards.map((row) => ({ kind: 'run', row }) as const)),
  ]
  const steps = columns.filter(({ kind }) => kind === 'step').map(({ id }) => id)
  const [startHere] = useCardKeys({
    steps,
    cards,
    chosen,
    setChosen,
    onMove,
    onStart,
    canStart: repo !== null,
  })
  const drop = (data: string, step: string): void => {
    const card = cards.find((each) => cardKey(each) === data)
    if (card?.kind === 'issue') onStart({ kind: 'issue', id: card.issue.id })
    if (card?.kind === 'run' && card.row.step !== step) onMove(card.row, step)
  }
  return (
    <div className={styles.board}>
      {repo === null ? null : (
        <TodoColumn
          {...{ repo, repos, look, todo, chosen, start: startHere! }}
          onChoose={setChosen}
          onStart={onStart}
        />
      )}
      {columns.map((column) => (
        <section
          key={column.id}
          className={styles.column}
          aria-label={column.label}
          onDragOver={(event) => {
            if (column.kind === 'step') event.preventDefault()
          }}
          onDrop={(event) => drop(event.dataTransfer.getData('text/plain'), column.id)}
        >
          <h2 className={styles.name}>
            <SafeText text={column.label} />
            <span className={styles.count}>{column.cards.length === 0 ? '' : column.cards.length}</span>
          </h2>
          {column.cards.map((row) => (
            <RunCard
              key={row.run}
              row={row}
              program={program!}
              asks={headlines.get(row.run) ?? null}
              isChosen={cardKey({ kind: 'run', row }) === chosen}
              onChoose={() => setChosen(cardKey({ kind: 'run', row }))}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

/** Run → what it asks first. */
function useHeadlines(): ReadonlyMap<string, string> {
  const pending = valueIn(useDecisions())?.pending
  return useMemo(() => {
    const asked = (pending ?? []).filter((row) => isPending(row) && row.run !== null)
    return new Map(asked.toReversed().map(({ run, headline }) => [run!, headline]))
  }, [pending])
}

interface CardKeys {
  readonly steps: readonly string[]
  readonly cards: readonly BoardCard[]
  readonly chosen: string | null
  readonly setChosen: (key: string) => void
  readonly onMove: (row: RunRow, to: string) => void
  readonly onStart: (on: StartWish) => void
  readonly canStart: boolean
}

function useCardKeys({
  steps,
  cards,
  chosen,
  setChosen,
  onMove,
  onStart,
  canStart,
}: CardKeys): readonly UserAction[] {
  const navigate = useNavigate()
  const card = cards.find((each) => cardKey(each) === chosen)
  const choose = (by: 1 | -1): void => {
    const next = neighbourOf(cards, chosen, by)
    if (next !== null) setChosen(next)
  }
  const row = card?.kind === 'run' ? card.row : undefined
  const issue = card?.kind === 'issue' ? card.issue.id : undefined
  const start = (): void =>
    onStart(issue === undefined ? { kind: 'text', text: '' } : { kind: 'issue', id: issue })
  const move = (by: 1 | -1): void => {
    const to = steps[steps.indexOf(row?.step ?? '') + by]
    if (row !== undefined && to !== undefined) onMove(row, to)
  }
  const isMovable = row !== undefined && row.status !== 'ended'
  const at = { group: 'Board' } as const
  return useActionList(
    (): readonly UserAction[] => [
      {
        ...{ ...at, id: 'board.start', keys: ['s'], available: canStart, run: start },
        label: issue === undefined ? 'Start a run' : 'Start a run on this issue',
      },
      { ...at, id: 'board.next', label: 'Next card', keys: ['j', 'ArrowDown'], run: () => choose(1) },
      { ...at, id: 'board.before', label: 'Card before', keys: ['k', 'ArrowUp'], run: () => choose(-1) },
      {
        ...{ ...at, id: 'board.open', label: 'Open the run, or start on the issue', keys: ['Enter'] },
        available: card !== undefined,
        run: () =>
          row === undefined
            ? start()
            : void navigate({ to: '/runs/$run', params: { run: row.run }, search: {} }),
      },
      {
        ...{ ...at, id: 'board.forward', label: 'Move it a step on', keys: ['>'] },
        available: isMovable || issue !== undefined,
        run: () => (issue === undefined ? move(1) : start()),
      },
      {
        ...{ ...at, id: 'board.back', label: 'Move it a step back', keys: ['<'] },
        available: isMovable,
        run: () => move(-1),
      },
    ],
    [steps.join(' '), cards, chosen, canStart],
  )
}
