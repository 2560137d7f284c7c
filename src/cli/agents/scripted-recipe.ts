/**
 * How an agent is set up so that its model is a scripted one on this machine: its settings in a home of its own, and nothing
 * of the user's account. How each is told where its model is, its entry says.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ScriptedTurn, scriptText } from '../../drivers/scripted-model/script.ts'
import { NO_KEEPS } from '../../host/confinement/keeps/keeps.ts'
import { READY_AGENTS, readyAgent } from '../../host/ready-agents/ready-agents.ts'
import type { ScriptedSetup } from '../../host/ready-agents/scripted-setup.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'
import { KEYS, NOTE, type Scripts } from './trial-project.ts'

export interface ScriptedPlace {
  /** A folder for this agent alone. */
  readonly home: string
  /** The model's address, without a path. */
  readonly model: string
}

/** Models that are asked for titles and the like. */
export const SMALL_MODELS: readonly string[] = READY_AGENTS.flatMap(
  ({ scripted }) => scripted.smallModel ?? [],
)

/** Writes the agent's settings, and says how it is started. `place.home` must be the user's home for its host. */
export function scriptedProgram(
  program: AgentProgram,
  setup: ScriptedSetup,
  place: ScriptedPlace,
): AgentProgram {
  const { args = [], env, files = {}, folders = [] } = setup
  const filled = (text: string): string =>
    text.replaceAll('{home}', place.home).replaceAll('{model}', place.model)
  for (const folder of ['.', '.config', ...folders]) mkdirSync(join(place.home, folder), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    const file = join(place.home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, filled(typeof text === 'string' ? text : JSON.stringify(text, null, 2)))
  }
  const keeps = readyAgent(program.name)?.keeps ?? NO_KEEPS
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]))
  return {
    ...program,
    argv: [...program.argv, ...args],
    env: { HOME: place.home, XDG_CONFIG_HOME: join(place.home, '.config'), ...own },
    keeps: { ...keeps, sessions: [...keeps.sessions, ...folders.map((each) => `~/${each}`)] },
    permissions: 'auto',
  }
}

/** What a scripted model does in the two steps of a trial. */
export function trialScripts(): Scripts {
  const [first, second] = KEYS
  const decision = {
    headline: 'Which format for the settings?',
    question: 'YAML has comments and surprises, JSON has neither. Which one?',
    options: [
      { key: first, label: first.toUpperCase(), body: 'Settings are kept as YAML.' },
      { key: second, label: second.toUpperCase(), body: 'Settings are kept as JSON.' },
    ],
    recommended: first,
  }
  const script = (...turns: readonly ScriptedTurn[]): string => `\n\n${scriptText(turns)}`
  return {
    hello: script({ do: [{ call: 'report_outcome', with: { decision: 'ready' } }, { say: 'Reported.' }] }),
    choose: script(
      { do: [{ call: 'create_decision', with: decision }, { say: 'I wait for the answer.' }] },
      {
        when: `Picked: ${second}`,
        do: [{ shell: `mkdir -p ${dirname(NOTE)} && printf ${second} > ${NOTE}` }, { say: 'It is written.' }],
      },
    ),
  }
}

/** Of the user's environment, only what any program needs: no account, no address of another model. */
export const plainVariables = (
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) =>
      /^(?:PATH|LANG|LC_\w+|TERM|TZ|TMPDIR|USER|LOGNAME|SHELL)$/.test(name),
    ),
  )
