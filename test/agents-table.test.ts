/** The table of eight agents in the guide is what the conformance suite recorded, whole, of the versions that are pinned. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { READY_AGENTS } from '../src/host/ready-agents/ready-agents.ts'
import { BEHAVIOURS } from './agents/behaviours/behaviours.ts'
import { guideTable, withTable } from './agents/guide-table.ts'
import { readSeen, SOMETIMES } from './agents/seen.ts'

const seen = readSeen()
const behaviours = BEHAVIOURS.map(({ name }) => name)

describe('what was seen of agents', () => {
  it('stands in the guide as it was recorded', () => {
    const guide = readFileSync('docs/agents.md', 'utf8')
    const agents = READY_AGENTS.map(({ name }) => name)
    expect(withTable(guide, guideTable(seen, { agents, behaviours }))).toBe(guide)
  })

  it.each(READY_AGENTS.map((ready) => [ready.name, ready] as const))(
    'is whole for %s, and fails only where its entry says so',
    (name, { package: { version }, cannot, sometimes = {} }) => {
      expect(seen[name]?.version).toBe(version)
      expect(Object.keys(seen[name]?.behaviours ?? {})).toEqual(behaviours)
      const lacking = Object.entries(seen[name]?.behaviours ?? {}).filter(([, what]) => what !== 'yes')
      const chances = Object.entries(sometimes).map(([behaviour, why]) => [behaviour, `${SOMETIMES}${why}`])
      expect(Object.fromEntries(lacking)).toEqual({ ...cannot, ...Object.fromEntries(chances) })
    },
  )
})

describe('the table', () => {
  it('says yes, no with the reason below, and what was not played', () => {
    const some = { a: { version: '1', behaviours: { walks: 'yes', flies: 'it has no wings' } } }
    expect(guideTable(some, { agents: ['a', 'b'], behaviours: ['walks', 'flies', 'swims'] })).toBe(
      [
        '| behaviour | a 1 |',
        '| --- | --- |',
        '| walks | yes |',
        '| flies | **no** |',
        '| swims | not played |',
        '',
        'Where it does not say yes:',
        '',
        '- **a**, flies: it has no wings.',
      ].join('\n'),
    )
  })
})
