/** The agents that can be given a scripted model, tried with it where they are installed. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedAgent, USUAL_AGENTS } from '../../../scripts/install-agents.ts'
import { CLAUDE } from '../../host/ready-agents/claude.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readEnvironment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import type { CommandSetting } from '../wiring.ts'
import { testScripted } from './scripted-trial.ts'

function setUp(agents: Readonly<Record<string, string | object>>) {
  const entries = Object.entries(agents).map(([name, entry]) => [
    name,
    typeof entry === 'string' ? { acp: entry } : entry,
  ])
  const place = createPlace({ user: JSON.stringify({ agents: Object.fromEntries(entries) }) })
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    HOME: place.dir,
    SIGNALBOX_HOME: join(place.dir, 'data'),
    SIGNALBOX_CONFIG: place.configDir,
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/not-this-one',
  })
  const paper = openPaper()
  const { signal } = new AbortController()
  const setting: CommandSetting = { environment, version: '0', terminal: paper.terminal, signal }
  return { setting, paper }
}

describe('signalbox agents test --scripted', () => {
  it.for(USUAL_AGENTS)(
    'takes %s through everything, without an account',
    { timeout: 120_000 },
    async (name, { skip }) => {
      const found = installedAgent(name)
      if (found === null) return skip(`${name} is not installed: npx tsx scripts/install-agents.ts`)
      const { setting, paper } = setUp({ [name]: found.argv.join(' ') })
      const code = await testScripted(name, { time: 100_000 }, setting)
      expect(paper.out()).toContain('It does all that Signalbox needs of an agent.')
      expect(code).toBe(0)
    },
  )

  it('[D33] takes an agent of the user through the same, as its entry in the config says', {
    timeout: 120_000,
  }, async ({ skip }) => {
    const found = installedAgent('claude')
    if (found === null) return skip('claude is not installed: npx tsx scripts/install-agents.ts')
    const { env, smallModel } = CLAUDE.scripted
    const scripted = { env, small_model: smallModel, folders: ['.claude'], files: { '.claude.json': {} } }
    const { setting, paper } = setUp({ mine: { acp: found.argv.join(' '), scripted } })
    const code = await testScripted('mine', { time: 100_000 }, setting)
    expect(paper.out()).toContain('It does all that Signalbox needs of an agent.')
    expect(code).toBe(0)
  })

  it('has nothing to try where it is not installed', async () => {
    const { setting, paper } = setUp({ claude: 'no-such-program' })
    expect(await testScripted('claude', {}, setting)).toBe(2)
    expect(paper.err()).toContain('claude is not installed: there is no no-such-program.')
  })

  it('says plainly where it is not known how', async () => {
    const { setting, paper } = setUp({ mine: 'no-such-program' })
    expect(await testScripted('mine', {}, setting)).toBe(2)
    expect(paper.err()).toContain(
      'How mine is given a scripted model is not known: say it under `scripted:` in its entry',
    )
  })
})
