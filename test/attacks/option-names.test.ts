/** Files and branches whose names are options, or move the cursor, or are `.git` to another file system. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const BOUNDED = `
  agents: { dev: { writes: ['src/**'] }, check: { writes: [] } }
  steps:
    develop: { agent: dev, nudges: 0, next: review, on: { else: review } }
    review: { agent: check, options: { good: done, poor: abandoned }, on: { else: abandoned } }
`
const NAMES = [
  '--upload-pack=evil',
  '-rf',
  '--',
  '--stdin',
  '-exec',
  '$(touch owned)',
  '`touch owned`',
  'a\nb; touch owned',
  '\u001b[2Jgone',
]

attack(
  '[W3] files named like options are put back by their names',
  {
    runbook: BOUNDED,
    plays: ({ plant }) => ({
      develop: [
        [
          plant('name', NAMES.map((name) => `printf x > './${name}'`).join(' && ')),
          plant('within', `mkdir -p src/-rf && printf x > src/-rf/--force`),
        ],
      ],
    }),
  },
  async ({ run, git }) => {
    expect(await run.end()).toBe('done')
    expect((await run.until('boundary.held')).files).toEqual([...NAMES].sort())
    expect(git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual([
      'a.txt',
      'src/-rf/--force',
      'src/code.ts',
    ])
    expect(run.work.has('owned')).toBe(false)
  },
)

attack(
  '[W4] branches named like options are only words',
  {
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant(
            'branch',
            `dir=$(git rev-parse --git-dir) && head=$(git rev-parse HEAD) && echo more >> a.txt &&
             echo "ref: refs/heads/--upload-pack=${evil}" > "$dir/HEAD" &&
             printf '%s refs/heads/-x\\n%s refs/heads/a\\033[2Jb\\n' $head $head >> "$dir/packed-refs"`,
          ),
        ],
      ],
    }),
  },
  async ({ run, git }) => {
    expect(await run.end()).toBe('done')
    expect(git('show', 'HEAD:a.txt')).toBe('a\nmore')
    expect((await run.until('host.noted')).text).toContain('the branch was put back')
  },
)
