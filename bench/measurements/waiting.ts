/** A host among ten thousand runs that wait for a person. */
import { compiled } from '../compiled.ts'
import { cpuSpeed } from '../cpu-speed.ts'
import type { Figure, Measurement, Reading } from '../figure.ts'
import { BARE, startUpMs, waitingRuns } from '../waiting.ts'

export const ASK = `runbook: 1
name: ask
steps:
  ship:
    decide: Ship it?
    options: { yes: done, no: abandoned }
    deadline: { remind: 2h, expire: 30d }
    on: { expired: abandoned }
`
const MANY = 10_000

const figure = (id: string, rest: Pick<Figure, 'name' | 'unit' | 'yardstick'>): Figure => ({
  id: `waiting/${id}`,
  better: 'lower',
  ...rest,
})

export const WAITING_RUNS: Measurement = {
  title: `${MANY.toLocaleString('en')} runs that wait`,
  part: 'journal',
  limitSeconds: 60,
  figures: [
    figure('ready', { name: 'host ready after', unit: 'ms', yardstick: 'starts' }),
    figure('memory', { name: 'memory', unit: 'MB', yardstick: null }),
    figure('idle-cpu', { name: 'CPU in three idle seconds', unit: 'ms', yardstick: 'cpu' }),
  ],
  measure: async () => {
    const [cpu, starts] = [cpuSpeed(), 1000 / startUpMs(BARE)]
    const { readyMs, rssMb, cpuMs } = await waitingRuns(compiled('ask.yaml', ASK), MANY)
    const reading = (value: number, speed: number | null): Reading => ({ value, speed, says: '', base: null })
    return [reading(readyMs, starts), reading(rssMb, null), reading(cpuMs, cpu)]
  },
}
