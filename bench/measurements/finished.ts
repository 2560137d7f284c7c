/** The same costs among a thousand, ten thousand and a hundred thousand finished runs: they should be alike. */
import { compiled } from '../compiled.ts'
import { cpuSpeed } from '../cpu-speed.ts'
import type { Figure, Measurement } from '../figure.ts'
import { type AmongFinished, amongFinished } from '../finished.ts'
import { LOOP } from './durable.ts'
import { ASK } from './waiting.ts'

const SIZES = [1_000, 10_000, 100_000] as const

const FIGURES: readonly {
  readonly id: Exclude<keyof AmongFinished, 'finished'>
  readonly name: string
  readonly unit: string
}[] = [
  { id: 'step', name: 'a step, CPU', unit: 'µs' },
  { id: 'runs', name: 'first page of runs', unit: 'ms' },
  { id: 'decisions', name: 'first page of decisions', unit: 'ms' },
  { id: 'ready', name: 'host ready after', unit: 'ms' },
]

export const FINISHED_RUNS: Measurement = {
  title: 'among finished runs',
  part: 'journal',
  limitSeconds: 240,
  figures: FIGURES.flatMap(({ id, name, unit }) =>
    SIZES.map(
      (size): Figure => ({
        id: `finished/${id}-among-${size}`,
        name: `${name}, ${size.toLocaleString('en')}`,
        unit,
        better: 'lower',
        yardstick: 'cpu',
      }),
    ),
  ),
  measure: async () => {
    const speed = cpuSpeed()
    const programs = { asking: compiled('ask.yaml', ASK), stepping: compiled('loop.yaml', LOOP) }
    const seen = await amongFinished(programs, SIZES)
    return FIGURES.flatMap(({ id }) =>
      seen.map((among) => ({
        value: among[id],
        speed,
        says: '',
        base: { of: `${SIZES[0].toLocaleString('en')} finished`, ratio: among[id] / seen[0]![id] },
      })),
    )
  },
}
