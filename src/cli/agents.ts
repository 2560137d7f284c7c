/** `signalbox agents`: which agents there are, which are installed, and how to get the others. */
import { type Probe, probeAcp } from '../drivers/acp/probe.ts'
import type { AgentProgram } from '../host/agent-program.ts'
import { DEFAULT_USE } from '../host/agent-program.ts'
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts'
import { own } from '../model/own.ts'
import { agentNames, type Config, installedAt, programFor, readConfig } from './config.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import type { Environment } from './environment.ts'
import { EXIT } from './exit.ts'
import { askVersion } from './program-version.ts'
import { findRepository } from './repository.ts'
import { type Terminal, table, visible } from './terminal.ts'

export interface AgentsOptions {
  readonly json?: boolean
  /** Start each agent that is installed, and ask it what it can do. */
  readonly probe?: boolean
}

export interface AgentsSetting {
  readonly environment: Environment
  /** Where the user stands, unless it is here. */
  readonly dir?: string
}

interface AgentRow {
  readonly name: string
  readonly driver: AgentProgram['driver'] | null
  readonly isDefault: boolean
  /** The entry it is another name of. */
  readonly standsFor: string | null
  /** Where it is; null: not installed. */
  readonly path: string | null
  readonly install: string
  readonly version: string | null
  readonly probe?: Probe | { readonly problem: string } | null
}

/** Some download themselves when they are first started. */
const PROBE_MS = 20_000

export async function agents(
  options: AgentsOptions,
  terminal: Terminal,
  { environment, dir = process.cwd() }: AgentsSetting,
): Promise<number> {
  const found = await findRepository(dir)
  const repo = 'repo' in found ? found.repo : null
  const { config, diagnostics } = readConfig({ configDir: environment.configDir, repo })
  terminal.progress(options.probe === true ? 'asking every agent who it is…' : 'asking for versions…')
  const rows = await Promise.all(
    rowNames(config).map((name) => rowOf(name, { config, environment, options })),
  )
  terminal.clearProgress()
  const sorted = [...rows.filter(({ path }) => path !== null), ...rows.filter(({ path }) => path === null)]
  if (options.json === true) {
    const byDefault = programFor(config, environment)(DEFAULT_USE)?.name ?? null
    terminal.write(JSON.stringify({ default: byDefault, agents: sorted, diagnostics }, null, 2))
  } else terminal.write(agentsText(sorted, diagnostics, terminal))
  return hasErrors(diagnostics) ? EXIT.failed : EXIT.ok
}

/** `default` has a row of its own only where it is a program of its own. */
const rowNames = (config: Config): readonly string[] =>
  agentNames(config).filter((name) => name !== DEFAULT_USE || typeof own(config.agents, name) === 'object')

async function rowOf(
  name: string,
  {
    config,
    environment,
    options,
  }: { readonly config: Config; readonly environment: Environment; readonly options: AgentsOptions },
): Promise<AgentRow> {
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
  }
  // Only agents of the protocol are started: what a plain command of the user's does with `--version`, nobody knows.
  if (program === null || path === null || standsFor !== null || program.driver !== 'acp')
    return { ...row, version: null, ...(options.probe === true ? { probe: null } : {}) }
  const env = { ...environment.variables, ...program.env }
  const launch = { argv: [path, ...program.argv.slice(1)], cwd: '/', env, sandbox: null }
  if (options.probe !== true) return { ...row, version: await askVersion({ program: path, env }) }
  const [version, probe] = await Promise.all([askVersion({ program: path, env }), probeAcp(launch, PROBE_MS)])
  return { ...row, version, probe }
}

function agentsText(
  rows: readonly AgentRow[],
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
): string {
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  return [
    rowsText(rows, terminal),
    answersText(rows, terminal),
    silenceText(rows, terminal),
    rows.some(({ isDefault }) => isDefault) ? '' : terminal.paint('dim', NO_DEFAULT),
    ...files.map((file) =>
      diagnosticsText(
        diagnostics.filter((each) => each.file === file),
        file,
        terminal,
      ),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

const NO_DEFAULT =
  'Nothing serves `use: default` yet: install one of these, or name yours in .signalbox/config.yaml.'

function rowsText(rows: readonly AgentRow[], { paint }: Terminal): string {
  return table(
    [
      { head: ' ', paint: (cell) => paint(cell === '✓' ? 'green' : 'dim', cell) },
      { head: 'AGENT', paint: (cell) => paint('bold', cell) },
      { head: 'DRIVER' },
      { head: 'VERSION' },
      { head: 'WHERE', paint: (cell) => (cell.startsWith('/') ? cell : paint('dim', cell)) },
    ],
    rows.map((row) => [
      row.path === null ? '·' : '✓',
      `${row.name}${row.isDefault ? ' (default)' : ''}`,
      row.driver ?? '·',
      row.version ?? '·',
      visible(placeText(row)),
    ]),
    '',
  )
}

function placeText({ path, standsFor, install, driver }: AgentRow): string {
  if (standsFor !== null) return `stands for ${standsFor}`
  if (path !== null) return path
  if (driver === 'scripted') return 'its script is missing'
  return install === '' ? 'not installed' : `to get it: ${install}`
}

/** What those who were started answered. */
function answersText(rows: readonly AgentRow[], { paint }: Terminal): string {
  const answers = rows.flatMap(({ name, probe }) =>
    probe === undefined || probe === null || 'problem' in probe
      ? []
      : [
          [
            name,
            visible([probe.name, probe.version].filter((text) => text !== '').join(' ')) || '·',
            probe.resumes === 'resume' ? 'resumed' : probe.resumes === 'load' ? 'loaded' : 'lost',
            probe.mcpHttp ? 'yes' : 'no',
            visible(probe.logins.join(', ')) || '·',
          ],
        ],
  )
  if (answers.length === 0) return ''
  const columns = [
    { head: 'ASKED', paint: (cell: string) => paint('bold', cell) },
    { head: 'ANSWERS AS' },
    { head: 'EARLIER SESSIONS' },
    { head: 'MCP OVER HTTP' },
    { head: 'LOGINS' },
  ]
  return table(columns, answers, '')
}

function silenceText(rows: readonly AgentRow[], { paint }: Terminal): string {
  return rows
    .flatMap(({ name, probe }) => {
      if (probe === undefined || probe === null || !('problem' in probe)) return []
      const [line = ''] = probe.problem.split('\n')
      return [`${paint('red', '✗')} ${paint('bold', name)}  ${visible(line).slice(0, 300)}`]
    })
    .join('\n')
}
