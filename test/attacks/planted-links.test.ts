/** Links, pipes and folders where the host will read, write or clear away. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

/** Twice, since the first is told to the agent. */
const ASKED = `
  agents: { dev: {}, check: { writes: [] } }
  steps:
    develop: { agent: dev, nudges: 1, options: { good: done, poor: abandoned }, on: { else: abandoned } }
`

for (const [what, shell] of [
  ['a link to a key', (home: string) => `ln -s ${home}/.ssh/id_ed25519 "$SIGNALBOX_ANSWER_FILE"`],
  [
    'a folder full of links',
    (home: string) => `mkdir "$SIGNALBOX_ANSWER_FILE" && ln -s ${home}/documents "$SIGNALBOX_ANSWER_FILE/x"`,
  ],
  ['a pipe that nobody writes to', () => 'mkfifo "$SIGNALBOX_ANSWER_FILE"'],
] as const)
  attack(
    `[D4] ${what} in the place of the answer`,
    {
      runbook: ASKED,
      plays: ({ plant, victim }) => ({
        develop: [[plant('plant', `rm -rf "$SIGNALBOX_ANSWER_FILE"; ${shell(victim.home)}`)]],
      }),
    },
    async ({ run }) => {
      expect(await run.end()).toBe('abandoned')
      expect((await run.until('member.faulted')).fault).toBe('invalid')
    },
  )

attack(
  '[W13] FIELD 33: links in the place of the run’s folders and of what is kept',
  {
    runbook: `
      agents: { dev: {}, check: { writes: [] } }
      steps:
        develop: { agent: dev, next: review, on: { else: review } }
        review: { agent: check, options: { good: done, poor: abandoned }, on: { else: abandoned } }
    `,
    plays: ({ plant, victim, good }) => ({
      develop: [
        [
          plant(
            'plant',
            `rm -rf .vibe .signalbox && ln -s ${victim.project}/.vibe .vibe && mkdir .signalbox &&
             ln -s ${victim.documents} .signalbox/run`,
          ),
        ],
      ],
      review: [
        [
          plant('clear', 'rm -f .signalbox/run && mkdir -p .signalbox/run'),
          plant(
            'keep',
            `ln -s ${victim.documents}/letters/1.txt .signalbox/run/plan.md && ln -s ${victim.home} .signalbox/run/home`,
          ),
          good,
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(['done', 'abandoned']).toContain(await run.end())
    expect(await run.all('artifact.kept')).toEqual([])
  },
)

attack(
  '[W13] links in their place in a commit, for whoever makes a clean checkout of it',
  {
    plays: ({ plant, victim }) => ({
      develop: [
        [
          plant(
            'commit',
            `link=$(printf %s ${victim.documents} | git hash-object -w --stdin) &&
             file=$(echo x | git hash-object -w --stdin) &&
             tree=$(printf '120000 blob %s\\t.signalbox\\n120000 blob %s\\t.vibe\\n100644 blob %s\\ta.txt\\n' $link $link $file | git mktree) &&
             git reset -q --soft $(git -c user.name=x -c user.email=x@x commit-tree -p HEAD -m links $tree)`,
          ),
          plant(
            'put',
            `rm -rf .signalbox .vibe && ln -s ${victim.documents} .signalbox && ln -s ${victim.documents} .vibe`,
          ),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(['done', 'abandoned']).toContain(await run.end())
  },
)
