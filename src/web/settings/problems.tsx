/** What is wrong with a file, a line each. */
import { SafeText } from '../ui/safe-text.tsx'
import styles from './settings-screen.module.css'

export function Problems({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <ul className={styles.problem} role="alert">
      {problems.map((problem) => (
        <li key={problem}>
          <SafeText text={problem} />
        </li>
      ))}
    </ul>
  )
}
