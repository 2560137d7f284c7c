/** The axis as it is drawn. A bar leads to the moment it ended at. */
import { useMemo } from 'react'
import type { Program } from '../../model/program.ts'
import { STATUS_SIGNS } from '../../model/status-sign.ts'
import { useIsNarrow } from '../ui/narrow.ts'
import { SafeText } from '../ui/safe-text.tsx'
import { clockText, exactDurationText, secondsText } from '../ui/time.ts'
import styles from './axis.module.css'
import { type AxisBar, lanesOf, type TimedEvent } from './axis.view.ts'
import { type AxisScale, apart, scaleOf } from './scale.view.ts'

export interface AxisProps {
  readonly events: readonly TimedEvent[]
  readonly program: Program | null
  readonly now: number
  /** The moment that is looked at. */
  readonly at: number
  readonly onMoment: (version: number) => void
}

export function Axis({ events, program, now, at, onMoment }: AxisProps) {
  const lanes = useMemo(() => lanesOf(events, program), [events, program])
  const isOver = lanes.every(({ bars }) => bars.every(({ to }) => to !== null))
  const scale = useMemo(() => {
    const instants = lanes.flatMap(({ bars }) => bars.flatMap(({ from, to }) => [from, to ?? now]))
    return scaleOf(instants)
  }, [lanes, now])
  const lookedAt = events[at - 1]?.event.at
  return (
    <section className={styles.axis} aria-label="What happened when">
      {lanes.map(({ step, bars, dots }) => (
        <div key={step} className={styles.lane}>
          <span className={styles.step} title={step}>
            <SafeText text={step} />
          </span>
          <div className={styles.track}>
            {bars.map((bar) => (
              <Bar key={`${bar.visit} ${bar.from} ${bar.version}`} {...{ bar, step, scale, now, onMoment }} />
            ))}
            {dots.map(({ at: when, sign, label, version }) => (
              <button
                key={version}
                type="button"
                className={`${styles.dot} ${styles[sign] ?? ''}`}
                style={{ left: `${scale.place(when)}%` }}
                aria-label={`${step}: ${label}`}
                title={label}
                onClick={() => onMoment(version)}
              />
            ))}
            {lookedAt === undefined || at === events.length ? null : (
              <i className={styles.cursor} style={{ left: `${scale.place(lookedAt)}%` }} aria-hidden="true" />
            )}
          </div>
        </div>
      ))}
      <Ticks scale={scale} now={now} isOver={isOver} />
    </section>
  )
}

const SHORT_MS = 10 * 60_000

interface BarProps {
  readonly bar: AxisBar
  readonly step: string
  readonly scale: AxisScale
  readonly now: number
  readonly onMoment: (version: number) => void
}

function Bar({ bar, step, scale, now, onMoment }: BarProps) {
  const { from, to, sign, label, visit, version } = bar
  const [left, right] = [scale.place(from), scale.place(to ?? now)]
  const took = exactDurationText((to ?? now) - from)
  const shape = sign === 'waiting' ? `${STATUS_SIGNS.waiting.shape} ` : ''
  return (
    <button
      type="button"
      className={`${styles.bar} ${styles[sign] ?? ''} ${to === null ? (styles.open ?? '') : ''}`}
      style={{ left: `${left}%`, width: `max(6px, ${right - left}%)` }}
      title={`${step}, visit ${visit}: ${label}, ${took}`}
      aria-label={`${step}, visit ${visit}: ${label}, ${took}, ${STATUS_SIGNS[sign].word}`}
      onClick={() => onMoment(version)}
    >
      <span>
        {shape}
        <SafeText text={to === null && sign === 'waiting' ? `${label} ${took}` : label} />
      </span>
    </button>
  )
}

function Ticks({
  scale,
  now,
  isOver,
}: {
  readonly scale: AxisScale
  readonly now: number
  readonly isOver: boolean
}) {
  // Minutes would all read the same.
  const room = useIsNarrow() ? 26 : 0
  const isShort = (scale.ticks.at(-1)?.at ?? 0) - (scale.ticks[0]?.at ?? 0) < SHORT_MS
  return (
    <div className={styles.lane} aria-hidden="true">
      <span />
      <div className={styles.ticks}>
        {apart(scale.ticks, room).map(({ at, place }) => (
          <span
            key={at}
            className={place > 90 ? styles.last : undefined}
            style={place > 90 ? { right: `${100 - place}%` } : { left: `${place}%` }}
          >
            {!isOver && place === 100 ? 'now' : isShort ? secondsText(at) : clockText(at, now)}
          </span>
        ))}
      </div>
    </div>
  )
}
