/** Names that are `.git` to a file system which folds case, drops spaces or has short names: they would be a repository there. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const NAMES = ['.GIT', '.git ', 'git~1', '.git::$INDEX_ALLOCATION', '.g\u200cit']

attack(
  '[W10] as files',
  {
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant(
            'write',
            NAMES.map(
              (name) =>
                `mkdir -p './sub/${name}' && printf '[core]\\nfsmonitor = ${evil}\\n' > './sub/${name}/config'`,
            ).join(' && '),
          ),
        ],
      ],
    }),
  },
  async ({ run, git }) => {
    await run.end()
    expect(git('ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('config')
  },
)

attack(
  '[W10] in a commit that its git was made to write',
  {
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant(
            'commit',
            `blob=$(printf '[core]\\nfsmonitor = ${evil}\\n' | git hash-object -w --stdin) &&
             evil=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree) &&
             tree=$(printf '040000 tree %s\\t.GIT\\n100644 blob %s\\ta.txt\\n' $evil $blob | git mktree) &&
             git reset -q --soft $(git commit-tree -p HEAD -m evil $tree)`,
          ),
        ],
      ],
    }),
  },
  async ({ run, git }) => {
    await run.end()
    expect(git('log', '--format=%s', 'HEAD')).not.toContain('evil')
    expect((await run.until('host.noted')).text).toContain('its commits were refused')
  },
)
