/** Hard links to the user's files: another name for the same file, which no look at links would find. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[D10] none can be made to what lies outside, by whatever name it is reached',
  {
    plays: ({ attempt, plant, victim, house: { repo } }) => ({
      develop: [
        [
          attempt('key', `ln ${victim.home}/.ssh/id_ed25519 key.txt && cat key.txt`),
          attempt(
            'fd',
            `ln -L /proc/self/fd/3 three.txt; ln -L /proc/self/root${victim.documents}/letters/1.txt one.txt`,
          ),
          attempt('checkout', `ln ${repo.dir}/a.txt linked.txt && echo owned > linked.txt`),
          attempt(
            'store',
            'for each in $(cat "$(git rev-parse --git-dir)/objects/info/alternates"); do ln $each/??/* .; done',
          ),
          plant('own', 'ln a.txt same.txt && echo more >> same.txt'),
        ],
      ],
    }),
  },
  async ({ run, git, exit }) => {
    expect(await run.end()).toBe('done')
    expect([exit('key'), exit('fd'), exit('checkout'), exit('store')]).not.toContain(0)
    expect(git('show', 'HEAD:same.txt')).toBe('a\nmore')
  },
)
