/** The agents of this machine and its config, each with what is known of it or, where they are asked, with what it answers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Probe, probeAcp } from '../../drivers/acp/probe.ts'
import { BASE_VARIABLES, listed } from '../../host/confinement/environment.ts'
import { keepsTexts } from '../../host/confinement/keeps/keeps.ts'
import { type AgentProgram, DEFAULT_USE } from '../../host/session/agent-program.ts'
import { modelWay, withModel } from '../../host/session/chosen-model.ts'
import { own } from '../../model/own.ts'
import { agentNames, type Config, installedAt, programFor } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import type { AgentRow } from './agent-row.ts'
import { type AgentsMemory, type AskedProgram, openMemory } from './memory.ts'
import { askVersion } from './program-version.ts'
import { shortcomingsOf } from './shortcomings.ts'

export interface AgentsWish {
  readonly config: Config
  readonly environment: Environment
  /** How long each may take to answer; null: none is started but for its version. */
  readonly patienceMs: number | null
  /** Only these. Left out: all there are. */
  readonly names?: readonly string[]
}

/** Each is a heavy program: all at once would keep each other from answering in time. */
const AT_ONCE = 2

/** Those that are installed first. */
export async function knownAgents({
  config,
  environment,
  patienceMs,
  names = rowNames(config),
}: AgentsWish): Promise<readonly AgentRow[]> {
  const memory = openMemory(environment.home)
  const ground = mkdtempSync(join(tmpdir(), 'signalbox-agents-'))
  const probing = patienceMs === null ? null : { ground, patienceMs }
  const asking = { config, environment, memory, probing }
  const rows = await fewAtOnce(names, AT_ONCE, (name) => rowOf(name, asking))
  rmSync(ground, { recursive: true, force: true })
  remember(rows, asking)
  return [...rows.filter(({ path }) => path !== null), ...rows.filter(({ path }) => path === null)]
}

/** `default` has a row of its own only where it is a program of its own. */
export const rowNames = (config: Config): readonly string[] =>
  agentNames(config).filter((name) => name !== DEFAULT_USE || typeof own(config.agents, name) === 'object')

/** In the order of the items. */
async function fewAtOnce<T, R>(
  items: readonly T[],
  most: number,
  make: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const made: R[] = []
  const waiting = [...items.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      made[next[0]] = await make(next[1])
  }
  await Promise.all(Array.from({ length: most }, work))
  return made
}

interface Asking {
  readonly config: Config
  readonly environment: Environment
  readonly memory: AgentsMemory
  /** Null: nothing is started but for its version. */
  readonly probing: { readonly ground: string; readonly patienceMs: number } | null
}

async function rowOf(name: string, asking: Asking): Promise<AgentRow> {
  const { config, environment } = asking
  const serve = programFor(config, environment)
  const entry = own(config.agents, name)
  const standsFor = typeof entry === 'string' ? entry : null
  const program = serve(name)
  const path = program === null ? null : installedAt(program, environment.searchPath)
  const row = {
    name,
    driver: program?.driver ?? null,
    isDefault: standsFor === null && serve(DEFAULT_USE)?.name === name,
    standsFor,
    path,
    install: program?.install ?? '',
    model: program?.model ?? null,
    modelBy: program === null ? null : modelWay(program),
    keeps: program === null ? [] : keepsTexts(program.keeps),
    passes: program?.passes ?? [],
  }
  const unknown = { version: null, probe: null, askedAt: null }
  if (program === null || path === null || standsFor !== null) return { ...row, ...unknown, lacks: [] }
  // Only agents of the protocol are started: what a plain command of the user's does with `--version`, nobody knows.
  if (program.ofProject === true)
    return { ...row, ...unknown, lacks: [OF_PROJECT, ...shortcomingsOf(program, null)] }
  if (program.driver !== 'acp') return { ...row, ...unknown, lacks: shortcomingsOf(program, null) }
  const { version, probe, askedAt } = await look(program, path, asking)
  const answered = probe === null || 'problem' in probe ? null : probe
  return { ...row, version, probe, askedAt, lacks: shortcomingsOf(program, answered) }
}

/** Whoever can write to the repository says what it is. */
const OF_PROJECT =
  'This project names its program: it is started in runs only, and not to be asked who it is.'

async function look(
  program: AgentProgram,
  path: string,
  { config, environment, memory, probing }: Asking,
): Promise<Pick<AgentRow, 'version' | 'probe' | 'askedAt'>> {
  const names = [...BASE_VARIABLES, ...config.sandbox.env, ...(program.passes ?? [])]
  const env = { ...listed(environment.variables, names), ...program.env }
  const told = isInterpreter(path) ? Promise.resolve(null) : askVersion({ program: path, env })
  if (probing === null) {
    const kept = memory.recall(askedProgram(program, path))
    return {
      version: (await told) ?? versionIn(kept?.probe ?? null),
      probe: kept?.probe ?? null,
      askedAt: kept?.askedAt ?? null,
    }
  }
  const { argv } = withModel(program, null).program
  const launch = { argv: [path, ...argv.slice(1)], cwd: probing.ground, env, sandbox: null }
  const [version, probe] = await Promise.all([told, probeAcp(launch, probing.patienceMs)])
  const askedAt = new Date().toISOString()
  return { version: version ?? ('problem' in probe ? null : versionIn(probe)), probe, askedAt }
}

/** Its version is not that of the agent. */
const isInterpreter = (path: string): boolean =>
  /^(?:node|bun|deno|npx|bunx|pnpm|uv|uvx|python[\d.]*|ruby|java|sh|bash|zsh|env|docker|podman)$/.test(
    basename(path),
  )

const versionIn = (probe: Probe | null): string | null => probe?.version || null

const askedProgram = ({ argv }: AgentProgram, path: string): AskedProgram => ({ path, args: argv.slice(1) })

function remember(rows: readonly AgentRow[], { config, environment, memory, probing }: Asking): void {
  if (probing === null) return
  const serve = programFor(config, environment)
  memory.keep(
    rows.flatMap(({ name, path, probe, askedAt }) => {
      const program = serve(name)
      if (program === null || path === null || askedAt === null || probe === null || 'problem' in probe)
        return []
      return [[askedProgram(program, path), { probe, askedAt }] as const]
    }),
  )
}
