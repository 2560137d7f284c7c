/** The worktree's `.git` is replaced, so that whoever asks git there asks an evil repository. */
import { expect } from 'vitest'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()

/** One that runs the evil program on nearly everything git does. */
const evilRepository = ({ evil }: Lair, dir: string): string => `
  git init -q ${dir} &&
  git -C ${dir} config core.fsmonitor ${evil} &&
  git -C ${dir} config filter.x.clean ${evil} &&
  git -C ${dir} config diff.external ${evil} &&
  git -C ${dir} config core.worktree "$PWD" &&
  mkdir -p ${dir}/.git/info && echo '* filter=x' > ${dir}/.git/info/attributes`

attack(
  '[W9] by a file that names it',
  {
    plays: (lair) => ({
      develop: [
        [
          lair.plant('make', evilRepository(lair, `${lair.dir}/evil-repository`)),
          lair.plant(
            'name',
            `rm .git && echo 'gitdir: ${lair.dir}/evil-repository/.git' > .git && echo more >> a.txt`,
          ),
          lair.plant('fire', 'git status; git add -A; git commit -qm evil --allow-empty; true'),
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
  '[W9] by a folder',
  {
    plays: (lair) => ({
      develop: [
        [
          lair.plant('make', `${evilRepository(lair, 'evil-repository')} && echo more >> a.txt`),
          lair.plant('put', 'rm .git && mv evil-repository/.git .git && rmdir evil-repository'),
          lair.plant('fire', 'git status; true'),
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
