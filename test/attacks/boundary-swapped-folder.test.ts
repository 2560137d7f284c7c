/** While what was written out of bounds is undone, a process of the agent's swaps the folder for a link to the user's letters. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'
import { SWAPPING } from './swapping.fixture.ts'

const attack = attacks()

attack(
  '[W3] nothing of the user’s vanishes, changes or is taken in',
  {
    runbook: `
      agents: { dev: { writes: ['src/**'] } }
      steps:
        develop:
          agent: dev
          nudges: 0
          next: done
          on: { else: { to: develop, max: 5, then: abandoned } }
    `,
    plays: ({ plant, dir, victim }) => ({
      develop: [
        [
          plant(
            'write',
            `rm -rf letters link && mkdir letters && ln -s ${victim.documents}/letters link &&
             for nth in $(seq 0 99); do echo mine > letters/$nth.txt; done`,
          ),
          // Not before it was seen what is out of bounds.
          { spawn: `sleep 0.2; ${SWAPPING} letters link ${dir}/swapping` },
        ],
      ],
    }),
  },
  async ({ run, dir }) => {
    expect(await run.end()).toBe('abandoned')
    expect(existsSync(join(dir, 'swapping'))).toBe(true)
  },
)
