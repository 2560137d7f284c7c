/** The agent's repository says that its files are the user's documents, and then goes astray, so that files must be put back. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W9] core.worktree names the user’s documents, then there is something to undo',
  {
    runbook: `
      agents: { dev: { writes: ['src/**'] }, check: { writes: [] } }
      steps:
        develop: { agent: dev, nudges: 0, next: review, on: { else: review } }
        review: { agent: check, options: { good: done, poor: abandoned }, on: { else: abandoned } }
    `,
    plays: ({ plant, attempt, victim }) => ({
      develop: [
        [
          plant(
            'stray',
            'git checkout -q --detach && git rm -q --cached a.txt && rm a.txt && mkdir letters && echo x > letters/0.txt',
          ),
          plant('lead', `git config core.worktree ${victim.documents}`),
          attempt('clean', 'git clean -fdx; git checkout -f; git stash -u'),
        ],
      ],
    }),
  },
  async ({ run, git }) => {
    expect(await run.end()).toBe('done')
    expect((await run.until('boundary.held')).files).toEqual(['a.txt', 'letters/0.txt'])
    expect(git('show', 'HEAD:a.txt')).toBe('a')
    expect(run.work.read('a.txt')).toBe('a\n')
  },
)
