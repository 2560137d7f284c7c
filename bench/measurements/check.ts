/** What `signalbox check` takes: long runbooks, flows inside flows, loops inside loops. */
import type { Certificate } from '../../src/model/certificate.ts'
import { certify } from '../../src/runbook/proof/certificate.ts'
import { best } from '../best.ts'
import { compiledFrom } from '../compiled.ts'
import { cpuSpeed } from '../cpu-speed.ts'
import { deepFlows } from '../deep-flows.ts'
import type { Measurement } from '../figure.ts'
import { longRunbook } from '../long-runbook.ts'
import { nestedLoops } from '../nested-loops.ts'

type Files = Readonly<Record<string, string>>

const TITLE = 'check (compile and certify)'
const long = (steps: number): Files => ({ 'long.yaml': longRunbook(steps) })
const SHORTEST = '25 steps'

export const CHECKS: readonly Measurement[] = [
  ...[25, 50, 100, 200, 400].map((steps) => checking(`${steps} steps`, long(steps))),
  ...[30, 60, 150].map((depth) => checking(`flows ${depth} deep`, deepFlows(depth))),
  checking('4 nested loops of 10', { 'nested.yaml': nestedLoops(4, 10) }),
]

function checking(name: string, files: Files): Measurement {
  const id = `check/${name.replaceAll(' ', '-')}`
  return {
    title: TITLE,
    part: 'core',
    limitSeconds: 25,
    figures: [{ id, name, unit: 'ms', better: 'lower', yardstick: 'cpu' }],
    measure: async () => {
      const speed = cpuSpeed()
      // A fresh compilation each time: what is known of a program is kept with it.
      const check = (of: Files): Certificate => certify(compiledFrom(of))
      const shortest = best(() => check(long(25)))
      const { ms, gave } = best(() => check(files))
      const base = name === SHORTEST ? null : { of: SHORTEST, ratio: ms / shortest.ms }
      return [{ value: ms, speed, says: gave.exact ? 'exact' : 'at most', base }]
    },
  }
}
