/** Credentials that lie beside programs, in folders of the system, and in values that a run is given. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { plantedOpt } from './administrator.fixture.ts'
import { attacks } from './attack.fixture.ts'
import { victimAt } from './victim.fixture.ts'

const attack = attacks()

const SECRET = 'top-secret-credential'
const PASSWORD = `https://user:${SECRET}@example.com`

/** Below the home: listed ones, then those that nobody listed. */
const FILES: Readonly<Record<string, string>> = {
  '.nvm/versions/node/v20/etc/npmrc': `//registry.example.com/:_authToken=${SECRET}`,
  '.local/share/fnm/node-versions/v20/installation/etc/npmrc': `_auth=${SECRET}`,
  '.volta/tools/image/node/20/etc/npmrc': `registry=${PASSWORD}`,
  '.local/share/mise/installs/node/20/etc/npmrc': `//example.com/:_password="${SECRET}"`,
  '.pyenv/versions/3.12/pip.conf': `[global]\nindex-url = ${PASSWORD}/simple`,
  'conda/envs/a/conda-meta/state': `{"env_vars":{"A":"${SECRET}"}}`,
  'conda/.condarc': `channels: [https://conda.example.com/t/${SECRET}/main]`,
  'conda/etc/conda/activate.d/env_vars.sh': `export API_KEY=${SECRET}`,
  '.nvm/versions/plain-settings': `//registry.example.com/:_authToken=${SECRET}`,
  '.rustup/toolchains/stable/.netrc': `machine example.com login a password ${SECRET}`,
  '.sdkman/candidates/maven/3.9/conf/settings.xml': `<settings><server><password>${SECRET}</password></server></settings>`,
  '.nvm/versions/node/v20/lib/node_modules/npm/npmrc': `_auth=${SECRET}`,
  'tools/share/app/signing.pem': `-----BEGIN PRIVATE KEY-----\n${SECRET}\n`,
}
const TOOL = 'tools/bin/tool'

function settleToolchains(home: string): void {
  for (const [name, text] of Object.entries({ ...FILES, [TOOL]: 'a tool' })) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), `${text}\n`, { mode: 0o644 })
  }
  symlinkSync('plain-settings', join(home, '.nvm/versions/npmrc'))
}

attack(
  '[D25] [X3] [X22] none beside a toolchain, in a setting or in a variable',
  {
    environment: (ground) => {
      const victim = victimAt(ground)
      settleToolchains(victim.home)
      return {
        ...victim.environment,
        PATH: `${process.env['PATH']}:${join(victim.home, 'tools/bin')}`,
        CONDA_PREFIX: join(victim.home, 'conda'),
        GOPROXY: `off,${PASSWORD}|direct`,
        HTTPS_PROXY: PASSWORD,
        http_proxy: `user:${SECRET}@example.com:3128`,
        ALL_PROXY: `socks5h://user:${SECRET}@10.0.0.1:1080`,
        GOFLAGS: `-ldflags=-X=main.token=${SECRET}`,
        NIX_PATH: `nixpkgs=${PASSWORD}/a?access_token=${SECRET}`,
      }
    },
    prepare: ({ house: { repo } }) => {
      const address = `${PASSWORD}/x.git`
      repo.git('config', 'remote.origin.url', address)
      repo.git('config', 'remote.origin.promisor', 'true')
      repo.git('config', 'branch.main.remote', address)
      repo.git('config', 'branch.main.pushRemote', address)
      repo.git('config', 'lfs.url', address)
      repo.git('config', `lfs.${address}.locksverify`, 'true')
      repo.git('config', 'filter.own.clean', `cat # --token=${SECRET}`)
    },
    plays: ({ steal, attempt, plant, victim: { home } }) => ({
      develop: [
        [
          steal(
            'files',
            `cat ${Object.keys(FILES)
              .map((name) => join(home, name))
              .join(' ')}`,
          ),
          steal('link', `cat ${join(home, '.nvm/versions/npmrc')}`),
          steal(
            'all',
            `grep -r t[o]p- ${['.nvm', '.volta', '.pyenv', 'conda'].map((name) => join(home, name)).join(' ')}`,
          ),
          plant('tool', `cat ${join(home, TOOL)}`),
          attempt('environment', 'env; cat /proc/*/environ'),
          attempt(
            'settings',
            'git config --list --show-origin; cat "$(git rev-parse --git-dir)"/config "$(dirname "$(git rev-parse --git-dir)")"/store.git/config',
          ),
        ],
      ],
    }),
  },
  async ({ run, printed }) => {
    expect(await run.end()).toBe('done')
    expect(printed('tool')).toBe('a tool\n')
    expect(printed('environment')).toContain('GOPROXY=off,https://example.com|direct')
    expect(printed('settings')).toContain('remote.origin.url=https://example.com/x.git')
    expect(printed('settings')).toContain('[remote "origin"]')
  },
)

if (plantedOpt !== null) {
  const opt = plantedOpt
  const at = (name: string): string => join(opt, 'app', name)
  attack(
    '[D10] [X21] nothing of the system that is not for everybody, also where root may read it',
    {
      plays: ({ steal, attempt, plant }) => ({
        develop: [
          [
            steal(
              'by name',
              `cat ${at('owner')} ${at('group')} ${at('environment')} ${at('closed/file')} ${at('unlisted/file')}`,
            ),
            steal('by looking', `grep -rh t[o]p- ${opt}`),
            attempt('opened up', `chmod -R a+rwx ${opt}; cat ${at('owner')}`),
            plant('tool', `cat ${at('tool')}`),
          ],
        ],
      }),
    },
    async ({ run }) => {
      expect(await run.end()).toBe('done')
    },
  )
}
