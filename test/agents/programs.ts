/**
 * The agents of the suite, as a user would set them up: the command, the variables, the settings file. Each has a home
 * of its own, so that nothing of the user's account or sessions is touched, and its model is the scripted one.
 */
import { agentsNamed, installedAgent } from '../../scripts/install-agents.ts'
import { scriptedProgram } from '../../src/cli/agents/scripted-recipe.ts'
import { programOf, type ReadyAgent } from '../../src/host/ready-agents/ready-agent.ts'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'

export { SMALL_MODELS } from '../../src/cli/agents/scripted-recipe.ts'

/** AGENTS says which, with commas between them. */
export const AGENTS: readonly ReadyAgent[] =
  agentsNamed((process.env['AGENTS'] ?? '').split(',').filter((name) => name !== '')) ?? []

export interface Setting {
  /** A folder for this agent alone. */
  readonly home: string
  /** The model's address, without a path. */
  readonly model: string
  /** Whether it works in our sandbox, which is then the only one: a sandbox within cannot be made. */
  readonly boxed: boolean
}

/** Writes the agent's settings, and says how it is started. */
export function prepareAgent(ready: ReadyAgent, { home, model, boxed }: Setting): AgentProgram {
  const { name } = ready
  const found = installedAgent(name)
  if (found === null) throw new Error(`${name} is not installed: npx tsx scripts/install-agents.ts ${name}`)
  const plain: AgentProgram = { ...programOf(ready), argv: found.argv, reads: [found.dir], install: '' }
  const program = scriptedProgram(plain, ready.scripted, { home, model })
  const mode = boxed ? ready.boxed : ready.scripted.unboxed
  return { ...program, env: { ...program.env, ...mode } }
}
