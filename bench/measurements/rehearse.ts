/** What `signalbox rehearse` walks in a second, and what it keeps of each state while it does. */
import { readFileSync } from 'node:fs'
import type { Program } from '../../src/model/program.ts'
import { type Rehearsal, rehearse } from '../../src/rehearsal/rehearse.ts'
import { best } from '../best.ts'
import { compiled, compiledFrom } from '../compiled.ts'
import { cpuSpeed } from '../cpu-speed.ts'
import type { Figure, Measurement } from '../figure.ts'
import { widePanel } from '../wide-panel.ts'

const MOST_STATES = 1_000_000
/** As many as show what each takes. */
const REMEMBERED_STATES = 50_000
const LIMITS = { title: 'rehearse', part: 'core', limitSeconds: 30 } as const

const example = (name: string) => (): Program => {
  const file = `examples/${name}.yaml`
  return compiled(file, readFileSync(file, 'utf8'))
}
const panel = (): Program => compiledFrom({ 'panel.yaml': widePanel(8) })

export const REHEARSALS: readonly Measurement[] = [
  ...['04-review-loop', '06-rework-budget', '08-flow-in-flow'].map((name) => rehearsing(name, example(name))),
  { ...rehearsing('panel of 8', panel), limitSeconds: 10 },
  remembering('06-rework-budget', example('06-rework-budget')),
  remembering('panel of 8', panel),
]

function rehearsing(name: string, programOf: () => Program): Measurement {
  const rate = (what: string): Figure => ({
    id: `rehearse/${name.replaceAll(' ', '-')}/${what}`,
    name: `${name}, ${what}`,
    unit: 'a second',
    better: 'higher',
    yardstick: 'cpu',
  })
  return {
    ...LIMITS,
    figures: [rate('states'), rate('moves')],
    measure: async () => {
      const speed = cpuSpeed()
      const program = programOf()
      const { ms, gave: rehearsal } = best(() => rehearse(program, { mostStates: MOST_STATES }))
      const reading = (count: number, what: string) => ({
        value: count / (ms / 1000),
        speed,
        says: `${count.toLocaleString('en')} ${what}${walked(rehearsal)}`,
        base: null,
      })
      return [reading(rehearsal.states.length, 'states'), reading(rehearsal.moves.length, 'moves')]
    },
  }
}

function remembering(name: string, programOf: () => Program): Measurement {
  return {
    ...LIMITS,
    figures: [
      {
        id: `rehearse/${name.replaceAll(' ', '-')}/memory`,
        name: `${name}, memory`,
        unit: 'bytes a state',
        better: 'lower',
        yardstick: null,
      },
    ],
    measure: async () => {
      const program = programOf()
      const before = heldNow()
      let most = 0
      const rehearsal = rehearse(program, {
        mostStates: REMEMBERED_STATES,
        progress: () => {
          most = Math.max(most, heldNow())
        },
      })
      const says = `${rehearsal.states.length.toLocaleString('en')} states${walked(rehearsal)}`
      return [{ value: (most - before) / rehearsal.states.length, speed: null, says, base: null }]
    },
  }
}

const walked = ({ stopped }: Rehearsal): string => (stopped === null ? '' : ', incomplete')

/** What cannot be collected; the process is started with `--expose-gc`. */
function heldNow(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
