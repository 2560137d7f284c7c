/** What the suite saw when it was last asked to record it: the table of the guide is made of this. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ReadyAgent } from '../../src/host/ready-agents/ready-agent.ts'
import type { Cell } from './table.ts'

export interface SeenAgent {
  readonly version: string
  /** By the name of the behaviour: `yes`, or why not. */
  readonly behaviours: Readonly<Record<string, string>>
}

export type Seen = Readonly<Record<string, SeenAgent>>

const FILE = 'test/agents/seen.json'

const readSeen = (): Seen => JSON.parse(readFileSync(FILE, 'utf8')) as Seen

/** Behaviours that were not played this time stay as they were, where the version is the same. */
export function keepSeen(agents: readonly ReadyAgent[], cells: readonly Cell[]): void {
  const before = readSeen()
  const now = agents.map(({ name, package: { version } }): [string, SeenAgent] => {
    const known = before[name]?.version === version ? before[name].behaviours : {}
    const played = cells
      .filter(({ agent }) => agent === name)
      .map(({ behaviour, verdict, reason }) => [behaviour, verdict === 'yes' ? 'yes' : reason])
    return [name, { version, behaviours: { ...known, ...Object.fromEntries(played) } }]
  })
  const all = Object.entries({ ...before, ...Object.fromEntries(now) })
  writeFileSync(
    FILE,
    `${JSON.stringify(Object.fromEntries(all.toSorted(([one], [other]) => one.localeCompare(other))), null, 2)}\n`,
  )
}
