/** What people were asked in this run, and what became of it. */
import { Link } from '@tanstack/react-router'
import { decisionId } from '../../engine/decision-book.ts'
import { actorText } from '../../model/answer.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusTag } from '../ui/status.tsx'
import { secondsText } from '../ui/time.ts'
import { questionsAsked } from './questions.view.ts'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'

export function DecisionsTab({ detail, moment }: TabProps) {
  const asked = questionsAsked(moment.events)
  if (asked.length === 0) return <p className={styles.empty}>Nobody was asked anything up to this moment.</p>
  return asked.map(({ question, at, headline, sign, answer, stages }) => (
    <section key={question} className={styles.part}>
      <h3>
        <StatusTag sign={sign}>{answer === null ? undefined : <SafeText text={answer.pick} />}</StatusTag>
        <Link to="/inbox/$decision" params={{ decision: decisionId(`run/${detail.row.run}`, question) }}>
          <SafeText text={headline} />
        </Link>
        <span className={styles.note}>{secondsText(at)}</span>
      </h3>
      {answer === null ? null : (
        <p>
          <SafeText text={[actorText(answer.by), answer.note].filter((text) => text !== '').join(': ')} />
        </p>
      )}
      {stages.length === 0 ? null : <p className={styles.note}>{stages.join(' → ')}</p>}
    </section>
  ))
}
