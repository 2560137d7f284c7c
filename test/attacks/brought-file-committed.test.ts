/** A file that the user lends to their runs, and that git does not have, is committed, so that it goes where the branch goes. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W17] neither by force, nor by an ignore file that says otherwise',
  {
    rules: { brings: ['.env', 'config/local.json'] },
    prepare: ({ house: { repo } }) => {
      repo.write('.git/info/exclude', '.env\nconfig\n')
      repo.write('.env', 'PASSWORD=lent\n')
      repo.write('config/local.json', '{ "password": "lent" }\n')
    },
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'force',
            'git add -f .env && git -c user.name=x -c user.email=x@x commit -qm own && grep lent .env',
          ),
          plant(
            'admit',
            `printf '!.env\\n!config\\n!config/**\\n' > .gitignore && git status --short | grep config`,
          ),
        ],
      ],
    }),
  },
  async ({ house: { repo }, run, git }) => {
    expect(await run.end()).toBe('done')
    expect(git('log', '--all', '--format=', '--name-only')).not.toMatch(/\.env|local\.json/)
    const { branch } = (await run.until('run.placed')).placement
    expect(repo.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual([
      '.gitignore',
      'a.txt',
      'src/code.ts',
    ])
    expect((await run.until('host.noted')).text).toContain('.env')
  },
)
