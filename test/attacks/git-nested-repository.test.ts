/** A repository within the worktree, whose filters git would run on its way through. */
import { expect } from 'vitest'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()

const nested = ({ evil }: Lair, dir: string): string => `
  git init -q ${dir} && cd ${dir} && echo x > file && git add file &&
  git -c user.name=x -c user.email=x@x commit -qm x &&
  echo '* filter=x' > .git/info/attributes && git config filter.x.clean ${evil} &&
  git config filter.x.process ${evil} && git config core.fsmonitor ${evil} && echo y > file`

attack(
  '[W9] left there untold',
  {
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, 'deep/nested')),
          lair.plant('fire', 'git -C deep/nested status; true'),
        ],
      ],
    }),
  },
  async ({ run, fired }) => {
    await run.end()
    expect(fired()).toBeGreaterThan(0)
    // Its files cannot be committed with the run's, and that is told instead of asked.
    expect((await run.until('member.faulted')).detail).toContain('deep/nested is a git repository of its own')
  },
)

attack(
  '[W9] as a submodule that was changed',
  {
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, 'part')),
          lair.plant(
            'declare',
            `printf '[submodule "part"]\\n\\tpath = part\\n\\turl = ./part\\n\\tignore = none\\n' > .gitmodules &&
             git add .gitmodules part && git -c user.name=x -c user.email=x@x commit -qm part && echo z > part/file`,
          ),
          lair.plant('fire', 'git status; true'),
        ],
      ],
    }),
  },
  async ({ run, git, fired }) => {
    expect(await run.end()).toBe('done')
    expect(fired()).toBeGreaterThan(0)
    expect(git('ls-tree', 'HEAD', 'part')).toMatch(/^160000 commit/)
  },
)
