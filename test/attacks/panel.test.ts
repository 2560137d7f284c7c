/** A member of a panel goes for another's answer, its token and its prompts. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const PANEL = `
  agents: { honest: { writes: [] }, evil: { writes: [] } }
  steps:
    review: { panel: [honest, evil], options: { good: done, poor: abandoned }, on: { else: abandoned } }
`

attack(
  '[X8] it cannot write another’s answer, nor read what lets the other in',
  {
    runbook: PANEL,
    plays: ({ plant, attempt, dir }) => ({
      'review@honest': [
        [
          { answer: { decision: 'poor' }, via: 'file' },
          plant(
            'answered',
            `cp "$SIGNALBOX_ANSWER_FILE" ${dir}/poor && echo "$SIGNALBOX_SESSION_TOKEN" | tail -c 20 > ${dir}/token`,
          ),
          plant('wait', `until [ -e ${dir}/marks/rewrite ]; do sleep 0.05; done`),
        ],
      ],
      'review@evil': [
        [
          plant('wait-for-it', `until [ -e ${dir}/marks/answered ]; do sleep 0.05; done`),
          attempt(
            'rewrite',
            `for each in .signalbox/run/* $(dirname "$SIGNALBOX_ANSWER_FILE")/* $(dirname "$SIGNALBOX_ANSWER_FILE")/../*/*; do
               grep -q poor "$each" 2>/dev/null && echo '{"decision":"good"}' > "$each"
             done; true`,
          ),
          attempt(
            'token',
            `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep SESSION_TOKEN | grep -v -e "$SIGNALBOX_SESSION_TOKEN"`,
          ),
          { answer: { decision: 'good' }, via: 'file' },
        ],
      ],
    }),
  },
  async ({ run, printed, exit }) => {
    expect(await run.end()).toBe('abandoned')
    expect(printed('token')).toBe('')
    expect(exit('token')).not.toBe(0)
  },
)
