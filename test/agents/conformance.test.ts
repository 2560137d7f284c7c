/**
 * Real agent programs, driven as users drive them; only the model behind them is scripted. Every behaviour is played by
 * all agents that are installed, several at a time; the table at the end says who does what.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { installedAgent } from '../../scripts/install-agents.ts'
import { houses } from '../host/host.fixture.ts'
import { BEHAVIOURS } from './behaviours/behaviours.ts'
import { AGENTS } from './programs.ts'
import { keepSeen } from './seen.ts'
import { onStage } from './stage.fixture.ts'
import { type Cell, tableText } from './table.ts'

const here = AGENTS.filter(({ name }) => installedAgent(name) !== null)
const missing = AGENTS.filter((each) => !here.includes(each)).map(({ name }) => name)
const openHouse = houses()
const cells: Cell[] = []

if (missing.length > 0)
  process.stdout.write(
    `agents: ${missing.join(', ')} not installed, so skipped. To have them: npx tsx scripts/install-agents.ts ${missing.join(' ')}\n`,
  )

afterAll(() => {
  if (cells.length === 0) return
  const names = BEHAVIOURS.map(({ name }) => name)
  const notes = here.flatMap(({ name, peculiar }) => peculiar.map((note) => `${name}: ${note}`))
  process.stdout.write(`\n${[tableText(names, cells), ...notes].join('\n')}\n\n`)
  if (process.env['AGENTS_RECORD'] !== undefined) keepSeen({ agents: here, order: names, cells })
})

for (const { name, play } of BEHAVIOURS)
  describe.concurrent(name, () => {
    for (const agent of AGENTS)
      it.skipIf(!here.includes(agent))(agent.name, async () => {
        const beganAt = performance.now()
        const error = await onStage(agent, openHouse, play).then(
          () => null,
          (thrown: unknown) => thrown,
        )
        const known = agent.cannot[name]
        const chance = agent.sometimes?.[name]
        const reason =
          known ?? chance ?? (error instanceof Error ? error.message.split('\n')[0]! : String(error))
        const verdict = error === null ? 'yes' : 'no'
        cells.push({
          agent: agent.name,
          behaviour: name,
          verdict,
          reason,
          tookMs: performance.now() - beganAt,
        })
        if (known !== undefined) expect(verdict, `the entry of ${agent.name} says: ${known}`).toBe('no')
        else if (error !== null && chance === undefined) throw error
      })
  })
