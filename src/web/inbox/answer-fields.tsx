/** What an answer may or must bring beside its option: as the contract asks for it. */
import type { Field } from '../../model/contract.ts'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './answer-form.module.css'

export interface AnswerFieldsProps {
  readonly fields: readonly Field[]
  readonly proposed: Readonly<Record<string, unknown>>
  readonly given: Readonly<Record<string, string>>
  /** The names of those that the option just picked still needs. */
  readonly missing: readonly string[]
  readonly onChange: (name: string, text: string) => void
}

export function AnswerFields({ fields, proposed, given, missing, onChange }: AnswerFieldsProps) {
  return fields.map((field) => {
    const { name, say, requiredFor } = field
    const id = `field-${name}`
    return (
      <div key={name} className={styles.field}>
        <label htmlFor={id}>
          <SafeText text={say === '' ? name : say} />
          {requiredFor.length === 0 ? '' : ` (needed for ${requiredFor.join(', ')})`}
          {HOW[field.type]}
          {missing.includes(name) && (given[name] ?? '').trim() === '' ? (
            <span className={styles.missing}> is still missing</span>
          ) : null}
        </label>
        <FieldInput
          id={id}
          field={field}
          value={given[name] ?? proposedText(proposed[name])}
          onChange={(text) => onChange(name, text)}
        />
      </div>
    )
  })
}

const HOW: Readonly<Record<Field['type'], string>> = {
  text: '',
  number: ', a number',
  boolean: '',
  choice: '',
  file: ', a file',
  list: ', one a line',
  findings: ', a title or JSON',
}

interface FieldInputProps {
  readonly id: string
  readonly field: Field
  readonly value: string
  readonly onChange: (text: string) => void
}

function FieldInput({ id, field: { type, choices }, value, onChange }: FieldInputProps) {
  if (type === 'list' && choices.length > 0)
    return <Checkboxes id={id} choices={choices} chosen={value.split('\n')} onChange={onChange} />
  const options = type === 'boolean' ? ['yes', 'no'] : choices
  if (type === 'boolean' || type === 'choice')
    return (
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="" />
        {options.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  if (type === 'number' || type === 'file')
    return (
      <input
        id={id}
        value={value}
        inputMode={type === 'number' ? 'decimal' : 'text'}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return <textarea id={id} rows={2} value={value} onChange={(event) => onChange(event.target.value)} />
}

interface CheckboxesProps {
  readonly id: string
  readonly choices: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (text: string) => void
}

/** As lines, like any list. */
function Checkboxes({ id, choices, chosen, onChange }: CheckboxesProps) {
  return (
    <span id={id} tabIndex={-1}>
      {choices.map((choice) => {
        const isChosen = chosen.includes(choice)
        const others = choices.filter((each) => each !== choice && chosen.includes(each))
        return (
          <label key={choice}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange((isChosen ? others : [...others, choice]).join('\n'))}
            />
            <SafeText text={choice} />
          </label>
        )
      })}
    </span>
  )
}

function proposedText(proposed: unknown): string {
  if (proposed === undefined) return ''
  if (typeof proposed === 'string') return proposed
  if (typeof proposed === 'boolean') return proposed ? 'yes' : 'no'
  return Array.isArray(proposed) && proposed.every((each) => typeof each === 'string')
    ? proposed.join('\n')
    : JSON.stringify(proposed)
}
