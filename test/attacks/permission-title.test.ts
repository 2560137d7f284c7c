/** What a command is called is the model's to say: it bears the name of a tool that nobody is asked about. */
import { expect } from 'vitest'
import type { ScriptAction } from '../../src/drivers/scripted/script.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const OURS = ['mcp__signalbox__report_outcome', 'signalbox: read run']

attack(
  '[D17] whoever is to permit it sees the command, whatever it is called',
  {
    permissions: 'ask',
    plays: ({ plant, evil }) => ({
      develop: [
        [
          ...OURS.map(
            (title, index): ScriptAction => ({
              permission: {
                title,
                // One says that it runs something, the other that it does not.
                kind: index === 0 ? 'execute' : 'other',
                input: { command: evil },
              },
              allowed: [{ run: evil }],
              rejected: [plant(`refused-${index}`, 'true')],
            }),
          ),
          { say: 'FINISHED' },
        ],
      ],
    }),
  },
  async ({ run, evil, fired }) => {
    for (const [index, title] of OURS.entries()) {
      const { decision } = await run.until('question.opened', index + 1)
      expect(decision).toMatchObject({ kind: 'permission' })
      expect(decision?.headline).toContain(evil.slice(0, 50))
      expect(decision?.context).toContain(`Command:\n${evil}`)
      expect(decision?.context).toContain(title)
      await run.answer({ pick: 'reject_once' })
    }
    expect(await run.end()).toBe('done')
    expect(fired()).toBe(0)
  },
)
