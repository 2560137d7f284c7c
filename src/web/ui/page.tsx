/** The frame of a screen: its heading, and what it says where there is nothing to show or something went wrong. */
import type { ReactNode } from 'react'
import styles from './page.module.css'
import { SafeText } from './safe-text.tsx'

export interface PageProps {
  readonly title: string
  readonly under?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, under, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <SafeText text={title} />
        </h1>
        {under === undefined ? null : <p className={styles.under}>{under}</p>}
      </header>
      {children}
    </div>
  )
}

/** What there is to do where there is nothing to see. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.message}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** What went wrong and what would be right, in the host's own sentence. */
export function ProblemState({
  problem,
  children,
}: {
  readonly problem: string
  readonly children?: ReactNode
}) {
  return (
    <section className={styles.message} role="alert">
      <h2>This cannot be shown</h2>
      <p>
        <SafeText text={problem} />
      </p>
      {children}
    </section>
  )
}
