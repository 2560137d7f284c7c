/** The wall clock of every host of a project, which can be set; see shifted-clock.mjs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SetClock {
  /** What Node is started with, so that it goes by this clock. */
  readonly nodeWords: readonly string[]
  /** What time it is there. */
  now(): number
  /** Forward or back, for the host that lives now and for those that come. */
  moveBy(ms: number, host: number): void
}

export function createSetClock(dir: string): SetClock {
  const file = join(dir, 'clock')
  const preload = new URL('shifted-clock.mjs', import.meta.url)
  preload.searchParams.set('file', file)
  let shiftMs = 0
  return {
    nodeWords: ['--import', preload.href],
    now: () => Date.now() + shiftMs,
    moveBy: (ms, host) => {
      shiftMs += Math.round(ms)
      writeFileSync(file, `${shiftMs}`)
      process.kill(host, 'SIGUSR2')
    },
  }
}
