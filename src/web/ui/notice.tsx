/** Sentences about what just happened. They stay until they are read if something was refused; whoever hears the page hears them. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import type { StatusSign } from '../../model/status-sign.ts'
import styles from './notice.module.css'
import { PlainText } from './plain-text.tsx'
import { SafeText } from './safe-text.tsx'
import { StatusShape } from './status.tsx'

export interface PageNotice {
  readonly sign: StatusSign
  readonly text: string
  /** What was typed and could not be sent: to be copied from here. */
  readonly kept?: string
}

export type Say = (notice: PageNotice) => void

const SayContext = createContext<Say>(() => {})

export const useSay = (): Say => useContext(SayContext)

const QUIET_MS = 6_000

export function NoticesProvider({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly (PageNotice & { readonly id: number })[]>([])
  const leave = useCallback(
    (id: number) => setNotices((shown) => shown.filter((notice) => notice.id !== id)),
    [],
  )
  const say = useCallback<Say>(
    (notice) => {
      const id = performance.now()
      setNotices((shown) => [...shown.slice(-2), { ...notice, id }])
      if (notice.sign !== 'fault') setTimeout(() => leave(id), QUIET_MS)
    },
    [leave],
  )
  const value = useMemo(() => say, [say])
  return (
    <SayContext value={value}>
      {children}
      <div className={styles.notices} role="status" aria-live="polite">
        {notices.map(({ id, sign, text, kept }) => (
          <div key={id} className={styles.notice}>
            <StatusShape sign={sign} />
            <span>
              <SafeText text={text} />
            </span>
            <button
              type="button"
              className={styles.close}
              aria-label="Close this message"
              onClick={() => leave(id)}
            >
              ✕
            </button>
            {kept === undefined || kept === '' ? null : (
              <div className={styles.kept}>
                What you had typed:
                <PlainText text={kept} />
              </div>
            )}
          </div>
        ))}
      </div>
    </SayContext>
  )
}
