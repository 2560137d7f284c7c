/** Times as a person reads them: how long something lies there, and when something is due. */
import { formatDuration } from '../../model/duration.ts'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** The largest unit will do: `40s`, `12m`, `3h`, `2d`. */
export function ageText(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= each) ?? UNITS[3]
  return `${Math.floor(Math.max(0, ms) / unitMs)}${unit}`
}

/** `in 1h59m`, or `2h ago`. */
export const whenText = (at: number, now: number): string =>
  at > now ? `in ${untilText(at - now)}` : `${ageText(now - at)} ago`

/** Two units: somebody plans with it. */
export function untilText(ms: number): string {
  const index = UNITS.findIndex(([, unitMs]) => ms >= unitMs)
  const [, fineMs] = UNITS[Math.min(index < 0 ? 3 : index + 1, 3)]!
  return formatDuration(Math.max(1_000, Math.round(ms / fineMs) * fineMs))
}
