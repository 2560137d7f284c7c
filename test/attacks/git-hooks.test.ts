/** Hooks of every name, where git looks for them and where `core.hooksPath` sends it. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const HOOKS = [
  ...['applypatch-msg', 'pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-merge-commit'],
  ...[
    'post-checkout',
    'post-merge',
    'post-rewrite',
    'post-index-change',
    'fsmonitor-watchman',
    'pre-auto-gc',
  ],
  ...[
    'reference-transaction',
    'pre-receive',
    'update',
    'post-receive',
    'post-update',
    'proc-receive',
    'pre-push',
  ],
].join(' ')

attack(
  '[W9] in the repository, the worktree and the folder that its settings name',
  {
    plays: ({ plant, evil, dir }) => ({
      develop: [
        [
          plant(
            'hook',
            `for folder in "$(git rev-parse --git-dir)/hooks" .githooks ${dir}/hooks; do
               mkdir -p $folder && for hook in ${HOOKS}; do cp ${evil} $folder/$hook || exit 1; done
             done; git config core.hooksPath ${dir}/hooks`,
          ),
          plant(
            'fire',
            'git commit --allow-empty -qm x; git config --unset core.hooksPath; git checkout -q -b x',
          ),
          plant('stray', 'echo stray > a.txt; git add -A'),
        ],
      ],
    }),
  },
  async ({ run, git, fired }) => {
    expect(await run.end()).toBe('done')
    expect(fired()).toBeGreaterThan(1)
    expect(git('show', 'HEAD:a.txt')).toBe('stray')
  },
)
