/** The agent's repository borrows from another project of the user's, to commit what lies there. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()

/** The blob of a secret that was committed there. */
function commitSecret({ victim }: Lair): void {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
      cwd: victim.project,
      encoding: 'utf8',
    })
  rmSync(join(victim.project, '.git'), { recursive: true })
  git('init', '-q', '--template=')
  git('add', '-f', '.env')
  git('commit', '-qm', 'secret')
  writeFileSync(join(victim.project, 'blob'), git('rev-parse', 'HEAD:.env'))
}

attack(
  '[W10] none of it gets into the run’s commits',
  {
    prepare: commitSecret,
    plays: ({ plant, attempt, victim }) => ({
      develop: [
        [
          plant(
            'borrow',
            `echo ${victim.project}/.git/objects >> "$(git rev-parse --git-dir)/objects/info/alternates"`,
          ),
          attempt(
            'commit',
            `blob=${'$'}(cat ${victim.project}/blob || echo 9d6e3f3e0a0ff3b1c4f4c3e0a3bca2c9f3b5a8d1)
             tree=$(printf '100644 blob %s\\tstolen\\n' $blob | git mktree --missing) &&
             git reset -q --soft $(git -c user.name=x -c user.email=x@x commit-tree -p HEAD -m stolen $tree)`,
          ),
        ],
      ],
    }),
  },
  async ({ run, git }) => {
    await run.end()
    expect(git('ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('stolen')
  },
)
