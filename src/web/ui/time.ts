/** Times and durations in words, as short as they can be. */

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `8 s`, `42 min`, `3 h`, `2 d`: as coarse as a glance. */
export function durationText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return `${Math.floor(ms / DAY_MS)} d`
}

/** `6 min 40 s`: with what a glance leaves out. */
export function exactDurationText(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ${Math.floor((ms % MINUTE_MS) / SECOND_MS)} s`
  return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`
}

const two = (number: number): string => `${number}`.padStart(2, '0')

/** `13:20` today, `18 Nov 13:20` before, in the reader's own time. */
export function clockText(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)]
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`
  if (then.toDateString() === today.toDateString()) return time
  const month = then.toLocaleDateString('en-GB', { month: 'short' })
  const year = then.getFullYear() === today.getFullYear() ? '' : ` ${then.getFullYear()}`
  return `${then.getDate()} ${month}${year} ${time}`
}

export const secondsText = (at: number): string => {
  const then = new Date(at)
  return `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`
}
