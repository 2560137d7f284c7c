/** Every setting that names a program, in the agent's own repository, the worktree's files and a file they include. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const PROGRAMS = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'sequence.editor',
  'diff.external',
  'diff.x.command',
  'diff.x.textconv',
  'merge.x.driver',
  'filter.x.clean',
  'filter.x.smudge',
  'filter.lfs.clean',
  'filter.lfs.process',
  'gpg.program',
  'gpg.ssh.program',
  'credential.helper',
  'interactive.diffFilter',
  'uploadpack.packObjectsHook',
  'trailer.x.command',
  'remote.origin.uploadpack',
  'remote.origin.receivepack',
  'alias.status',
]

const ATTRIBUTES = "printf '* diff=x merge=x filter=x\\n*.bin filter=lfs diff=lfs merge=lfs\\n'"

attack(
  '[W9] FIELD 31: in the repository and the attributes of its files',
  {
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant('set', PROGRAMS.map((key) => `git config ${key} '${evil}'`).join(' && ')),
          plant('sign', 'git config commit.gpgSign true && git config filter.lfs.required true'),
          plant('mark', `${ATTRIBUTES} > .gitattributes && echo more >> a.txt && echo b > b.bin`),
          plant('fire', 'git status; git diff; git add -A; true'),
        ],
      ],
    }),
  },
  async ({ run, git, fired }) => {
    expect(await run.end()).toBe('done')
    expect(fired()).toBeGreaterThan(0)
    expect(git('show', 'HEAD:a.txt')).toBe('a\nmore')
    expect(git('show', 'HEAD:b.bin')).toBe('b')
  },
)

attack(
  '[W9] in a file that is included, always and for one folder',
  {
    plays: ({ plant, evil, dir }) => ({
      develop: [
        [
          plant(
            'write',
            PROGRAMS.map((key) => `git config --file ${dir}/more ${key} '${evil}'`).join(' && '),
          ),
          plant(
            'include',
            `git config include.path ${dir}/more && git config "includeIf.gitdir:/.path" ${dir}/more`,
          ),
          plant(
            'attributes',
            `${ATTRIBUTES} > ${dir}/attributes && git config core.attributesFile ${dir}/attributes`,
          ),
          plant('fire', 'echo more >> a.txt; git status; git diff; git add -A; true'),
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
