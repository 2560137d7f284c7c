/** A role changes tools that git ignores, for the next role to run them with its hands. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const FILES = {
  'a.txt': 'a\n',
  '.gitignore': 'node_modules\n*.o\ncache\n',
  'setup.sh': 'mkdir -p node_modules && echo "echo setup" > node_modules/tool.sh\n',
}
const steps = `
  steps:
    develop: { agent: dev, next: review }
    review: { agent: check, options: { good: done, poor: { to: develop, max: 1, then: done } } }
`
const SETUP = `
  agents: { dev: { writes: [a.txt] }, check: { writes: [] } }
  setup: { run: sh setup.sh, needs: [setup.sh] }
  ${steps}
`
const WITHOUT = `
  agents: { dev: { writes: [a.txt] }, check: { writes: [] } }
  ${steps}
`
const poor = { answer: { decision: 'poor' }, via: 'file' } as const
const POISON = 'echo "echo poison" > node_modules/tool.sh'

attack(
  '[W37] [W38] what setup made is laid anew for another role, and each role finds its own files again',
  {
    files: FILES,
    runbook: SETUP,
    plays: ({ plant, attempt, good }) => ({
      'develop#1': [
        [
          plant('first', 'sh node_modules/tool.sh'),
          plant('own', 'mkdir -p cache && echo mine > cache/own && echo "echo dev" > node_modules/tool.sh'),
          plant(
            'odd',
            `touch "$(printf 'node_modules/\\377')" && mkdir -p node_modules/shut && chmod 000 node_modules/shut`,
          ),
        ],
      ],
      'review#1': [
        [
          plant('reviewed', 'sh node_modules/tool.sh && ! test -e cache'),
          plant('poison', POISON),
          plant(
            'object',
            'mkdir -p cache && echo poison > cache/own && echo poison > x.o && ln -s /etc node_modules/etc',
          ),
          poor,
        ],
      ],
      'develop#2': [
        [plant('again', 'cat node_modules/tool.sh cache/own'), attempt('object-there', 'cat x.o')],
      ],
      'review#2': [[plant('last', 'cat node_modules/tool.sh cache/own'), good]],
    }),
  },
  async ({ run, printed, exit }) => {
    expect(await run.end()).toBe('done')
    expect([printed('first'), printed('reviewed')]).toEqual(['setup\n', 'setup\n'])
    expect(printed('again')).toBe('echo dev\nmine\n')
    expect(exit('object-there')).not.toBe(0)
    expect(printed('last')).toBe('echo poison\npoison\n')
  },
)

attack(
  '[W37] without setup another role finds nothing that git ignores, and brought files are the user’s again',
  {
    files: { ...FILES, '.gitignore': 'node_modules\n.env\n' },
    runbook: WITHOUT,
    rules: { brings: ['.env'] },
    prepare: ({ house }) => house.repo.write('.env', 'KEY=user\n'),
    plays: ({ plant, attempt }) => ({
      'develop#1': [[plant('installed', 'sh setup.sh && cat .env'), plant('env', 'echo KEY=dev > .env')]],
      'review#1': [
        [
          attempt('run', 'sh node_modules/tool.sh'),
          plant('reviewed', 'cat .env'),
          plant('poison', `mkdir node_modules && ${POISON}; echo KEY=poison > .env`),
          poor,
        ],
      ],
      'develop#2': [[plant('again', 'sh node_modules/tool.sh && cat .env')]],
    }),
  },
  async ({ run, printed, exit }) => {
    expect(await run.end()).toBe('done')
    expect(exit('run')).not.toBe(0)
    expect([printed('installed'), printed('reviewed'), printed('again')]).toEqual([
      'KEY=user\n',
      'KEY=user\n',
      'setup\nKEY=dev\n',
    ])
  },
)

attack(
  '[W37] no role reaches the files that another left, and what setup needs lays its result anew',
  {
    files: FILES,
    runbook: SETUP.replace('writes: [a.txt]', 'writes: [setup.sh]'),
    plays: ({ plant, attempt, house }) => ({
      'develop#1': [
        [
          plant('update', `sed -i 's/echo setup/echo newer/' setup.sh`),
          plant('old', 'sh node_modules/tool.sh'),
        ],
      ],
      'review#1': [
        [
          plant('reviewed', 'sh node_modules/tool.sh'),
          attempt(
            'reach',
            `find ${house.home.dir} -path '*roles*' -name tool.sh -exec sh -c 'echo "echo poison" > {}' ';'; find ${house.home.dir} -path '*roles*' | grep tool`,
          ),
          poor,
        ],
      ],
      'develop#2': [[plant('again', 'sh node_modules/tool.sh')]],
    }),
    afterwards: ({ house, run }) => {
      expect(existsSync(join(house.home.grounds, run.work.dir.split('/').at(-1)!, 'roles'))).toBe(true)
    },
  },
  async ({ run, printed, exit }) => {
    expect(await run.end()).toBe('done')
    expect([printed('old'), printed('reviewed'), printed('again')]).toEqual(['setup\n', 'newer\n', 'setup\n'])
    expect(exit('reach')).not.toBe(0)
  },
)
