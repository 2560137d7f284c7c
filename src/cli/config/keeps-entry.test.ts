/** `keeps` as a config has it. */
import { describe, expect, it } from 'vitest'
import { NO_KEEPS } from '../../host/confinement/keeps/keeps.ts'
import { readyAgent } from '../../host/ready-agents/ready-agents.ts'
import { createPlace } from './config.fixture.ts'
import { programFor, readConfig } from './config.ts'

function reads(user: string) {
  const { config, diagnostics } = readConfig({ ...createPlace({ user }), repo: null })
  const told = diagnostics.map(({ at, message }) => `${at.line}:${at.column} ${message}`)
  return { told, keeps: (name: string) => programFor(config, { searchPath: '' })(name)?.keeps }
}

describe('keeps', () => {
  it('[X19] adds to what a known agent keeps, part by part; a plain list replaces it', () => {
    const more = '{ login: ["~/.claude/other.json"], settings: ["~/.claude/skills", "~/.claude/more"] }'
    const { keeps, told } = reads(
      `agents: { claude: { keeps: ${more} }, codex: { keeps: ["~/.codex/"] }, mine: { acp: m, keeps: { sessions: ["~/.mine"] } } }`,
    )
    expect(told).toEqual([])
    const known = readyAgent('claude')!.keeps
    expect(keeps('claude')).toEqual({
      ...known,
      login: [...known.login, '~/.claude/other.json'],
      settings: [...known.settings, '~/.claude/more'],
    })
    expect(keeps('codex')).toEqual({ ...NO_KEEPS, copied: ['~/.codex'] })
    expect(keeps('mine')).toEqual({ ...NO_KEEPS, sessions: ['~/.mine'] })
  })

  it.each([
    ['[cache]', '1:32 "cache" is not a file or folder in your home.'],
    ['["~/"]', '1:32 "~/" is not a file or folder in your home.'],
    ['{ login: [/x/auth.json] }', '1:41 "/x/auth.json" is not a file or folder in your home.'],
    ['{ settings: ["~/../other/.mine"] }', '1:44 "~/../other/.mine" is not a file or folder in your home.'],
    [
      '{ settings: ["~/.mine"], sessions: ["~/.mine/sessions"] }',
      '1:31 "~/.mine/sessions" lies in a folder of `settings`, which can only be read.',
    ],
  ])('[X19] is refused where it has no place in a private home: %s', (what, expected) => {
    expect(reads(`agents: { x: { acp: a, keeps: ${what} } }`).told).toEqual([expected])
  })
})
