/** A person lands a run and takes one over: what agents left for that moment runs nothing and leads nowhere. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PERSON } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
const LAND = { how: 'merge', into: null, unfinished: false, gates: 'put', message: '' } as const

attack(
  '[M1] landing runs nothing of the agent’s, in the store or in the user’s checkout, and follows no link of its',
  {
    plays: ({ plant, attempt, evil, victim }) => ({
      develop: [
        [
          plant(
            'drivers',
            `git config filter.x.smudge ${evil}; git config filter.x.clean ${evil}; git config merge.x.driver ${evil}; git config core.hooksPath "$PWD/hooks"`,
          ),
          plant('attributes', `printf '* filter=x merge=x diff=x text=auto\\n' > .gitattributes`),
          plant(
            'hooks',
            `mkdir hooks .githooks && for name in post-merge post-checkout pre-merge-commit reference-transaction; do cp ${evil} hooks/$name; cp ${evil} .githooks/$name; done`,
          ),
          plant('link', `ln -s ${victim.documents} notes && ln -s ../.git/hooks inward`),
          attempt('through', 'echo stolen > inward/post-merge'),
          plant('module', `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = ext::${evil}\\n' > .gitmodules`),
          plant('work', 'echo more >> a.txt && git add -A; true'),
          plant('fire', 'git status; true'),
        ],
      ],
    }),
    afterwards: async ({ house, run, victim, fired }) => {
      const before = fired()
      const landing = await house.host().course(PERSON).land(run.id, LAND)
      expect(landing).toMatchObject({ state: 'landed', checkout: house.repo.dir })
      const at = (name: string): string => join(house.repo.dir, name)
      expect(house.repo.read('a.txt')).toBe('a\nmore\n')
      // A link is landed as a link, as git does it, and nothing was written through it.
      expect(lstatSync(at('notes')).isSymbolicLink()).toBe(true)
      expect(readlinkSync(at('notes'))).toBe(victim.documents)
      expect(existsSync(at('.git/hooks/post-merge'))).toBe(false)
      house.repo.git('status')
      expect(fired()).toBe(before)
    },
  },
  async ({ run, exit }) => {
    expect(await run.end()).toBe('done')
    expect(exit('through')).not.toBe(0)
  },
)

attack(
  '[M7] taking over and resuming believes nothing that the agent left in its repository',
  {
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant('own', `git config core.fsmonitor ${evil} && git config filter.x.clean ${evil}`),
          plant(
            'commit',
            `printf '* filter=x\\n' > .gitattributes && echo more >> a.txt && git add -A; true`,
          ),
          plant('later', `(sleep 2; cp ${evil} a.txt) > /dev/null 2>&1 & true`),
          { hang: true },
        ],
      ],
    }),
  },
  async ({ house, run, exit, fired }) => {
    await expect.poll(() => marked(exit, 'later'), { timeout: 10_000 }).toBe(true)
    const course = house.host().course(PERSON)
    const taken = await course.take(run.id, '')
    expect(taken).toMatchObject({ step: 'develop' })
    const before = fired()
    const resumed = await course.resume(run.id, { how: 'answered', pick: null, fields: {}, note: '' })
    expect(resumed).toMatchObject({ state: 'resumed' })
    expect(await run.end()).toBe('done')
    expect(fired()).toBe(before)
    expect(run.work.read('a.txt')).toBe('a\nmore\n')
  },
)

function marked(exit: (name: string) => number, name: string): boolean {
  try {
    return exit(name) === 0
  } catch {
    return false
  }
}
