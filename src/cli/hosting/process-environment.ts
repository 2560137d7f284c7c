/** What the processes of runs start from on this machine: the user's environment, config and toolchains. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxEngine } from '../../drivers/index.ts'
import { resolveGrant } from '../../host/confinement/grant.ts'
import { readPlaces } from '../../host/confinement/keeps/keeps.ts'
import {
  createProcessEnvironment,
  expanded,
  type ProcessEnvironment,
} from '../../host/confinement/process-environment.ts'
import { homeAt } from '../../host/machine/home.ts'
import { COMMON_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { withoutSecrets } from '../notify/channels.ts'

export interface ProcessEnvironmentChoice {
  readonly engine: SandboxEngine | null
  /** More that agents must not see. */
  readonly hides?: readonly string[]
}

export function processEnvironmentFor(
  { home, configDir, variables }: Environment,
  { engine, hides = [] }: ProcessEnvironmentChoice,
): ProcessEnvironment {
  const { config } = readConfig({ configDir, repo: null })
  return createProcessEnvironment({
    home: homeAt(home),
    environment: withoutSecrets(variables, config.notify),
    engine,
    rulesFor: (repo) => readConfig({ configDir, repo }).config.sandbox,
    hidden: [configDir, ...hides],
    writable: config.sandbox.shared,
    programs: [SCRIPTED_AGENT, MCP_BRIDGE],
    ownCommand: OWN_COMMAND,
  })
}

const keepsOf = ({ agents }: Config): readonly string[] =>
  [...COMMON_AGENTS, ...Object.values(agents)].flatMap((entry) =>
    typeof entry === 'string' ? [] : readPlaces(entry.keeps),
  )

/** What the user's config grants and must not: a sentence for each. */
export function refusedGrants({ guard, userHome }: ProcessEnvironment, config: Config): string[] {
  const { readable, writable, shared, sockets } = config.sandbox
  const asked = [...readable, ...writable, ...shared, ...sockets, ...keepsOf(config)]
  return [...new Set(asked)].flatMap((path) =>
    resolveGrant(expanded(path, userHome), guard).kind === 'ours'
      ? [
          `The config grants ${path}, which holds Signalbox's own data or your config for it. Name what is needed inside of it.`,
        ]
      : [],
  )
}

/** Built, this page stands in dist/ or dist/cli/; from the sources, the build stands beside them. */
export const builtFolder = (name: string): string =>
  ['./', '../', '../../../dist/']
    .map((place) => fileURLToPath(new URL(`${place}${name}`, import.meta.url)))
    .find((place) => existsSync(place)) ?? name

/** As it is started from a shell. */
export const OWN_COMMAND = resolve(builtFolder('drivers'), '../../bin/signalbox')

const builtProgram = (file: string): string => `${builtFolder('drivers')}/${file}`

export const SCRIPTED_AGENT = builtProgram('scripted-agent.js')
export const MCP_BRIDGE = builtProgram('mcp-bridge.js')
