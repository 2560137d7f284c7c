/** What the keys do here. Rows are links: moving means to put the focus, and Enter is the browser's own. */
import { type RefObject, useRef } from 'react'
import { STATUS_SIGNS } from '../../model/status-sign.ts'
import type { UserAction } from '../action/action.ts'
import { useActionList } from '../action/actions.tsx'
import { isFiltered, RUN_SIGNS, type RunsFilter } from './runs.view.ts'
import type { ChangeFilter } from './use-runs-filter.ts'

interface RunKeys {
  readonly filter: RunsFilter
  readonly change: ChangeFilter
}

export interface RunKeyTargets {
  readonly field: RefObject<HTMLInputElement | null>
  readonly list: RefObject<HTMLUListElement | null>
  readonly clear: UserAction
}

const GROUP = 'Runs'

export function useRunKeys({ filter, change }: RunKeys): RunKeyTargets {
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [clear] = useActionList(
    (): readonly UserAction[] => [
      {
        ...{ id: 'runs.all', label: 'Show all runs', group: GROUP, keys: ['x'] },
        available: isFiltered(filter),
        run: () => change({}),
      },
      {
        id: 'runs.next',
        label: 'Next run',
        group: GROUP,
        keys: ['j', 'ArrowDown'],
        run: () => move(list, 1),
      },
      {
        id: 'runs.before',
        label: 'Run before',
        group: GROUP,
        keys: ['k', 'ArrowUp'],
        run: () => move(list, -1),
      },
      {
        ...{ id: 'runs.filter', label: 'Only runs with some words', group: GROUP, keys: ['/'] },
        run: () => field.current?.focus(),
      },
      ...RUN_SIGNS.map((sign, index) => ({
        id: `runs.only.${sign}`,
        label: `Only runs: ${STATUS_SIGNS[sign].word}`,
        group: GROUP,
        keys: [`${index + 1}`],
        run: () => change(toggled(filter, sign)),
      })),
    ],
    [filter, change],
  )
  return { field, list, clear: clear! }
}

/** Chosen twice is not chosen. */
export function toggled(
  { status, ...rest }: RunsFilter,
  sign: NonNullable<RunsFilter['status']>,
): RunsFilter {
  return status === sign ? rest : { ...rest, status: sign }
}

function move(list: RefObject<HTMLUListElement | null>, by: -1 | 1): void {
  const links: readonly HTMLElement[] = [...(list.current?.querySelectorAll('a') ?? [])]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? links[0] : links[at + by]
  next?.focus()
}
