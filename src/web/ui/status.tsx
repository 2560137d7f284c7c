/** A status as a shape, a word and a colour: never the colour alone. */
import type { ReactNode } from 'react'
import { STATUS_SIGNS, type StatusSign } from '../../model/status-sign.ts'
import styles from './status.module.css'

/** With its word, or another that fits better there. */
export function StatusTag({ sign, children }: { readonly sign: StatusSign; readonly children?: ReactNode }) {
  const { shape, word } = STATUS_SIGNS[sign]
  return (
    <span className={`${styles.tag} ${styles[sign]}`}>
      <span aria-hidden="true">{shape}</span>
      <span>{children ?? word}</span>
    </span>
  )
}

/** Where there is only room for the shape; the word is for whoever hears the page. */
export function StatusShape({ sign, word }: { readonly sign: StatusSign; readonly word?: string }) {
  const known = STATUS_SIGNS[sign]
  return (
    <span className={`${styles.shape} ${styles[sign]}`} title={word ?? known.word}>
      <span aria-hidden="true">{known.shape}</span>
      <span className="unseen">{word ?? known.word}</span>
    </span>
  )
}
