/** The user's keys, credentials, history, documents and other projects, and Signalbox's own data. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[X1] [X4] none of it can be read',
  {
    prepare: ({ house: { home, repo } }) => {
      repo.write('.git/info/exclude', '.env\n')
      repo.write('.env', 'top-secret-of-the-checkout\n')
      repo.git('config', 'remote.origin.url', 'https://user:top-secret-password@example.com/')
      repo.git('config', 'http.extraHeader', 'Authorization: top-secret-header')
      mkdirSync(join(home.worktrees, 'another-run'), { recursive: true })
      writeFileSync(join(home.worktrees, 'another-run/.env'), 'top-secret-of-another-run\n')
    },
    plays: ({ steal, attempt, victim, house: { home, repo } }) => ({
      develop: [
        [
          steal('keys', `cat ${victim.home}/.ssh/* ~/.ssh/*`),
          steal(
            'credentials',
            `cat ${victim.home}/.aws/credentials ${victim.home}/.npmrc ${victim.home}/.bash_history`,
          ),
          steal('project', `cat ${victim.project}/.env; git --git-dir=${victim.project}/.git config --list`),
          steal('everything', `tar -cf - ${victim.home} 2>/dev/null`),
          steal('door', `cat ${home.door} ${home.secret}`),
          steal(
            'around',
            'cat ../../user/.ssh/id_ed25519 $(find /var/tmp /home /root -name id_ed25519 2>/dev/null)',
          ),
          steal('checkout', `cat ${repo.dir}/.env`),
          steal('settings', `cat ${repo.dir}/.git/config; git config --list --show-origin`),
          attempt('runs', `cat ${home.worktrees}/*/.env ${home.database} ${home.logs}/*`),
        ],
      ],
    }),
  },
  async ({ run, printed }) => {
    expect(await run.end()).toBe('done')
    expect(printed('keys')).toContain('No such file')
  },
)
