/** The way between screens, with what waits on each. */
import { Link } from '@tanstack/react-router'
import type { DaySpending } from '../../model/spending.ts'
import { STATUS_SIGNS } from '../../model/status-sign.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useMe, useRuns, useSpending } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { useNow } from '../ui/now.ts'
import { durationText } from '../ui/time.ts'
import styles from './rail.module.css'
import { SCREENS } from './screens.ts'

const MINUTE_MS = 60_000

export function Rail({ waiting, palette }: { readonly waiting: number; readonly palette: UserAction }) {
  const going = (valueIn(useRuns()) ?? []).filter(({ status }) => status !== 'ended').length
  const counts: Readonly<Record<string, string>> = {
    inbox: waiting === 0 ? '' : `${STATUS_SIGNS.waiting.shape} ${waiting}`,
    runs: going === 0 ? '' : `${going} ${STATUS_SIGNS.working.shape}`,
  }
  return (
    <nav className={styles.rail} aria-label="Screens">
      <div className={styles.brand}>
        <i className={`${styles.lamp} ${waiting > 0 ? styles.waits : ''}`} aria-hidden="true" />
        Signalbox
      </div>
      <div className={styles.links}>
        {SCREENS.map(({ id, label, to }) => (
          <Link key={id} to={to} className={styles.link} activeOptions={{ exact: false }}>
            <span>{label}</span>
            <span className={`${styles.count} ${id === 'inbox' ? styles.waits : ''}`}>
              {counts[id] ?? ''}
            </span>
          </Link>
        ))}
      </div>
      <div className={styles.foot}>
        <HostLine />
        <ActionButton action={palette} look="quiet" className={styles.command ?? ''} short="Everything" />
      </div>
    </nav>
  )
}

function HostLine() {
  const { person, host } = useMe()
  const now = useNow(MINUTE_MS)
  const spent = useSpending()
  return (
    <>
      {person}
      <br />
      Host up {durationText(now - host.startedAt)} · sandbox {host.unconfined === null ? 'on' : 'off'}
      {spent === null ? null : (
        <>
          <br />
          {spentText(spent)}
        </>
      )}
    </>
  )
}

function spentText({ limits, spent }: DaySpending): string {
  const most = limits.costUsd === null ? '' : ` of ${limits.costUsd.toFixed(2)}`
  const unpriced = spent.unpriced === 0 ? '' : ', some without a price'
  return `today ${spent.costUsd.toFixed(2)}${most} USD${unpriced}`
}
