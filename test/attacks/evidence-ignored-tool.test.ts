/** The program that a gate runs is one that git ignores, so its agent can replace it and nobody would see. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const FILES = {
  'a.txt': 'broken\n',
  '.gitignore': 'node_modules\n',
  'setup.sh': `mkdir -p node_modules/.bin && printf 'grep -q fixed a.txt\\n' > node_modules/.bin/check\n`,
}
const runbook = (needs: string): string => `
  agents: { dev: { writes: ['a.txt', 'setup.sh'] } }
  setup: { run: sh setup.sh, needs: ${needs} }
  steps:
    develop:
      agent: dev
      gate: { run: sh node_modules/.bin/check, max: 0, expect: none }
      next: done
      on: { failed: abandoned, else: abandoned }
`

attack(
  '[W14] the gate runs what setup made, not what the agent put in its place',
  {
    files: FILES,
    runbook: runbook('[setup.sh]'),
    plays: ({ plant }) => ({
      develop: [
        [
          plant('find', 'sh setup.sh; ! sh node_modules/.bin/check'),
          plant('replace', 'echo "exit 0" > node_modules/.bin/check && sh node_modules/.bin/check'),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('abandoned')
    expect((await run.until('member.faulted')).detail).toContain('The gate failed')
    expect(await run.all('gate.passed')).toEqual([])
  },
)

attack(
  '[W15] what setup makes of an agent’s version of its files reaches no other run',
  {
    files: FILES,
    runbook: runbook('[setup.sh]'),
    plays: ({ plant, dir }) => ({
      develop: [
        [
          plant(
            'poison',
            `[ -e ${dir}/poisoned ] && exit 0; touch ${dir}/poisoned
             printf 'mkdir -p node_modules/.bin && echo exit 0 > node_modules/.bin/check\\n' > setup.sh`,
          ),
        ],
      ],
    }),
  },
  async ({ house, run }) => {
    expect(await run.end()).toBe('done')
    const next = await house.start()
    expect(await next.end()).toBe('abandoned')
    expect(await next.all('gate.passed')).toEqual([])
  },
)
