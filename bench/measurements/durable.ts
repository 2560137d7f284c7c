/** Durable steps beside the raw commits of the same disk. */
import { compiled } from '../compiled.ts'
import { durableRates } from '../durable.ts'
import type { Figure, Measurement, Reading } from '../figure.ts'

/** A million steps: each lap begins a new pass of the private bound. */
export const LOOP = `runbook: 1
name: loop
budgets: { laps: 1000 }
steps:
  tick:
    check: "true"
    options: { pass: { to: tick, max: 1000, then: lap }, fail: { to: abandoned, exit: [1] } }
  lap:
    check: "true"
    options: { pass: { to: tick, spend: laps, then: done }, fail: { to: abandoned, exit: [1] } }
`

const rate = (id: string, name: string): Figure => ({
  id: `journal/${id}`,
  name,
  unit: 'a second',
  better: 'higher',
  yardstick: 'commits',
})

export const DURABLE_STEPS: Measurement = {
  title: 'durable steps',
  part: 'journal',
  limitSeconds: 60,
  figures: [
    rate('raw-commits', 'raw commits, one row each'),
    rate('steps-of-one-run', 'one run, step after step'),
    rate('steps-of-50-runs', '50 runs at once'),
  ],
  measure: async () => {
    const { raw, sequential, atOnce } = await durableRates(compiled('loop.yaml', LOOP))
    const reading = (value: number): Reading => ({
      value,
      speed: raw,
      says: '',
      base: { of: 'raw commits', ratio: value / raw },
    })
    return [reading(raw), reading(sequential), reading(atOnce)]
  },
}
