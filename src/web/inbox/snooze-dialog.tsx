/** Until when a decision is put off. */
import { Button } from '../ui/button.tsx'
import styles from './choice-dialog.module.css'
import { ChoiceDialog } from './choice-dialog.tsx'
import { snoozeTimes } from './snooze-time.ts'

export interface SnoozeDialogProps {
  readonly isAsleep: boolean
  readonly onClose: () => void
  /** Null wakes it. */
  readonly onSnooze: (until: number | null) => void
}

export function SnoozeDialog({ isAsleep, onClose, onSnooze }: SnoozeDialogProps) {
  const times = snoozeTimes(Date.now()).map(({ label, until }) => ({ label, choose: () => onSnooze(until) }))
  const wake = isAsleep ? [{ label: 'Wake it now', choose: () => onSnooze(null) }] : []
  return (
    <ChoiceDialog title="Put it off" choices={[...times, ...wake]} onClose={onClose}>
      <form
        className={styles.own}
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get('until')
          const until = typeof given === 'string' ? new Date(given).getTime() : Number.NaN
          if (Number.isNaN(until) || until <= Date.now()) return
          onClose()
          onSnooze(until)
        }}
      >
        <input name="until" type="datetime-local" aria-label="Until another time" />
        <Button type="submit">Until then</Button>
      </form>
    </ChoiceDialog>
  )
}
