/** `signalbox agents`: which agents there are, which are installed, what they can do, and what will not work with them. */
import { DEFAULT_USE } from '../../host/session/agent-program.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { programFor, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { findRepository } from '../project/repository.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { agentsText } from './agents-text.ts'
import { knownAgents } from './known-agents.ts'

export interface AgentsOptions {
  readonly json?: boolean
  /** Start each agent that is installed, and ask it what it can do. */
  readonly probe?: boolean
}

export interface AgentsSetting {
  readonly environment: Environment
  /** Where the user stands, unless it is here. */
  readonly dir?: string
  readonly patienceMs?: number
}

/** Some download themselves when they are first started. */
export const PATIENCE_MS = 60_000

export async function agents(
  options: AgentsOptions,
  terminal: Terminal,
  setting: AgentsSetting,
): Promise<number> {
  const { environment, dir = process.cwd(), patienceMs = PATIENCE_MS } = setting
  const found = await findRepository(dir)
  const repo = 'repo' in found ? found.repo : null
  const { config, diagnostics } = readConfig({ configDir: environment.configDir, repo })
  terminal.progress(options.probe === true ? 'asking every agent who it is…' : 'asking for versions…')
  const rows = await knownAgents({
    config,
    environment,
    patienceMs: options.probe === true ? patienceMs : null,
  })
  terminal.clearProgress()
  const byDefault = programFor(config, environment)(DEFAULT_USE)?.name ?? null
  if (options.json === true)
    terminal.write(JSON.stringify({ default: byDefault, agents: rows, diagnostics }, null, 2))
  else terminal.write(agentsText({ rows, diagnostics, network: config.sandbox.network !== 'off' }, terminal))
  return hasErrors(diagnostics) ? EXIT.failed : EXIT.ok
}
