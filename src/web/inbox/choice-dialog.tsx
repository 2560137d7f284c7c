/** A few choices, each with its digit. */
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './choice-dialog.module.css'

export interface DialogChoice {
  readonly label: string
  readonly choose: () => void
}

export interface ChoiceDialogProps {
  readonly title: string
  readonly choices: readonly DialogChoice[]
  readonly onClose: () => void
  /** For what none of them is. */
  readonly children?: ReactNode
}

export function ChoiceDialog({ title, choices, onClose, children }: ChoiceDialogProps) {
  const take = ({ choose }: DialogChoice): void => {
    // Closed first: what is chosen may put the focus elsewhere.
    flushSync(onClose)
    choose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <fieldset
        className={styles.choices}
        onKeyDown={(event) => {
          const choice = /^[1-9]$/.test(event.key) ? choices[Number(event.key) - 1] : undefined
          if (choice === undefined) return
          event.preventDefault()
          take(choice)
        }}
      >
        {choices.map((choice, index) => (
          <Button
            key={choice.label}
            className={styles.choice ?? ''}
            data-focus={index === 0 ? '' : undefined}
            onClick={() => take(choice)}
          >
            {index < 9 ? <Kbd keys={`${index + 1}`} /> : null}
            <SafeText text={choice.label} />
          </Button>
        ))}
      </fieldset>
      {children}
    </Dialog>
  )
}
