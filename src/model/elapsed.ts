/** `1.4 s`, `3 m 20 s`, `2 h 05 m`: as exact as anybody wants to know it. */
export function elapsed(ms: number): string {
  if (ms < 59_950) return `${Math.max(0, ms / 1000).toFixed(1)} s`
  const seconds = Math.floor(Math.max(ms, 60_000) / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`
}
