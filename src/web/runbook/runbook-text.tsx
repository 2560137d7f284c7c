/** The text of a runbook as its file is now, with the line that is looked at. */
import { useEffect, useRef } from 'react'
import type { RunbookText } from '../../model/api/repositories.ts'
import type { Loaded } from '../live/loaded.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './runbook-text.module.css'

export interface RunbookTextProps {
  readonly text: Loaded<RunbookText>
  readonly line: number | null
}

export function RunbookTextPart({ text, line }: RunbookTextProps) {
  const lit = useRef<HTMLLIElement>(null)
  const isThere = text.kind === 'there'
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another line is looked at, or the text has come
  useEffect(() => {
    if (line !== null) lit.current?.scrollIntoView({ block: 'center' })
  }, [line, isThere])
  return (
    <section aria-label="The text">
      <h2>The text</h2>
      {text.kind === 'loading' ? <Skeleton height={200} /> : null}
      {text.kind === 'problem' ? (
        <p className={styles.note}>
          <SafeText text={text.problem.problem} />
        </p>
      ) : null}
      {text.kind !== 'there' ? null : (
        <>
          {text.value.changedAt > text.value.startedAt ? (
            <p className={styles.note}>
              The file was written after the latest run began: the run goes by what it was then, and so does
              all above.
            </p>
          ) : null}
          <ol className={styles.text}>
            {text.value.text
              .replace(/\n$/, '')
              .split('\n')
              .map((each, index) => (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
                  key={index}
                  ref={index + 1 === line ? lit : null}
                  className={index + 1 === line ? styles.lit : undefined}
                  aria-current={index + 1 === line ? 'location' : undefined}
                >
                  <code>
                    <SafeText text={each} />
                  </code>
                </li>
              ))}
          </ol>
        </>
      )}
    </section>
  )
}
