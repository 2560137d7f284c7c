/** The stage itself: a play that fails must not leave a host, or what its agent started. */
import { expect, it } from 'vitest'
import { installedAgent } from '../../scripts/install-agents.ts'
import { houses } from '../host/host.fixture.ts'
import { processesOf } from '../host/processes.fixture.ts'
import { eventually } from '../host/run.fixture.ts'
import { AGENTS } from './programs.ts'
import { premisesFor } from './real-host.fixture.ts'
import { judging, onStage } from './stage.fixture.ts'

const openHouse = houses()
const agent = AGENTS.find(({ name }) => installedAgent(name) !== null)

it.skipIf(agent === undefined).each(['stops', 'was killed'])(
  'a play that fails leaves nothing running, whether its host %s',
  async (how) => {
    let ground = ''
    const failing = onStage(agent!, openHouse, async (stage) => {
      ground = stage.ground
      const premises = premisesFor(stage, judging([{ do: [{ say: 'late', afterMs: 600_000 }] }]))
      const { repo, runbook } = premises
      const host = await premises.up()
      await host.operations.start({ runbook, dir: repo, base: null, issue: null, vars: {} })
      await eventually(() => stage.model.asked.length > 0).toBe(true)
      expect(processesOf(ground)).not.toEqual([])
      if (how === 'was killed') await host.kill()
      throw new Error('the play failed')
    })
    await expect(failing).rejects.toThrow('the play failed')
    await eventually(() => processesOf(ground)).toEqual([])
  },
)
