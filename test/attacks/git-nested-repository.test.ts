/** A repository within the worktree, whose settings name programs that git would run on its way through. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { eventually } from '../host/run.fixture.ts'
import { attacks, type Scene } from './attack.fixture.ts'
import { bare, DECIDED, decide, lookIn, nested } from './nested-repository.fixture.ts'

const attack = attacks()

/** What the run's commit has of a folder. */
const committed = ({ git }: Scene, folder: string): string[] =>
  git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD', folder).split('\n')

attack(
  '[W26] in a folder of its own',
  {
    runbook: DECIDED,
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, 'deep/nested')),
          lair.plant('fire', 'git -C deep/nested status; true'),
        ],
      ],
    }),
  },
  async (scene) => {
    await decide(scene, 'deep/nested')
    expect(committed(scene, 'deep/nested')).toEqual(['100644 deep/nested/file'])
  },
)

attack(
  '[W26] as a submodule that the agent makes',
  {
    runbook: DECIDED,
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
  async (scene) => {
    await decide(scene, 'part')
    expect(committed(scene, 'part')).toEqual(['100644 part/file'])
  },
)

attack(
  '[W26] as files that look like a bare one, committed or ignored',
  {
    runbook: DECIDED,
    plays: (lair) => ({
      develop: [
        [
          lair.plant('make', bare(lair, 'src/lib')),
          lair.plant(
            'hide',
            `mkdir -p ignored && ${bare(lair, 'ignored/lib')} && echo 'ignored/' > .gitignore`,
          ),
          lair.plant('commit', 'git add -A src && git -c user.name=x -c user.email=x@x commit -qm bare'),
          lair.plant('fire', 'git -C src/lib status; git -C ignored/lib status; true'),
        ],
      ],
    }),
  },
  async (scene) => {
    await decide(scene, 'src/lib', 'ignored/lib')
    expect(committed(scene, 'src/lib')).toContain('100644 src/lib/refs/keep')
    expect(committed(scene, 'src/lib')).not.toContain('100644 src/lib/HEAD')
    expect(existsSync(join(scene.run.work.dir, 'src/lib/HEAD'))).toBe(false)
  },
)

attack(
  '[W26] in the folder of the project’s own submodule, also while the agent is at work',
  {
    runbook: DECIDED,
    files: { 'a.txt': 'a\n', '.gitmodules': '[submodule "part"]\n\tpath = part\n\turl = ./part\n' },
    prepare: ({ house: { repo } }) => {
      repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD')},part`)
      repo.git('commit', '-qm', 'submodule')
      mkdirSync(join(repo.dir, 'part'))
    },
    plays: (lair) => ({
      develop: [
        [
          lair.plant('nest', nested(lair, 'part')),
          lair.plant(
            'ask',
            `printf '[submodule "other"]\\n\\tpath = part\\n\\turl = ./part\\n\\tignore = none\\n' > .gitmodules`,
          ),
          lair.plant('fire', 'git status; true'),
          lair.plant('wait', `while [ ! -e ${lair.dir}/go ]; do sleep 0.05; done`),
        ],
      ],
    }),
  },
  async (scene) => {
    const { run, fired, dir } = scene
    await eventually(() => existsSync(join(dir, 'marks/fire'))).toBe(true)
    expect(fired()).toBeGreaterThan(0)
    const before = fired()
    lookIn(scene)
    expect(fired()).toBe(before)
    execFileSync('touch', [join(dir, 'go')])
    await run.question()
    lookIn(scene, 'part')
    await run.answer({ decision: 'ship' })
    expect(await run.end()).toBe('done')
    expect(fired()).toBe(before)
  },
)
