/** What must be said for a start: in which runbook, on what, from where, with which variables. */
import { type ReactNode, useId } from 'react'
import type { RepositoryLook } from '../../model/api/repositories.ts'
import type { Loaded } from '../live/loaded.ts'
import { valueIn } from '../live/loaded.ts'
import styles from './course-dialog.module.css'
import type { StartDraft, StartsOn, VarField } from './start.view.ts'

export interface StartFieldsProps {
  readonly draft: StartDraft
  readonly look: Loaded<RepositoryLook>
  readonly vars: readonly VarField[]
  readonly onChange: (draft: StartDraft) => void
}

const TEXT = 'a new text'
const NOTHING = 'nothing'

export function StartFields({ draft, look, vars, onChange }: StartFieldsProps) {
  const { runbooks = [], issues = [] } = valueIn(look) ?? {}
  const { runbook, on, base } = draft
  const open = issues.filter(({ id, isDone }) => !isDone || (on.kind === 'issue' && on.id === id))
  const known = runbooks.some(({ file }) => file === runbook) || runbook === ''
  return (
    <>
      <Labelled label="On">
        {(id) => (
          <select
            id={id}
            className={styles.input}
            value={optionOf(on)}
            onChange={(event) => onChange({ ...draft, on: meant(event.target.value) })}
          >
            <option value={TEXT}>A text that I write now</option>
            <option value={NOTHING}>Nothing but its variables</option>
            {on.kind === 'issue' && !open.some((issue) => issue.id === on.id) ? (
              <option value={`issue ${on.id}`}>{on.id}</option>
            ) : null}
            {open.map(({ id: issue, title }) => (
              <option key={issue} value={`issue ${issue}`}>
                {issue} {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {on.kind !== 'text' ? null : (
        <Labelled label="What is to be done (the first line is its title)">
          {(id) => (
            <textarea
              id={id}
              rows={4}
              data-first
              className={styles.input}
              value={on.text}
              onChange={(event) => onChange({ ...draft, on: { kind: 'text', text: event.target.value } })}
            />
          )}
        </Labelled>
      )}
      <Labelled label="Runbook">
        {(id) => (
          <select
            id={id}
            className={styles.input}
            value={runbook}
            onChange={(event) => onChange({ ...draft, runbook: event.target.value })}
          >
            {runbook === '' ? <option value="">Choose one</option> : null}
            {known ? null : <option value={runbook}>{runbook}</option>}
            {runbooks.map(({ name, file }) => (
              <option key={file} value={file}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {vars.map(({ name, isNeeded, otherwise }) => (
        <Labelled key={name} label={isNeeded ? name : `${name} (optional)`}>
          {(id) => (
            <input
              id={id}
              className={styles.input}
              placeholder={otherwise}
              value={draft.vars[name] ?? ''}
              onChange={(event) =>
                onChange({ ...draft, vars: { ...draft.vars, [name]: event.target.value } })
              }
            />
          )}
        </Labelled>
      ))}
      <Labelled label="From another branch or commit than the one checked out (optional)">
        {(id) => (
          <input
            id={id}
            className={styles.input}
            value={base}
            onChange={(event) => onChange({ ...draft, base: event.target.value })}
          />
        )}
      </Labelled>
    </>
  )
}

const optionOf = (on: StartsOn): string =>
  on.kind === 'issue' ? `issue ${on.id}` : on.kind === 'text' ? TEXT : NOTHING

function meant(value: string): StartsOn {
  if (value === TEXT) return { kind: 'text', text: '' }
  return value === NOTHING ? { kind: 'nothing' } : { kind: 'issue', id: value.slice('issue '.length) }
}

function Labelled({
  label,
  children,
}: {
  readonly label: string
  readonly children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <label htmlFor={id} className={styles.field}>
      <span>{label}</span>
      {children(id)}
    </label>
  )
}
