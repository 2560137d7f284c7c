/** The worktree's `.git` is replaced, so that a git there asks an evil repository. In the sandbox it cannot be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks, type Lair, type Scene } from './attack.fixture.ts'

const attack = attacks()

/** One that runs the evil program on nearly everything git does. */
const evilRepository = ({ evil }: Lair, dir: string): string => `
  git init -q ${dir} &&
  git -C ${dir} config core.fsmonitor ${evil} &&
  git -C ${dir} config filter.x.clean ${evil} &&
  git -C ${dir} config diff.external ${evil} &&
  git -C ${dir} config core.worktree "$PWD" &&
  mkdir -p ${dir}/.git/info && echo '* filter=x' > ${dir}/.git/info/attributes`

async function judge({ run, git, exit, house }: Scene): Promise<void> {
  expect(await run.end()).toBe('done')
  expect(exit('replace')).not.toBe(0)
  expect(git('show', 'HEAD:a.txt')).toBe('a\nmore')
  const [, named = ''] = /^gitdir: (.+)\n$/.exec(readFileSync(join(run.work.dir, '.git'), 'utf8')) ?? []
  expect(named).toMatch(/\/people\.git$/)
  expect(named.startsWith(house.home.grounds)).toBe(true)
  expect(run.work.git('status', '--porcelain')).toBe('')
}

attack(
  '[W9] by a file that names it',
  {
    plays: (lair) => ({
      develop: [
        [
          lair.plant('make', evilRepository(lair, `${lair.dir}/evil-repository`)),
          lair.attempt(
            'replace',
            `echo more >> a.txt
             link='gitdir: ${lair.dir}/evil-repository/.git'
             rm -f .git && echo "$link" > .git || echo "$link" > .git || { echo "$link" > new && mv new .git; }`,
          ),
        ],
      ],
    }),
  },
  judge,
)

attack(
  '[W9] by a folder',
  {
    plays: (lair) => ({
      develop: [
        [
          lair.plant('make', `${evilRepository(lair, `${lair.dir}/evil-repository`)} && echo more >> a.txt`),
          lair.attempt(
            'replace',
            `rm -rf .git && cp -r ${lair.dir}/evil-repository/.git .git ||
             { mv .git old && cp -r ${lair.dir}/evil-repository/.git .git; }`,
          ),
        ],
      ],
    }),
  },
  judge,
)
