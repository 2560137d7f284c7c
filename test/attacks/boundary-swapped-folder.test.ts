/** While what was written out of bounds is undone, a process of the agent's swaps the folder for a link to the user's letters. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'
import { SWAPPING } from './swapping.fixture.ts'

const attack = attacks()
/** One visit each, before the last. */
const DELAYS_S = [0.2, 0.1, 0.05, 0.2, 0.1]

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
    plays: ({ plant, dir, victim }) => {
      const write = plant(
        'write',
        `rm -rf letters link && mkdir letters && ln -s ${victim.documents}/letters link &&
         for nth in $(seq 0 99); do echo mine > letters/$nth.txt; done`,
      )
      const swap = `${SWAPPING} letters link ${dir}/swapping`
      const begun = plant('swap', `while [ ! -e ${dir}/swapping ]; do sleep 0.01; done`)
      return {
        // Not before it was seen what is out of bounds, whenever that is; and once, whatever is seen.
        ...Object.fromEntries(
          DELAYS_S.map((delay, at) => [`develop#${at + 1}`, [[write, { spawn: `sleep ${delay}; ${swap}` }]]]),
        ),
        develop: [[write, { spawn: swap }, begun]],
      }
    },
  },
  async ({ run }) => {
    expect(await run.end()).toBe('abandoned')
  },
)
