/** The frame of a section: a sentence about it, what can be done with all of it, and what it shows once it is known. */
import type { ReactNode } from 'react'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './settings-screen.module.css'
import type { Asked } from './use-asked.ts'

export interface AskedSectionProps<T> {
  readonly label: string
  readonly asked: Asked<T>
  /** What there is, in a sentence. */
  readonly says: (value: T) => ReactNode
  /** What it takes so long for. */
  readonly meanwhile: string
  readonly actions?: readonly UserAction[]
  readonly children: (value: T) => ReactNode
}

export function AskedSection<T>({
  label,
  asked,
  says,
  meanwhile,
  actions = [],
  children,
}: AskedSectionProps<T>) {
  const { loaded, look, isBusy } = asked
  return (
    <section aria-label={label} aria-busy={loaded.kind === 'loading' || isBusy}>
      <div className={styles.head}>
        <p role="status">
          {loaded.kind === 'loading' || isBusy
            ? meanwhile
            : loaded.kind === 'there'
              ? says(loaded.value)
              : ''}
        </p>
        <div className={styles.deeds}>
          {actions.map((action) => (
            <ActionButton key={action.id} action={action} />
          ))}
          <ActionButton action={look} look="quiet" />
        </div>
      </div>
      {loaded.kind === 'loading' ? <Lines /> : null}
      {loaded.kind === 'there' ? children(loaded.value) : null}
      {loaded.kind === 'problem' ? (
        <p className={styles.problem} role="alert">
          <SafeText text={loaded.problem.problem} />
        </p>
      ) : null}
    </section>
  )
}

const Lines = () => (
  <div className={styles.lines}>
    {['82%', '64%', '71%', '58%'].map((width) => (
      <Skeleton key={width} height={40} width={width} />
    ))}
  </div>
)
