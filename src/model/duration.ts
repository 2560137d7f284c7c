/** Durations as people write them: `90s`, `30m`, `2h`, `1h30m`, `2d`. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

const PATTERN = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/

/** Milliseconds, or null where the text is not a duration. */
export function parseDuration(text: string): number | null {
  const match = PATTERN.exec(text)
  if (text === '' || match === null) return null
  return UNITS.reduce((total, [, unitMs], index) => total + Number(match[index + 1] ?? 0) * unitMs, 0)
}

export function formatDuration(durationMs: number): string {
  let rest = durationMs
  let text = ''
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(rest / unitMs)
    if (count > 0) text += `${count}${unit}`
    rest -= count * unitMs
  }
  return text === '' ? '0s' : text
}
