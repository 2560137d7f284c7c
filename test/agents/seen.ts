/** What the suite saw when it was last asked to record it: the table of the guide is made of this. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ReadyAgent } from '../../src/host/ready-agents/ready-agent.ts'
import type { Cell } from './table.ts'

export interface SeenAgent {
  readonly version: string
  /** By the name of the behaviour: `yes`, why not, or why not always. */
  readonly behaviours: Readonly<Record<string, string>>
}

export type Seen = Readonly<Record<string, SeenAgent>>

/** Before the reason of what is not always so. */
export const SOMETIMES = 'sometimes: '

const FILE = 'test/agents/seen.json'

export const readSeen = (): Seen => JSON.parse(readFileSync(FILE, 'utf8')) as Seen

export interface Played {
  readonly agents: readonly ReadyAgent[]
  /** All behaviours there are, as the table shows them. */
  readonly order: readonly string[]
  readonly cells: readonly Cell[]
}

/** Behaviours that were not played this time stay as they were, where the version is the same. */
export function keepSeen({ agents, order, cells }: Played): void {
  const before = readSeen()
  const now = agents.map(({ name, package: { version }, sometimes = {} }): [string, SeenAgent] => {
    const known = before[name]?.version === version ? before[name].behaviours : {}
    const behaviours = order.flatMap((behaviour) => {
      const cell = cells.find((each) => each.agent === name && each.behaviour === behaviour)
      const chance = sometimes[behaviour]
      if (cell !== undefined && chance !== undefined) return [[behaviour, `${SOMETIMES}${chance}`] as const]
      const what = cell === undefined ? known[behaviour] : cell.verdict === 'yes' ? 'yes' : cell.reason
      return what === undefined ? [] : [[behaviour, what] as const]
    })
    return [name, { version, behaviours: Object.fromEntries(behaviours) }]
  })
  const all = Object.entries({ ...before, ...Object.fromEntries(now) })
  const sorted = all.toSorted(([one], [other]) => one.localeCompare(other))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
