/** By what runs are chosen: words, status, flow, repository. What there is only one of is not offered. */
import { type RefObject, useEffect, useState } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import { STATUS_SIGNS } from '../../model/status-sign.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { StatusShape } from '../ui/status.tsx'
import { folderName, isFiltered, type RunsFilter, runChoices } from './runs.view.ts'
import styles from './runs-screen.module.css'
import { toggled } from './use-run-keys.ts'
import type { ChangeFilter } from './use-runs-filter.ts'

export interface RunFiltersProps {
  readonly rows: readonly RunRow[]
  readonly filter: RunsFilter
  readonly change: ChangeFilter
  readonly field: RefObject<HTMLInputElement | null>
  readonly clear: UserAction
}

export function RunFilters({ rows, filter, change, field, clear }: RunFiltersProps) {
  const { statuses, flows, repos } = runChoices(rows, filter)
  // What is typed stands at once; the address follows, and leads where nobody types.
  const [typed, setTyped] = useState(filter.text ?? '')
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(filter.text ?? '')
  }, [field, filter.text])
  const type = (text: string): void => {
    setTyped(text)
    change(withWord('text', text, filter), 'typed')
  }
  return (
    <search className={styles.filters}>
      <input
        ref={field}
        type="search"
        className={styles.words}
        aria-label="Only runs with these words"
        placeholder="Only runs with these words"
        value={typed}
        onChange={({ target: { value } }) => type(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget.blur()
          if (event.key === 'Escape') type('')
        }}
      />
      <fieldset className={styles.statuses}>
        <legend className="unseen">Only runs of a status</legend>
        {statuses.map(({ sign, count }) => (
          <button
            key={sign}
            type="button"
            className={styles.status}
            aria-pressed={filter.status === sign}
            onClick={() => change(toggled(filter, sign))}
          >
            <StatusShape sign={sign} word="" />
            {STATUS_SIGNS[sign].word} <span className={styles.count}>{count}</span>
          </button>
        ))}
      </fieldset>
      <Choice name="flow" label="Runbook" all="Every runbook" texts={flows} filter={filter} change={change} />
      <Choice
        name="repo"
        label="Repository"
        all="Every repository"
        texts={repos}
        filter={filter}
        change={change}
      />
      {isFiltered(filter) ? <ActionButton action={clear} look="quiet" short="Show all" /> : null}
    </search>
  )
}

interface ChoiceProps {
  readonly name: 'flow' | 'repo'
  readonly label: string
  readonly all: string
  readonly texts: readonly string[]
  readonly filter: RunsFilter
  readonly change: ChangeFilter
}

function Choice({ name, label, all, texts, filter, change }: ChoiceProps) {
  const chosen = filter[name] ?? ''
  if (texts.length < 2 && chosen === '') return null
  const offered = chosen === '' || texts.includes(chosen) ? texts : [...texts, chosen]
  return (
    <select
      className={styles.choice}
      aria-label={label}
      value={chosen}
      onChange={({ target: { value } }) => change(withWord(name, value, filter))}
    >
      <option value="">{all}</option>
      {offered.map((text) => (
        <option key={text} value={text}>
          {name === 'repo' ? folderName(text) : text}
        </option>
      ))}
    </select>
  )
}

function withWord(
  key: 'flow' | 'repo' | 'text',
  value: string,
  { [key]: _, ...rest }: RunsFilter,
): RunsFilter {
  return value === '' ? rest : { ...rest, [key]: value }
}
