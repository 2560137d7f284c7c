/** A user who looks at the work starts another run from there: git is asked about a repository that is an agent's. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { eventually } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W19] none starts in a worktree of a run, and git is not asked there',
  {
    runbook: 'steps: { develop: { agent: dev, next: done, on: { else: abandoned } } }',
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant(
            'set',
            `git config filter.x.clean ${evil} && git config filter.x.process ${evil} && mkdir sub`,
          ),
          plant('mark', `printf '* filter=x\\n' > .gitattributes && echo more >> a.txt`),
          plant('fire', 'git status; true'),
          { hang: true },
        ],
      ],
    }),
  },
  async ({ house, run, fired, dir }) => {
    // All of it: git may run such a program more than once.
    await eventually(() => existsSync(join(dir, 'marks/fire'))).toBe(true)
    const before = fired()
    expect(before).toBeGreaterThan(0)
    for (const dir of [run.work.dir, `${run.work.dir}/sub`])
      expect((await house.problems({ dir })).join('\n')).toContain('is in the worktree of a run')
    expect(fired()).toBe(before)
    await run.tell({ type: 'run.cancel', reason: 'enough' })
    await run.end()
  },
)
