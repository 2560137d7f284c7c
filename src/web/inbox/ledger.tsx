/** The last answer along the foot, followed until it was acted on. */
import { Link } from '@tanstack/react-router'
import type { ListedDecision } from '../../model/api/decision-record.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useMe } from '../live/live.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import styles from './ledger.module.css'
import { pickText, stagesOf } from './ledger.view.ts'

export interface LedgerProps {
  readonly last: ListedDecision
  readonly undo: UserAction
  /** What can be said of how long it can be undone. */
  readonly undoText: string
}

export function Ledger({ last, undo, undoText }: LedgerProps) {
  const { person } = useMe()
  return (
    <section className={styles.ledger} aria-label="The last answer">
      <StatusShape sign={last.status === 'undeliverable' ? 'fault' : 'done'} word="answered" />
      <Link to="/inbox/$decision" params={{ decision: last.id }} className={styles.headline}>
        <SafeText text={last.headline} />
      </Link>
      <span className={styles.pick}>
        <SafeText text={pickText(last, person)} />
      </span>
      <span className={styles.stages}>
        {stagesOf(last).map(({ word, isReached }) => (
          <span key={word} className={`${styles.stage} ${isReached ? '' : styles.ahead}`}>
            {word}
          </span>
        ))}
      </span>
      {undo.available === true ? (
        <ActionButton action={undo} look="quiet" className={styles.undo ?? ''} short={undoText} />
      ) : null}
    </section>
  )
}
