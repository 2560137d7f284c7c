/** What a policy would have made of all that people answered, and each that it would have got wrong. */
import { Link } from '@tanstack/react-router'
import type { PolicyTrial } from '../../model/api/settings.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { caseText, trialText } from './settings.view.ts'
import styles from './settings-screen.module.css'

export function PolicyTrialText({ trial }: { readonly trial: PolicyTrial }) {
  const more = trial.disagreed - trial.cases.length
  return (
    <>
      <p className={trial.disagreed === 0 ? styles.note : styles.fault}>{trialText(trial)}</p>
      {trial.cases.length === 0 ? null : (
        <ul className={styles.cases}>
          {trial.cases.map((each) => (
            <li key={each.id}>
              <Link to="/inbox/$decision" params={{ decision: each.id }}>
                <SafeText text={each.headline} />
              </Link>
              : <SafeText text={caseText(each)} />
            </li>
          ))}
          {more === 0 ? null : <li className={styles.note}>and {more} more</li>}
        </ul>
      )}
    </>
  )
}
