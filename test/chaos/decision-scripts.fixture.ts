/**
 * Agents, and commands of clients outside, that do something because of an answer: once for each decision, however
 * often they are told. What they heard and what they did lies in two files, a line each: whose decision, and the pick.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Script, ScriptSession } from '../../src/drivers/scripted/script.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import type { Project } from './project.fixture.ts'

type Action = ScriptSession['turns'][number][number]

const SEEKERS_QUESTIONS = 3
/** A policy answers it, unless a person is first. */
export const POLICYS_HEADLINE = 'Something small'

export function decisionScripts(dir: string): Readonly<Record<string, Script>> {
  mkdirSync(join(dir, 'effects'), { recursive: true })
  const act: Action = { run: effectCommand(dir, '$SIGNALBOX_RUN $id') }
  const ask = (headline: string): Action => ({
    tool: { name: 'create_decision', arguments: { ...EXAMPLE_DECISION, headline } },
  })
  const wait = (ms: number): Action => ({ wait: ms })
  const asking = Array.from({ length: SEEKERS_QUESTIONS }, (_, index) => [
    act,
    wait(30),
    ask(index === 1 ? POLICYS_HEADLINE : `Question ${index + 1}`),
    wait(80),
    { say: 'I wait.' },
  ])
  const last = [
    act,
    { append: { path: 'log/notes.txt', text: 'a line\n' } },
    wait(40),
    { answer: { found: 'enough' }, via: 'file' as const },
    wait(40),
  ]
  const waits: Action = { tool: { name: 'wait_decision', arguments: { decision: 'wait#1.0?1', seconds: 2 } } }
  return {
    seeker: { sessions: [{ when: {}, turns: [...asking, last] }] },
    patient: {
      sessions: [
        {
          when: {},
          turns: [
            [act, ask('Patience'), waits, { say: 'It has not come.' }],
            [act, wait(20), { answer: { heard: 'answer' }, via: 'mcp' }, wait(20)],
          ],
        },
      ],
    },
  }
}

/** For a client outside: the decision's id is in its environment, the answer on its standard input. */
export const resumeArgv = ({ dir }: Pick<Project, 'dir'>): readonly string[] => [
  'sh',
  '-c',
  `${effectCommand(dir, 'outside $SIGNALBOX_DECISION')}; sleep 0.05; echo done`,
]

function effectCommand(dir: string, key: string): string {
  const [heard, done] = [heardFile(dir), doneFile(dir)]
  return [
    'told=$(cat)',
    `id=$(printf '%s\\n' "$told" | sed -n 's/.* has answered your decision \\(.*\\)\\.$/\\1/p' | head -n 1)`,
    `pick=$(printf '%s\\n' "$told" | sed -n 's/^Picked: \\([^ ]*\\) .*/\\1/p' | head -n 1)`,
    `if [ -n "$id" ]; then echo "${key} $pick" >> ${heard}; grep -qxF "${key} $pick" ${done} || echo "${key} $pick" >> ${done}; fi`,
  ].join('; ')
}

const heardFile = (dir: string): string => join(dir, 'effects', 'heard')
const doneFile = (dir: string): string => join(dir, 'effects', 'done')

export interface Effect {
  /** `RUN QUESTION`, or `outside ID`. */
  readonly key: string
  readonly pick: string
}

export const effectsIn = ({ dir }: Pick<Project, 'dir'>): { heard: Effect[]; done: Effect[] } => ({
  heard: readEffects(heardFile(dir)),
  done: readEffects(doneFile(dir)),
})

function readEffects(file: string): Effect[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // The last may have been cut off by a kill.
  return lines.slice(0, -1).map((line) => {
    const cut = line.lastIndexOf(' ')
    return { key: line.slice(0, cut), pick: line.slice(cut + 1) }
  })
}
