/** The agents of the user's own config, for somebody who looks at a host from elsewhere. */
import type { AgentList, KnownAgent } from '../../model/api/settings.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { orNear } from '../../model/nearest.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { AgentRow } from '../agents/agent-row.ts'
import { PATIENCE_MS } from '../agents/agents.ts'
import { knownAgents, rowNames } from '../agents/known-agents.ts'
import type { Config } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { diagnosticLine } from '../hosting/start-order.ts'

interface AgentsHere {
  readonly config: Config
  readonly diagnostics: readonly Diagnostic[]
  readonly environment: Environment
}

export async function listKnownAgents({ config, diagnostics, environment }: AgentsHere): Promise<AgentList> {
  const rows = await knownAgents({ config, environment, patienceMs: null })
  return { agents: rows.map(toldOf), problems: diagnostics.map(diagnosticLine) }
}

export async function probeAgent(
  name: string,
  { config, environment }: AgentsHere,
): Promise<KnownAgent | Rejection> {
  const known = rowNames(config)
  if (!known.includes(name))
    return { code: 'unknown', problem: `There is no agent "${name}"${orNear(name, known)}` }
  const [row] = await knownAgents({ config, environment, patienceMs: PATIENCE_MS, names: [name] })
  return toldOf(row!)
}

function toldOf({ probe, ...row }: AgentRow): KnownAgent {
  if (probe === null || 'problem' in probe)
    return { ...row, probe: probe === null ? null : { problem: probe.problem } }
  const { version, resumes, mcpHttp, images, model } = probe
  return { ...row, probe: { version, resumes, mcpHttp, images, model } }
}
