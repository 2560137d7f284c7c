/** What a program printed, as it stands. */
import styles from './plain-text.module.css'
import { SafeText } from './safe-text.tsx'

export function PlainText({ text }: { readonly text: string }) {
  return (
    <pre className={styles.plain}>
      <SafeText text={text} />
    </pre>
  )
}
