/**
 * The agents of the suite, as a user would set them up: the command, the variables, the settings file. Each has a home
 * of its own, so that nothing of the user's account or sessions is touched, and its model is the scripted one.
 */
import { installedAgent } from '../../scripts/install-agents.mjs'
import { scriptedProgram } from '../../src/cli/agents/scripted-recipe.ts'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'

export const AGENT_NAMES = ['codex', 'claude', 'goose'] as const
export { SMALL_MODELS } from '../../src/cli/agents/scripted-recipe.ts'
export type AgentName = (typeof AGENT_NAMES)[number]

export interface Setting {
  /** A folder for this agent alone. */
  readonly home: string
  /** The model's address, without a path. */
  readonly model: string
  /** Whether it works in our sandbox, which is then the only one: a sandbox within cannot be made. */
  readonly boxed: boolean
}

export const installed = (): readonly AgentName[] =>
  AGENT_NAMES.filter((name) => installedAgent(name) !== null)

/** Writes the agent's settings, and says how it is started. */
export function prepareAgent(name: AgentName, { home, model, boxed }: Setting): AgentProgram {
  const found = installedAgent(name)
  if (found === null) throw new Error(`${name} is not installed: node scripts/install-agents.mjs ${name}`)
  const { start } = found
  const plain: AgentProgram = {
    name,
    driver: 'acp',
    argv: name === 'goose' ? [start, 'acp'] : [process.execPath, start],
    prompt: 'stdin',
    env: {},
    keeps: [],
    permissions: 'auto',
    install: '',
  }
  const program = scriptedProgram(plain, name, { home, model })
  const mode = boxed ? 'agent-full-access' : 'workspace-write'
  return name === 'codex' ? { ...program, env: { ...program.env, INITIAL_AGENT_MODE: mode } } : program
}
