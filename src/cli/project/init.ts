/**
 * `signalbox init`: what a project begins with. Nothing that is there is overwritten unless that is asked for, and
 * whatever could be wrong is found before the first file is written.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kindInside } from '../../host/inside/read-inside.ts'
import { ISSUE_FOLDERS } from '../../host/issue/issue-folder.ts'
import { openTracker } from '../../host/issue/issues.ts'
import { COMMON_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import { type AgentProgram, DEFAULT_USE } from '../../host/session/agent-program.ts'
import { codeOf } from '../../host/workspace/file-error.ts'
import type { Problem } from '../../host/workspace/problem.ts'
import { installedAt, PROJECT_CONFIG, programFor, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { runbooksOf } from '../runbooks/find-runbook.ts'
import { complain } from '../terminal/complaint.ts'
import { onSearchPath } from '../terminal/own-command.ts'
import { type Terminal, table } from '../terminal/terminal.ts'
import {
  AGENTS_WITH_FILES,
  type AgentWithFiles,
  agentDeeds,
  mcpDeed,
  notOnPath,
  startsUs,
} from './agent-files.ts'
import { type CommandsHere, commandsHere } from './commands-here.ts'
import { type Deed, obstacleTo, perform, textOfFile } from './deed.ts'
import { findRepository } from './repository.ts'
import { type ShippedFile, shippedFlow } from './shipped-flows.ts'
import {
  EXAMPLE_ISSUE,
  HARMLESS_GATE,
  RUNBOOK_FILE,
  starterConfig,
  starterIssue,
  starterRunbook,
} from './starter-files.ts'

/** Each agent that is named gets the files by which it knows of Signalbox. */
export interface InitOptions extends Readonly<Partial<Record<AgentWithFiles, boolean>>> {
  /** A flow that comes with the package, instead of a first runbook. */
  readonly flow?: string
  readonly mcp?: boolean
  readonly force?: boolean
  /** Takes out what was written for the agents that are named, and does nothing else. */
  readonly remove?: boolean
}

export interface InitSetting {
  readonly environment: Environment
  /** Where the user stands, unless it is here. */
  readonly dir?: string
  /** Where the schema of runbooks lies, unless it is the one that came with this program. */
  readonly schema?: string
}

export async function init(
  { flow, mcp = false, force = false, remove = false, ...chosen }: InitOptions,
  terminal: Terminal,
  { environment, dir = process.cwd(), schema = ownSchema() }: InitSetting,
): Promise<number> {
  const citizens = AGENTS_WITH_FILES.filter((name) => chosen[name] === true)
  if (remove && citizens.length === 0) return complain(terminal, REMOVE_WHAT, EXIT.usage)
  const found = await findRepository(dir)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.failed)
  const { repo } = found
  const taken = flow === undefined ? null : shippedFlow(flow)
  if (taken !== null && 'problem' in taken) return complain(terminal, taken.problem, EXIT.usage)
  const agents = foundAgents(repo, environment)
  try {
    const here = commandsHere(repo, environment)
    const deeds = remove
      ? agentDeeds({ repo, agents: citizens, act: 'remove', force })
      : await plan({
          repo,
          citizens,
          agents,
          here,
          flow: taken?.files ?? null,
          mcp,
          force,
          schema,
          searchPath: environment.searchPath,
        })
    if ('problem' in deeds) return complain(terminal, deeds.problem, EXIT.failed)
    const obstacle = deeds.flatMap((deed) => obstacleTo(repo, deed) ?? [])[0]
    if (obstacle !== undefined) return complain(terminal, obstacle.problem, EXIT.failed)
    for (const deed of deeds) {
      const trouble = await perform(repo, deed)
      if (trouble !== null) return complain(terminal, trouble.problem, EXIT.failed)
    }
    terminal.write(
      remove
        ? deedsText(deeds, terminal)
        : initText(deeds, { dir, repo, agents, flow: flow ?? null }, terminal),
    )
    return EXIT.ok
  } catch (error) {
    if (codeOf(error) === '') throw error
    return complain(terminal, `The project cannot be written to: ${(error as Error).message}`, EXIT.failed)
  }
}

const REMOVE_WHAT =
  'Say whose files: signalbox init --remove with --claude, --codex, --gemini or --opencode. A first runbook and config are yours to delete.'

/** The one that runs would take first, then the other ready ones. */
function foundAgents(repo: string, environment: Environment): readonly AgentProgram[] {
  const { config } = readConfig({ configDir: environment.configDir, repo })
  const first = programFor(config, environment)(DEFAULT_USE)
  const installed = COMMON_AGENTS.filter((each) => installedAt(each, environment.searchPath) !== null)
  return first === null ? installed : [first, ...installed.filter(({ name }) => name !== first.name)]
}

interface Project {
  readonly repo: string
  readonly flow: readonly ShippedFile[] | null
  readonly agents: readonly AgentProgram[]
  readonly citizens: readonly AgentWithFiles[]
  readonly here: CommandsHere
  readonly mcp: boolean
  readonly force: boolean
  readonly schema: string
  readonly searchPath: string
}

async function plan(project: Project): Promise<Deed[] | { readonly problem: string }> {
  const { repo, agents, citizens, here, flow, mcp, force, schema } = project
  const own = (file: string, text: string, note: string): Deed => {
    if (kindInside({ root: repo, names: file.split('/') }) === null)
      return { file, did: 'created', note, text }
    return force
      ? { file, did: 'replaced', note, text }
      : { file, did: 'kept', note: '--force replaces it', text: null }
  }
  const { test, setup = null } = here.commands
  const gate = test?.run ?? HARMLESS_GATE
  const runbook = starterRunbook({ schema: pathWithin(repo, schema), gate, setup })
  const first = own(
    RUNBOOK_FILE,
    runbook,
    `the gate is \`${gate}\`${test === undefined ? NAME_TESTS : ` (${test.why})`}`,
  )
  // Whoever only has an agent told of Signalbox has a runbook already, or gets one.
  const firsts = citizens.length > 0 && runbooksOf(repo).length > 0 && !force ? [] : [first]
  const ignored = ignoreDeed(repo)
  if ('problem' in ignored) return ignored
  const deeds = [
    ...(flow?.map(({ file, text }) => own(file, text, '')) ?? firsts),
    own(PROJECT_CONFIG, starterConfig(agents), agentsNote(agents)),
    await issueDeed(repo),
    ignored,
  ]
  const forAgents = agentDeeds({ repo, agents: citizens, act: 'write', force })
  if ('problem' in forAgents) return forAgents
  const entry = mcp && !citizens.includes('claude') ? mcpDeed({ repo, force }) : null
  if (entry !== null && 'problem' in entry) return entry
  const isFound = onSearchPath(project.searchPath) !== null
  return [
    ...deeds,
    ...[...forAgents, ...(entry === null ? [] : [entry])].map((deed) => (isFound ? deed : warned(deed))),
  ]
}

/** Of files that start our command, where agents would not find it. */
const warned = (deed: Deed): Deed => (startsUs(deed) ? { ...deed, warning: notOnPath(deed.file) } : deed)

const NAME_TESTS = ': better name your tests'

const agentsNote = (agents: readonly AgentProgram[]): string =>
  agents.length === 0 ? 'no agent was found' : `found ${agents.map(({ name }) => name).join(', ')}`

/** Issues are the user's own, whatever else may be replaced. */
async function issueDeed(repo: string): Promise<Deed> {
  const [folder] = ISSUE_FOLDERS
  const file = `${folder}/${EXAMPLE_ISSUE}.md`
  const tracker = await openTracker({ repo, configured: null })
  const ids = [...(tracker?.issues ?? []), ...(tracker?.problems ?? [])].map(({ id }) => id)
  return ids.length === 0
    ? { file, did: 'created', note: 'an example', text: starterIssue }
    : {
        file: tracker?.folder ?? folder,
        did: 'kept',
        note: `there are issues: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`,
        text: null,
      }
}

function ignoreDeed(repo: string): Deed | Problem {
  const file = '.signalbox/.gitignore'
  const note = 'notes of a run are not committed'
  const read = textOfFile(repo, file)
  if ('problem' in read) return read
  const { text } = read
  if (text === null) return { file, did: 'created', note, text: 'run/\n' }
  if (/^\/?run\/?\s*$/m.test(text)) return { file, did: 'kept', note, text: null }
  return {
    file,
    did: 'changed',
    note,
    text: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}run/\n`,
  }
}

function ownSchema(): string {
  const places = ['../schema/', '../../schema/', '../../../schema/'].map(
    (place) => new URL(`${place}runbook.schema.json`, import.meta.url),
  )
  return fileURLToPath(places.find((place) => existsSync(place)) ?? places[2]!)
}

/** From the runbook, which is committed: null where the path would hold on this machine only. */
function pathWithin(repo: string, schema: string): string | null {
  if (!schema.startsWith(join(repo, '/'))) return null
  const path = relative(dirname(join(repo, RUNBOOK_FILE)), schema)
  // The line ends at the first space.
  return /\s/.test(path) ? null : path
}

function initText(
  deeds: readonly Deed[],
  {
    dir,
    repo,
    agents,
    flow,
  }: {
    readonly dir: string
    readonly repo: string
    readonly agents: readonly AgentProgram[]
    readonly flow: string | null
  },
  terminal: Terminal,
): string {
  const { paint } = terminal
  const isTop = relative(repo, dir) === ''
  const issue = deeds.find(({ text }) => text === starterIssue)
  const runbook = flow ?? (isTop ? 'runbook' : relative(dir, join(repo, RUNBOOK_FILE)))
  const run = `signalbox run ${runbook} --issue ${issue === undefined ? 'ID' : EXAMPLE_ISSUE}`
  const next =
    agents.length === 0
      ? ['signalbox agents', 'which agents there are, and how to get one']
      : [run, 'once the issue says what you want']
  return [
    deedsText(deeds, terminal),
    ...deeds.flatMap(({ warning }) => (warning === undefined ? [] : [paint('yellow', warning)])),
    `Next: ${paint('bold', next[0] ?? '')}  ${paint('dim', next[1] ?? '')}`,
  ].join('\n\n')
}

function deedsText(deeds: readonly Deed[], { paint }: Terminal): string {
  const files = table(
    [
      { head: ' ', paint: (cell) => paint(cell === '·' ? 'dim' : 'green', cell) },
      { head: ' ' },
      { head: ' ', paint: (cell) => paint('bold', cell) },
      { head: ' ', paint: (cell) => paint('dim', cell) },
    ],
    deeds.map(({ file, did, note }) => [did === 'kept' ? '·' : '✓', did, file, note]),
    '',
  )
  return files.slice(files.indexOf('\n') + 1)
}
