/** Says what an action will do, asks what it needs, and does it. What was typed stays until it is taken. */
import { useId, useState } from 'react'
import { isProblem } from '../live/ask.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/notice.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import type { CourseAction, CourseField, CourseValues } from './course.view.ts'
import styles from './course-dialog.module.css'

export interface CourseDialogProps {
  readonly action: CourseAction
  /** What is known already. */
  readonly initial?: CourseValues
  readonly onClose: () => void
}

export function CourseDialog({ action, initial = {}, onClose }: CourseDialogProps) {
  const { label, verb, fields, will, send, done } = action
  const say = useSay()
  const [values, setValues] = useState<CourseValues>(initial)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isReady = fields.every(
    ({ name, isNeeded }) => isNeeded !== true || (values[name] ?? '').trim() !== '',
  )
  const submit = async (): Promise<void> => {
    setBusy(true)
    const answer = await send(values)
    setBusy(false)
    if (isProblem(answer)) return setProblem(answer.problem)
    onClose()
    say({ sign: 'done', text: done(answer) })
  }
  return (
    <Dialog title={label} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) void submit()
        }}
      >
        {fields.map((field, index) => (
          <Field
            key={field.name}
            field={field}
            isFirst={index === 0}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <p className={styles.will}>
          <SafeText text={will(values)} />
        </p>
        {problem === null ? null : (
          <p className={styles.problem} role="alert">
            <SafeText text={problem} />
          </p>
        )}
        <div className={styles.buttons}>
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={!isReady || isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldProps {
  readonly field: CourseField
  readonly isFirst: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

function Field({ field, isFirst, value, onChange }: FieldProps) {
  const id = useId()
  const { label, kind, choices, isNeeded } = field
  const shared = {
    id,
    value,
    'data-focus': isFirst ? '' : undefined,
    required: isNeeded === true,
    className: styles.input,
  }
  return (
    <label htmlFor={id} className={styles.field}>
      <span>{label}</span>
      {choices !== undefined ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          {choices.includes('') ? null : <option value="">Choose</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === 'words' ? (
        <textarea {...shared} rows={4} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input {...shared} type={kind} onChange={(event) => onChange(event.target.value)} />
      )}
    </label>
  )
}
