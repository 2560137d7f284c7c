/**
 * While the host takes in what was written, a process of the agent's swaps a folder for a link to the user's letters, so
 * that the host reads those for it.
 */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'
import { SWAPPING } from './swapping.fixture.ts'

const attack = attacks()

attack(
  '[W9] nothing of the user’s is taken in',
  {
    runbook: `
      agents: { dev: {} }
      steps:
        develop:
          agent: dev
          gate: { run: 'false', max: 0 }
          next: done
          on: { failed: { to: develop, max: 6, then: abandoned } }
    `,
    plays: ({ plant, dir, victim }) => ({
      develop: [
        [
          plant(
            'write',
            'rm -rf letters link; mkdir letters && for nth in $(seq 0 99); do echo mine > letters/$nth.txt; done',
          ),
          plant('link', `ln -s ${victim.documents}/letters link`),
          { spawn: `${SWAPPING} letters link ${dir}/swapping` },
          plant('swap', `while [ ! -e ${dir}/swapping ]; do :; done`),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('abandoned')
  },
)
