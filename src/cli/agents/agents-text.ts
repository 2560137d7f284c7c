/** The agents of this machine as a table, and below it what will not work with them. */
import type { Diagnostic } from '../../model/diagnostic.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { type Terminal, table, visible } from '../terminal/terminal.ts'
import type { AgentRow } from './agent-row.ts'

export interface Listing {
  readonly rows: readonly AgentRow[]
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the sandbox lets agents at the network. */
  readonly network: boolean
}

export function agentsText({ rows, diagnostics, network }: Listing, terminal: Terminal): string {
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  return [
    rowsText(rows, terminal),
    silenceText(rows, terminal),
    lacksText(rows, terminal),
    network ? '' : terminal.paint('yellow', NO_NETWORK),
    hintText(rows, terminal),
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

const NO_NETWORK =
  'The config says `sandbox: { network: off }`: in there an agent reaches our tools, and no model.'

function rowsText(rows: readonly AgentRow[], { paint }: Terminal): string {
  const dim = (cell: string): string => (cell === '-' || cell === '·' ? paint('dim', cell) : cell)
  return table(
    [
      { head: ' ', paint: (cell) => paint(cell === '✓' ? 'green' : 'dim', cell) },
      { head: 'AGENT', paint: (cell) => paint('bold', cell) },
      { head: 'DRIVER' },
      { head: 'VERSION', paint: dim },
      { head: 'SESSIONS', paint: dim },
      { head: 'MCP', paint: dim },
      { head: 'MODEL', paint: dim },
      { head: 'WHERE', paint: (cell) => (cell.startsWith('/') ? cell : paint('dim', cell)) },
    ],
    rows.map((row) => [
      row.path === null ? '·' : '✓',
      `${row.name}${row.isDefault ? ' (default)' : ''}`,
      row.driver ?? '·',
      visible(row.version ?? '·'),
      ...abilities(row),
      visible(placeText(row)),
    ]),
    '',
  )
}

/** `-`: it was not asked; `·`: it did not say, or has no such thing. */
function abilities({ probe, driver, path, standsFor, model }: AgentRow): [string, string, string] {
  if (path === null || standsFor !== null || driver !== 'acp') return ['·', '·', model ?? '·']
  if (probe === null) return ['-', '-', model ?? '-']
  if ('problem' in probe) return ['·', '·', model ?? '·']
  return [
    probe.resumes ?? 'fresh',
    probe.mcpHttp ? 'http' : 'bridge',
    visible(model ?? probe.model ?? '·').slice(0, LONGEST_MODEL),
  ]
}

const LONGEST_MODEL = 30

function placeText({ path, standsFor, install, driver }: AgentRow): string {
  if (standsFor !== null) return `stands for ${standsFor}`
  if (path !== null) return path
  if (driver === 'scripted') return 'its script is missing'
  return install === '' ? 'not installed' : `to get it: ${install}`
}

function silenceText(rows: readonly AgentRow[], { paint }: Terminal): string {
  return rows
    .flatMap(({ name, probe }) => {
      if (probe === null || !('problem' in probe)) return []
      const [line = ''] = probe.problem.split('\n')
      return [`${paint('red', '✗')} ${paint('bold', name)}  ${visible(line).slice(0, 300)}`]
    })
    .join('\n')
}

function lacksText(rows: readonly AgentRow[], { paint }: Terminal): string {
  const lacking = rows.filter(({ lacks }) => lacks.length > 0)
  if (lacking.length === 0) return ''
  const width = Math.max(...lacking.map(({ name }) => name.length))
  const lines = lacking.flatMap(({ name, lacks }) =>
    lacks.map((text, index) => {
      const head = (index === 0 ? name : '').padEnd(width)
      return `  ${paint('bold', head)}  ${visible(text)}`
    }),
  )
  return [paint('bold', 'What does not work, or not as usual'), ...lines].join('\n')
}

function hintText(rows: readonly AgentRow[], { paint }: Terminal): string {
  const asked = rows.filter(
    ({ path, driver, standsFor }) => path !== null && driver === 'acp' && standsFor === null,
  )
  if (asked.length === 0) return ''
  const oldest = asked.flatMap(({ askedAt }) => askedAt ?? []).sort()[0]
  const asks = asked.some(({ probe }) => probe === null)
    ? 'Where a `-` stands, nothing is known yet: signalbox agents --probe starts each once and asks.'
    : `Asked on ${oldest?.slice(0, 10)}; signalbox agents --probe asks again.`
  return paint(
    'dim',
    `${asks}\nsignalbox agents test NAME has one of them work for a minute, with your model.`,
  )
}
