/** Says what a policy will do from now on, and with what it would have been wrong, before it is in force. */
import { useState } from 'react'
import type { SuggestedPolicy } from '../../model/api/settings.ts'
import { isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/notice.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './settings-screen.module.css'

export interface RatifyDialogProps {
  readonly policy: SuggestedPolicy
  readonly onDone: () => void
  readonly onClose: () => void
}

export function RatifyDialog({ policy, onDone, onClose }: RatifyDialogProps) {
  const { name, answer, until, backTest } = policy
  const { ask } = useLive()
  const say = useSay()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const ratify = async (): Promise<void> => {
    setBusy(true)
    const answered = await ask('POST /api/v1/settings/policies', { body: { name } })
    setBusy(false)
    if (isProblem(answered)) return setProblem(answered.problem)
    onClose()
    onDone()
    say({ sign: 'done', text: `${name} is in force until ${answered.until}.` })
  }
  return (
    <Dialog title={`Ratify ${name}`} onClose={onClose}>
      <p className={styles.dialogText}>
        From now on until {until} such questions are answered with{' '}
        <b>
          <SafeText text={answer} />
        </b>{' '}
        and asked of nobody.{' '}
        {backTest.disagreed === 0
          ? 'It would never have been wrong here.'
          : `It would have been wrong ${backTest.disagreed === 1 ? 'once' : `${backTest.disagreed} times`} of ${backTest.answered}.`}{' '}
        It is written into your policies, and taking it out there ends it.
      </p>
      {problem === null ? null : (
        <p className={styles.fault} role="alert">
          <SafeText text={problem} />
        </p>
      )}
      <div className={styles.buttons}>
        <Button onClick={onClose}>Leave it</Button>
        <Button look="primary" data-focus="" disabled={isBusy} onClick={() => void ratify()}>
          Ratify it
        </Button>
      </div>
    </Dialog>
  )
}
