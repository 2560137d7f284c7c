/**
 * Runs a measurement in a process of its own: on a small heap, and ended when it takes too long. Its limit is CPU
 * time, so that others on the machine do not make it late; the clock only ends what waits for ever.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { idOf, type Measurement, type Reading } from './figure.ts'

export type Outcome =
  | { readonly kind: 'measured'; readonly readings: readonly Reading[] }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly how: string }

const NODE = [process.execPath, '--expose-gc']
const LIMITED = 'ulimit -c 0; ulimit -S -t "$0"; exec "$@"'
const CLOCK_TO_CPU = 10
const [CPU_IS_UP, CLOCK_IS_UP] = ['SIGXCPU', 'SIGTERM'] as const

export function measureApart(measurement: Measurement): Promise<Outcome> {
  const page = fileURLToPath(new URL('./measure-one.js', import.meta.url))
  const { limitSeconds } = measurement
  const child = spawn('sh', ['-c', LIMITED, String(limitSeconds), ...NODE, page, idOf(measurement)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    timeout: limitSeconds * CLOCK_TO_CPU * 1000,
    killSignal: CLOCK_IS_UP,
  })
  return new Promise((resolve) => {
    let readings: readonly Reading[] | null = null
    child.on('message', (message) => {
      readings = message as readonly Reading[]
    })
    child.on('close', (code, signal) => {
      if (readings !== null) resolve({ kind: 'measured', readings })
      else if (signal === CPU_IS_UP || signal === CLOCK_IS_UP) resolve({ kind: 'late' })
      else resolve({ kind: 'failed', how: signal ?? `exit code ${code}` })
    })
  })
}

/** A reading for each figure, also where there is none. */
export function readingsOf({ figures, limitSeconds }: Measurement, outcome: Outcome): readonly Reading[] {
  switch (outcome.kind) {
    case 'measured':
      return outcome.readings
    case 'late':
      return figures.map(() => nothing(`not within ${limitSeconds} s`))
    case 'failed':
      return figures.map(() => nothing(`failed: ${outcome.how}`))
  }
}

const nothing = (says: string): Reading => ({ value: null, speed: null, says, base: null })
