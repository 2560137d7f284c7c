/** The user's own git, after the run: whatever agents planted, none of it runs. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W1] FIELD 32: status, log, diff, fetch and gc in the user’s checkout run nothing of the agent’s',
  {
    plays: ({ plant, attempt, evil, house: { repo } }) => ({
      develop: [
        [
          attempt(
            'hook',
            `mkdir -p ${repo.dir}/.git/hooks && cp ${evil} ${repo.dir}/.git/hooks/post-checkout`,
          ),
          attempt('commondir', `echo ../../lair > ${repo.dir}/.git/commondir`),
          attempt('config', `git --git-dir=${repo.dir}/.git config core.fsmonitor ${evil}`),
          attempt('files', `echo '* filter=x' > ${repo.dir}/.gitattributes`),
          attempt(
            'worktrees',
            `mkdir -p ${repo.dir}/.git/worktrees/x && echo "$PWD/.git" > ${repo.dir}/.git/worktrees/x/gitdir`,
          ),
          plant(
            'own',
            `git config core.fsmonitor ${evil} && git config filter.x.clean ${evil} && git config diff.external ${evil}`,
          ),
          plant(
            'commit',
            `printf '* filter=x diff=x\\n' > .gitattributes && echo more >> a.txt && git add -A; true`,
          ),
          plant('fire', 'git status; true'),
        ],
      ],
    }),
    afterwards: ({ house: { repo }, fired }) => {
      const before = fired()
      const [branch = ''] = repo
        .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/signalbox')
        .split('\n')
      repo.git('status')
      repo.git('log', '-p', '--all')
      repo.git('diff', 'HEAD', branch)
      repo.git('fetch', '--all')
      repo.git('worktree', 'prune')
      repo.git('gc', '-q', '--prune=now')
      repo.git('merge', '-q', branch)
      expect(repo.read('a.txt')).toBe('a\nmore\n')
      expect(fired()).toBe(before)
    },
  },
  async ({ run, exit, fired }) => {
    expect(await run.end()).toBe('done')
    for (const name of ['hook', 'commondir', 'config', 'files', 'worktrees']) expect(exit(name)).not.toBe(0)
    expect(fired()).toBeGreaterThan(0)
  },
)
