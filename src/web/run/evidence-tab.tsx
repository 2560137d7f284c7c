/** What gates and checks found, and answers that were refused: with what was given and what would have been right. */
import { ActionHint } from '../action/action-hint.tsx'
import { AnsiText } from '../ui/ansi.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusTag } from '../ui/status.tsx'
import { secondsText } from '../ui/time.ts'
import styles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'
import { evidenceOf, refusalsOf } from './work.view.ts'

export function EvidenceTab({ moment }: TabProps) {
  const here = moment.isNow ? (moment.state.current?.step ?? null) : null
  const evidence = evidenceOf(moment.events)
  const refused = refusalsOf(moment.events)
  if (evidence.length === 0 && refused.length === 0)
    return <p className={styles.empty}>No gate and no check has spoken up to this moment.</p>
  return (
    <>
      {evidence.map(
        ({
          version,
          at,
          title,
          sign,
          evidence: { output, commit, diffstat, beside = [], redefined = [] },
        }) => (
          <section key={version} className={styles.part}>
            <h3>
              <StatusTag sign={sign}>
                <SafeText text={title} />
              </StatusTag>
              <span className={styles.note}>
                {secondsText(at)}
                {commit === null ? '' : `, at ${commit.slice(0, 9)}`}
                {redefined.length === 0 ? null : (
                  <SafeText text={`, by files that the run changed: ${redefined.slice(0, 5).join(', ')}`} />
                )}
                {beside.length === 0
                  ? ''
                  : `, beside files that agents can change: ${beside.slice(0, 5).join(', ')}`}
              </span>
            </h3>
            {output === '' ? <p className={styles.empty}>It printed nothing.</p> : <AnsiText text={output} />}
            {diffstat === '' ? null : <PlainText text={diffstat} />}
          </section>
        ),
      )}
      {refused.map(({ version, at, step, given, message }, index) => (
        <section key={version} className={styles.part}>
          <h3>
            <StatusTag sign="fault">
              <SafeText text={`${step}: answer refused`} />
            </StatusTag>
            <span className={styles.note}>{secondsText(at)}, told to the agent, which tries again</span>
          </h3>
          <p className={styles.note}>Given</p>
          <PlainText text={given} />
          <p className={styles.note}>What would be right</p>
          <PlainText text={message} />
          {index === 0 && step === here ? <ActionHint id="run.retry" short="Begin this step again" /> : null}
        </section>
      ))}
    </>
  )
}
