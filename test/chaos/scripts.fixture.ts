/** What the agents of the flows do: little, slowly enough that a kill can land in every part of it. */

import type { Script, ScriptSession } from '../../src/drivers/scripted/script.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'

type Turn = ScriptSession['turns'][number]
type Action = Turn[number]

const session = (when: ScriptSession['when'], ...turns: Turn[]): ScriptSession => ({ when, turns })
const wait = (ms: number): Action => ({ wait: ms })
const append = (path: string): Action => ({ append: { path, text: 'a line\n' } })
const write = (path: string): Action => ({ write: { path, text: 'whole\n' } })
const answer = (value: Readonly<Record<string, unknown>>, via: 'file' | 'message' | 'mcp'): Action => ({
  answer: value,
  via,
})

const NOISE: Action = { print: 'a line that is not of the protocol' }
/** Left running in a session of its own: whoever ends the agent must find it. */
const DAEMON: Action = { spawn: 'sleep 300' }
const USAGE: Action = { usage: { costUsd: 0.01, tokens: 10 } }

export const SCRIPTS: Readonly<Record<string, Script>> = {
  dev: {
    sessions: [
      session(
        { visit: 1 },
        [DAEMON, append('src/notes.txt'), wait(60), write('OUTSIDE.md'), wait(40), { say: 'FINISHED' }],
        [append('src/notes.txt'), USAGE, wait(120), { say: 'Done, I think.' }],
        [write('src/good.txt'), wait(40), { say: 'Now it is done.' }],
      ),
      session({}, [
        append('src/notes.txt'),
        { run: 'git log --oneline -1' },
        wait(80),
        write('src/good.txt'),
        { say: 'Done again.' },
      ]),
    ],
  },
  critic: {
    sessions: [
      session(
        { visit: 1 },
        [NOISE, DAEMON, wait(50), answer({ verdict: 'maybe' }, 'file'), wait(50)],
        [USAGE, wait(30), answer({ verdict: 'reject', feedback: 'Once more.' }, 'mcp'), wait(100)],
      ),
      session(
        { visit: 2 },
        [wait(50), { say: 'I forgot what was asked.' }],
        [wait(50), answer({ verdict: 'replan', feedback: 'From the start.' }, 'file'), wait(100)],
      ),
      session({}, [wait(50), { vibe: { verdict: 'approve' } }, wait(50)]),
    ],
  },
  planner: {
    sessions: [
      session({}, [
        append('plan/plan.md'),
        wait(80),
        answer({ notes: 'A plan.', handoff: { summary: 'Do little.' } }, 'file'),
        wait(80),
      ]),
    ],
  },
  strict: {
    sessions: [
      session({ visit: 1 }, [wait(60), answer({ verdict: 'bad' }, 'file'), wait(60)]),
      session({}, [DAEMON, wait(20), answer({ verdict: 'good' }, 'mcp'), wait(20)]),
    ],
  },
  quick: {
    sessions: [
      session({}, [answer({ verdict: 'excellent' }, 'message')], [answer({ verdict: 'good' }, 'message')]),
    ],
  },
  adviser: {
    sessions: [session({}, [USAGE, wait(200), answer({ verdict: 'bad' }, 'mcp')])],
  },
  scout: {
    sessions: [
      session({}, [
        DAEMON,
        wait(30),
        {
          permission: { title: 'touch log/scout.txt' },
          allowed: [append('log/scout.txt'), wait(50), answer({ found: 'something' }, 'file'), wait(50)],
          rejected: [wait(50), answer({ found: 'nothing' }, 'mcp')],
        },
      ]),
    ],
  },
  sleeper: {
    sessions: [
      session(
        {},
        [wait(30), { say: 'Usage limit reached. Try again in 1 second.' }],
        [append('log/rest.txt'), wait(100), { say: 'Rested.' }],
      ),
    ],
  },
  closer: {
    sessions: [
      session(
        { visit: 1 },
        [
          wait(40),
          { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } },
          wait(60),
          { say: 'I wait.' },
        ],
        [{ run: 'true' }, wait(60), answer({ ending: 'again' }, 'file'), wait(20)],
      ),
      session({}, [wait(50), answer({ ending: 'finished' }, 'message')]),
    ],
  },
}
