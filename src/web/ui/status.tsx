/** A status as a shape, a word and a colour: never the colour alone. */
import type { ReactNode } from 'react'
import { STATUS_SIGNS, type StatusSign } from '../../model/status-sign.ts'
import styles from './status.module.css'

/** With its word, or another that fits better there. */
export function StatusTag({ sign, children }: { readonly sign: StatusSign; readonly children?: ReactNode }) {
  return (
    <span className={`${styles.tag} ${styles[sign]}`}>
      <Shape sign={sign} />
      <span>{children ?? STATUS_SIGNS[sign].word}</span>
    </span>
  )
}

/** Where there is only room for the shape; the word is for whoever hears the page. */
export function StatusShape({ sign, word }: { readonly sign: StatusSign; readonly word?: string }) {
  const said = word ?? STATUS_SIGNS[sign].word
  return (
    <span className={`${styles.shape} ${styles[sign]}`} title={said}>
      <Shape sign={sign} />
      <span className="unseen">{said}</span>
    </span>
  )
}

/** The shapes of the table, drawn: fonts have them in all sizes, or not at all. */
function Shape({ sign }: { readonly sign: StatusSign }) {
  return (
    <svg className={styles.drawn} viewBox="0 0 12 12" aria-hidden="true">
      {DRAWN[sign]}
    </svg>
  )
}

const DRAWN: Readonly<Record<StatusSign, ReactNode>> = {
  working: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  waiting: <path d="M6 0 12 6 6 12 0 6Z" fill="currentColor" />,
  done: <path d="M1.5 6.5 4.5 9.5 10.5 2.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  fault: <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  idle: <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.2" />,
  asleep: (
    <circle
      cx="6"
      cy="6"
      r="4.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
      strokeDasharray="1.5 2"
    />
  ),
}
