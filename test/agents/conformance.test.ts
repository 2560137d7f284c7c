/**
 * Real agent programs, driven as users drive them; only the model behind them is scripted. Every behaviour is played by
 * all agents that are installed, several at a time; the table at the end says who does what.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { houses } from '../host/host.fixture.ts'
import { BEGINNING } from './behaviours/beginning.ts'
import { DECISIONS } from './behaviours/decisions.ts'
import { FAULTS } from './behaviours/faults.ts'
import { HOLDING } from './behaviours/holding.ts'
import { CANNOT, PECULIAR } from './limits.ts'
import { AGENT_NAMES, installed } from './programs.ts'
import { onStage } from './stage.fixture.ts'
import { type Cell, tableText } from './table.ts'

const BEHAVIOURS = [...BEGINNING, ...DECISIONS, ...FAULTS, ...HOLDING]
const here = installed()
const missing = AGENT_NAMES.filter((name) => !here.includes(name))
const openHouse = houses()
const cells: Cell[] = []

if (missing.length > 0)
  process.stdout.write(
    `agents: ${missing.join(', ')} not installed, so skipped. To have them: node scripts/install-agents.mjs\n`,
  )

afterAll(() => {
  if (cells.length === 0) return
  const names = BEHAVIOURS.map(({ name }) => name)
  const notes = here.flatMap((agent) => PECULIAR[agent].map((note) => `${agent}: ${note}`))
  process.stdout.write(`\n${[tableText(names, cells), ...notes].join('\n')}\n\n`)
})

for (const { name, play } of BEHAVIOURS)
  describe.concurrent(name, () => {
    for (const agent of AGENT_NAMES)
      it.skipIf(!here.includes(agent))(agent, async () => {
        const beganAt = performance.now()
        const error = await onStage(agent, openHouse, play).then(
          () => null,
          (thrown: unknown) => thrown,
        )
        const known = CANNOT[agent][name]
        const reason = known ?? (error instanceof Error ? error.message.split('\n')[0]! : String(error))
        const verdict = error === null ? 'yes' : 'no'
        cells.push({ agent, behaviour: name, verdict, reason, tookMs: performance.now() - beganAt })
        if (known !== undefined) expect(verdict, `limits.ts says of ${agent}: ${known}`).toBe('no')
        else if (error !== null) throw error
      })
  })
