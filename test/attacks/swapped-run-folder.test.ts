/** While the host looks for answers and artifacts, the folders they lie in are swapped for links to the user's. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'
import { SWAPPING } from './swapping.fixture.ts'

const attack = attacks()

attack(
  '[W13] nothing of the user’s is taken for an artifact',
  {
    runbook: `
      agents: { dev: {} }
      steps: { develop: { agent: dev, gate: { run: 'false', max: 2 }, next: done, on: { else: abandoned } } }
    `,
    plays: ({ plant, dir, victim }) => ({
      develop: [
        [
          plant(
            'write',
            `cd .signalbox/run && mkdir letters && ln -s ${victim.documents}/letters link &&
             for nth in $(seq 0 19); do echo mine > letters/$nth.txt; done`,
          ),
          { spawn: `cd .signalbox/run && ${SWAPPING} letters link ${dir}/swapping` },
          plant('swap', `while [ ! -e ${dir}/swapping ]; do :; done`),
        ],
        [{ say: 'Again.' }],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('abandoned')
  },
)

attack(
  '[W13] nothing of the user’s is taken for an answer, and cleared away',
  {
    runbook: `
      agents: { dev: {} }
      steps:
        develop:
          agent: dev
          nudges: 1
          options: { good: done, poor: abandoned }
          on: { failed: { to: develop, max: 2, then: abandoned }, invalid: { to: develop, max: 2, then: abandoned } }
    `,
    plays: ({ plant, dir, victim }) => ({
      develop: [
        [
          plant(
            'write',
            `rm -rf .vibe .signalbox/run/vibe; mkdir .vibe && echo '{}' > .vibe/decision.json &&
             ln -s ${victim.project}/.vibe .signalbox/run/vibe`,
          ),
          { spawn: `${SWAPPING} .vibe .signalbox/run/vibe ${dir}/swapping` },
          plant('swap', `while [ ! -e ${dir}/swapping ]; do :; done`),
        ],
        // Nudged, it has swapped all the while: to set it up once more beside that would fail.
        [{ say: 'Again.' }],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('abandoned')
  },
)
