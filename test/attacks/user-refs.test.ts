/** An agent that may write nothing goes for the user's branches, tags, stash, notes and reflogs. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W11] no branch moves, none is deleted, and of the user’s records nothing changes',
  {
    runbook: `
      agents: { check: { writes: [] } }
      steps: { review: { agent: check, options: { good: done, poor: abandoned }, on: { else: abandoned } } }
    `,
    prepare: ({ house: { repo } }) => {
      repo.git('branch', 'precious')
      repo.git('tag', '-a', 'v1', '-m', 'one')
      repo.git('notes', 'add', '-m', 'noted')
      repo.write('a.txt', 'stashed\n')
      repo.git('stash')
      repo.git('pack-refs', '--all')
      repo.git('branch', 'loose')
    },
    plays: ({ plant, attempt, good, house: { repo } }) => {
      const users = `git --git-dir=${repo.dir}/.git`
      const evil = 'git -c user.name=x -c user.email=x@x commit -q --allow-empty -m evil'
      return {
        review: [
          [
            attempt(
              'move',
              `${users} update-ref refs/heads/main ${'1'.repeat(40)}; ${users} branch -f precious HEAD~0`,
            ),
            attempt('delete', `${users} branch -D precious loose; ${users} tag -d v1; ${users} stash drop`),
            attempt(
              'packed',
              `: > ${repo.dir}/.git/packed-refs; rm -rf ${repo.dir}/.git/logs ${repo.dir}/.git/refs`,
            ),
            attempt(
              'push',
              `${evil}; git push -f ${repo.dir} HEAD:main HEAD:refs/notes/commits HEAD:refs/stash :v1`,
            ),
            attempt('gc', `${users} reflog expire --expire=now --all; ${users} gc --prune=now`),
            plant(
              'own',
              'git update-ref refs/heads/main HEAD && git branch -D precious loose && git tag -d v1',
            ),
            plant(
              'names',
              'git update-ref refs/heads/signalbox/other HEAD && git update-ref refs/signalbox/x HEAD',
            ),
            good,
          ],
        ],
      }
    },
  },
  async ({ house: { repo }, run }) => {
    expect(await run.end()).toBe('done')
    const { branch } = (await run.until('run.placed')).placement
    const refs = repo
      .git('for-each-ref', '--format=%(refname)', 'refs/heads/signalbox', 'refs/signalbox')
      .split('\n')
    expect(refs).toEqual([`refs/heads/${branch}`, expect.stringMatching(/^refs\/signalbox\/repo-/)])
  },
)
