/** Everything an agent can name or say holds codes that would rule the terminal of whoever looks at it. */
import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

/** Clears the screen, sets a title, writes over the line, hides what follows, and once more in codes of one byte. */
const CODES = '\u001b[2J\u001b]0;owned\u0007\rowned\u001b[8m\u009b2J\u202e\u200b\u{e0041}'
const RULES = /[^\P{Cc}\n\t]|[\u202e\u200b\u{e0041}]/u

attack(
  '[V9] [N6] no command shows them as they are',
  {
    doors: true,
    runbook: 'steps: { develop: { agent: dev, gate: "cat said.txt", next: done, on: { else: abandoned } } }',
    plays: ({ plant }) => ({
      develop: [
        [
          plant(
            'write',
            `printf '%s' '${CODES}' > said.txt && cp said.txt 'name ${CODES.replaceAll('\u0007', '')}'`,
          ),
          plant(
            'keep',
            `cp said.txt '.signalbox/run/plan${CODES}.md' && git checkout -q -b 'branch\u202e\u009b2J'`,
          ),
          { say: `Done ${CODES}` },
          { think: `Hm ${CODES}` },
          { run: `echo 'tool ${CODES}'` },
          {
            tool: {
              name: 'create_decision',
              arguments: {
                ...EXAMPLE_DECISION,
                headline: `Head ${CODES}`,
                question: `Question ${CODES}`,
                context: `Context ${CODES}`,
                options: EXAMPLE_DECISION.options.map((each) => ({
                  ...each,
                  label: `Label ${CODES}`,
                  body: `Body ${CODES}`,
                })),
              },
            },
          },
        ],
        [{ say: `Answered ${CODES}` }],
      ],
    }),
    afterwards: async ({ house, run }) => {
      await house.close()
      const shown = (...args: string[]): string => {
        const { stdout, stderr } = spawnSync(process.execPath, ['bin/signalbox', ...args], {
          env: { PATH: process.env['PATH'], SIGNALBOX_HOME: house.home.dir },
          encoding: 'utf8',
        })
        return `${stdout}${stderr}`
      }
      for (const [args, word] of [
        [['show', run.id], 'plan'],
        [['logs', run.id], 'tool'],
        [['diff', run.id], 'U+E0041'],
        [['ps', '--all'], run.id],
        [['decision', 'list', '--all'], 'Head'],
        [['decision', 'show', run.id], 'Label'],
        [['show', `nobody${CODES}`], 'nobody'],
      ] as const) {
        const text = shown(...args)
        expect(text, args.join(' ')).toContain(word)
        expect(RULES.exec(text), `${args.join(' ')}\n${JSON.stringify(text)}`).toBeNull()
      }
    },
  },
  async ({ run }) => {
    await run.question()
    await run.answer(EXAMPLE_DECISION.options[0]!.key)
    await run.end()
  },
)
