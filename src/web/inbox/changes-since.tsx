/** What is different from what was shown before: only where something stands behind this one. */
import type { DecisionRecord, Shown } from '../../model/decision-record.ts'
import { changesBetween } from '../../model/shown-difference.ts'
import { useAskedOnce, useLive } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { SafeText } from '../ui/safe-text.tsx'
import styles from './card.module.css'

export function ChangesSince({
  record,
  before,
}: {
  readonly record: DecisionRecord
  readonly before: Shown | null
}) {
  const { ask } = useLive()
  const { supersedes } = record
  const old = useAskedOnce(supersedes === null ? null : `superseded ${supersedes}`, () =>
    ask('GET /api/v1/decisions/{id}', { params: { id: supersedes ?? '' } }),
  )
  const was = before ?? valueIn(old)?.shown ?? null
  if (was === null) return null
  const changes = changesBetween(was, record.shown)
  if (changes.length === 0) return null
  return (
    <section>
      <h3 className={styles.title}>What changed since it was last shown</h3>
      <div className={styles.changed}>
        {changes.map(({ part, gone, come }) => (
          <div key={part}>
            <b>
              <SafeText text={part} />
            </b>
            {gone.length === 0 ? null : (
              <del className={styles.gone}>
                <SafeText text={gone.join('\n')} />
              </del>
            )}
            {come.length === 0 ? null : (
              <ins className={styles.come}>
                <SafeText text={come.join('\n')} />
              </ins>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}
