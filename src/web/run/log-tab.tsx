/** What happened and what was said, in one order of time. The journal's lines are the story; what agents say stands between them. */
import { memo, useEffect, useMemo, useRef } from 'react'
import { useLog } from '../live/log.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusShape } from '../ui/status.tsx'
import { secondsText } from '../ui/time.ts'
import { type LogEntry, logEntries } from './log.view.ts'
import styles from './log-tab.module.css'
import tabStyles from './run-tabs.module.css'
import type { TabProps } from './tab.ts'

export function LogTab({ detail, moment }: TabProps) {
  const { lines, isWhole } = useLog(detail.row.run)
  const entries = useMemo(
    () => logEntries(moment.events, lines, moment.isNow ? null : moment.at),
    [moment, lines],
  )
  const end = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  useEffect(() => {
    const panel = end.current?.closest('[role="tabpanel"]')
    if (panel === null || panel === undefined) return
    const onScroll = (): void => {
      isFollowing.current = panel.scrollHeight - panel.scrollTop - panel.clientHeight < 40
    }
    panel.addEventListener('scroll', onScroll, { passive: true })
    return () => panel.removeEventListener('scroll', onScroll)
  }, [])
  // Whoever has scrolled up reads something, and is not torn away from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is more
  useEffect(() => {
    const panel = end.current?.closest('[role="tabpanel"]')
    // Only the panel: where it does not scroll by itself, the page stays where it is.
    if (isFollowing.current && panel != null) panel.scrollTop = panel.scrollHeight
  }, [entries])
  return (
    <div className={styles.log}>
      {entries.map((entry) => (
        <Line key={entry.key} entry={entry} />
      ))}
      {isWhole ? null : <Skeleton width="50%" />}
      {isWhole && entries.length === 0 ? <p className={tabStyles.empty}>Nothing has happened yet.</p> : null}
      <div ref={end} />
    </div>
  )
}

const Line = memo(function Line({ entry }: { readonly entry: LogEntry }) {
  const { at, text, look, sign, who } = entry
  return (
    <p className={`${styles.line} ${styles[look] ?? ''}`}>
      <time>{secondsText(at)}</time>
      <span>
        {sign === null ? null : (
          <>
            <StatusShape sign={sign} />{' '}
          </>
        )}
        {who === null ? null : (
          <span className={styles.who}>
            <SafeText text={who} />{' '}
          </span>
        )}
        <SafeText text={text} />
      </span>
    </p>
  )
})
