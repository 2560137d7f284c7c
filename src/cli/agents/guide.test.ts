/** docs/agents.md: its configs are read, and what it says of the ready entries is what they are. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingPlace } from '../../host/confinement/keeps/keeps.ts'
import { COMMON_AGENTS, readyAgent } from '../../host/ready-agents/ready-agents.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readConfig } from '../config/config.ts'

const guide = readFileSync('docs/agents.md', 'utf8')
const blocks = [...guide.matchAll(/```yaml\n(?!# in a runbook)([\s\S]*?)```/g)].map(([, text = '']) => text)
const plain = guide.replaceAll('`', '').replaceAll(/\s+/g, ' ')

describe('docs/agents.md', () => {
  it.each(blocks.map((text) => [text.trim().split('\n')[1]?.trim() ?? '', text]))(
    'shows a good config: %s',
    (_line, text) => {
      const { configDir } = createPlace({ user: text })
      const { config, diagnostics } = readConfig({ configDir, repo: null })
      expect(diagnostics).toEqual([])
      expect(Object.keys(config.agents)).not.toEqual([])
    },
  )

  it.each(COMMON_AGENTS.map((agent) => [agent.name, agent] as const))(
    'says of %s what is so',
    (name, agent) => {
      const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
      const [, , starts, tried] = row.split('|').map((cell) => cell.trim())
      expect(tried).toBe(readyAgent(name)?.package.version)
      expect(starts).toBe(`\`${agent.argv.join(' ')}\``)
      const { login, settings, sessions } = agent.keeps
      const cells = [login, settings.map(settingPlace), sessions].map((places) =>
        places.map((place) => `\`${place}\``).join(' '),
      )
      expect(guide).toContain(`| \`${name}\` | ${cells.join(' | ')} |\n`)
      expect(guide).toContain(`### ${name}\n`)
      if (agent.install.startsWith('npm') || agent.install.startsWith('uv'))
        expect(plain).toContain(agent.install)
      expect(plain).toContain(agent.login?.replaceAll('`', '').replace(/^run /, ''))
    },
  )
})
