/** A person who is asked, or looks at what came of a run, uses their own git in the worktree, where an agent planted its programs. */
import { expect } from 'vitest'
import { attacks, type Scene } from './attack.fixture.ts'

const attack = attacks()

/** As people do, without any care. Whatever of the agent's runs, runs as they. */
function lookAround({ run }: Scene): void {
  for (const args of [
    ['status'],
    ['diff', 'HEAD~1'],
    ['log', '-p', '-1'],
    ['commit', '-qm', 'mine', '--allow-empty'],
  ])
    run.work.git(...args)
  expect(run.work.git('show', 'HEAD:a.txt')).toBe('a\nmore')
}

attack(
  '[W18] none of them is run, while a person decides and after the end',
  {
    runbook: `
      steps:
        develop: { agent: dev, next: sign_off, on: { else: sign_off } }
        sign_off: { decide: Ship it?, options: { ship: done, drop: abandoned } }
    `,
    plays: ({ plant, evil }) => ({
      develop: [
        [
          plant(
            'set',
            [
              'core.fsmonitor',
              'core.pager',
              'diff.external',
              'diff.x.textconv',
              'filter.x.clean',
              'core.editor',
            ]
              .map((key) => `git config ${key} ${evil}`)
              .join(' && '),
          ),
          plant(
            'hook',
            `cd "$(git rev-parse --git-dir)" && mkdir -p hooks info && cp ${evil} hooks/pre-commit && echo '* filter=x diff=x' > info/attributes`,
          ),
          plant(
            'fire',
            "printf '* filter=x diff=x\\n' > .gitattributes; echo more >> a.txt; git status; true",
          ),
        ],
      ],
    }),
  },
  async (scene) => {
    const { run, fired } = scene
    await run.question()
    expect(fired()).toBeGreaterThan(0)
    const before = fired()
    lookAround(scene)
    await run.answer({ decision: 'ship' })
    expect(await run.end()).toBe('done')
    lookAround(scene)
    expect(fired()).toBe(before)
  },
)
