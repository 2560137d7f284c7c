/**
 * The config: the user's file, and the project's over it. What an entry leaves out stays as it was below: defaults,
 * ready entries, the user's file. A file that is wrong in places is taken as far as it goes, and told. A project's is
 * written by whoever can write to the repository: it may take away from what the user allows, and adds nothing.
 */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_RULES, type SandboxRules } from '../../host/confinement/rules.ts'
import type { Limits } from '../../host/duty/loop.ts'
import { MAX_FILE_BYTES, readInside } from '../../host/inside/read-inside.ts'
import { findProgram } from '../../host/machine/find-program.ts'
import type { SaidCommands } from '../../host/project/commands-of-run.ts'
import { COMMON_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import { type AgentProgram, DEFAULT_USE, HAS_OWN_PROGRAM } from '../../host/session/agent-program.ts'
import { isMissing } from '../../host/workspace/file-error.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { list, orNear } from '../../model/nearest.ts'
import { own } from '../../model/own.ts'
import { type DayLimits, NO_DAY_LIMITS } from '../../model/spending.ts'
import { checkShape } from '../../runbook/language/shape.ts'
import { createReport, type Report } from '../../runbook/report.ts'
import { decodeUtf8 } from '../../runbook/source-text.ts'
import {
  childOf,
  type Entry,
  entriesOf,
  type MapTree,
  numberOf,
  type Tree,
  textOf,
} from '../../runbook/tree.ts'
import { readYaml } from '../../runbook/yaml/read.ts'
import { type BytesRead, readBytes } from '../files.ts'
import { type NotifyEntry, readNotify, readPublicUrl, refuseNotify } from '../notify/notify-entry.ts'
import { type AgentEntry, readAgentEntry } from './agent-entry.ts'
import { readHold, refuseAnswers } from './answers-entry.ts'
import { readCommands } from './commands-entry.ts'
import { readDayLimits, refuseDayLimits } from './day-limits-entry.ts'
import { readIssuesFolder } from './issues-entry.ts'
import { CONFIG } from './language.ts'
import { type Person, readPeople, refusePeople } from './people-entry.ts'
import { readSandbox, tightenSandbox } from './sandbox-entry.ts'

export interface Config {
  /** What was configured, by name. Ready entries that nobody changed are not among them. */
  readonly agents: Readonly<Record<string, AgentEntry>>
  /** What the project's commands are, where its files do not say it or say it wrongly. */
  readonly commands: SaidCommands
  /** The user's, as a project has tightened it. */
  readonly sandbox: SandboxRules
  readonly limits: Limits
  /** Who else may answer, from the user's own file only. */
  readonly people: Readonly<Record<string, Person>>
  /** Where the user is told, from their own file only. */
  readonly notify: readonly NotifyEntry[]
  /** Where links lead that are followed from elsewhere; null: there is no way in. */
  readonly publicUrl: string | null
  /** How long what the user answers at a terminal can be taken back; from their own file only. */
  readonly holdMs: number
  /** What the agents of all runs may use in a day, from the user's own file only. */
  readonly dayLimits: DayLimits
  /** The folder that issues are in; null: whichever of the usual ones has some. */
  readonly issues: string | null
}

const DEFAULTS: Config = {
  agents: {},
  commands: {},
  sandbox: DEFAULT_RULES,
  limits: { agents: 4, commands: 2 },
  people: {},
  notify: [],
  publicUrl: null,
  holdMs: 5000,
  dayLimits: NO_DAY_LIMITS,
  issues: null,
}

interface Layer {
  readonly of: 'user' | 'project'
  readonly report: Report
  readonly tree: MapTree | null
}

/** More would be a loop. */
const LONGEST_CHAIN = 10

export const PROJECT_CONFIG = '.signalbox/config.yaml'

export function readConfig({
  configDir,
  repo,
}: {
  readonly configDir: string
  readonly repo: string | null
}): {
  readonly config: Config
  readonly diagnostics: readonly Diagnostic[]
} {
  const files = [
    { of: 'user', file: join(configDir, 'config.yaml') } as const,
    ...(repo === null ? [] : [{ of: 'project', file: join(repo, PROJECT_CONFIG) } as const]),
  ]
  const layers = files.map(({ of, file }): Layer => {
    const report = createReport(file)
    const read = of === 'user' || repo === null ? readUserFile(file) : readProjectFile(repo)
    return { of, report, tree: read === null ? null : treeIn(read, report) }
  })
  const [user, project] = layers
  const config = layers.reduce(
    (below, { of, tree, report }) => (tree === null ? below : laidOver(below, { of, tree, report })),
    user === undefined ? DEFAULTS : { ...DEFAULTS, ...usersOwn(user) },
  )
  for (const { tree, report } of layers)
    for (const entry of entriesOf(childOf(tree ?? undefined, 'agents'))) checkAlias(entry, config, report)
  if (project !== undefined) {
    refusePeople(project.tree, project.report)
    refuseNotify(project.tree, project.report)
    refuseAnswers(project.tree, project.report)
    refuseDayLimits(project.tree, project.report)
  }
  return { config, diagnostics: layers.flatMap(({ report }) => report.diagnostics) }
}

/** Which program serves `use: NAME`; null where there is none. */
export function programFor(
  config: Config,
  { searchPath }: { readonly searchPath: string },
): (use: string) => AgentProgram | null {
  return (use) => {
    const name = endOfChain(config, use)
    const program = name === null ? null : entryFor(config, name)
    if (program !== null || name !== DEFAULT_USE) return program
    const ready = COMMON_AGENTS.flatMap((each) => entryFor(config, endOfChain(config, each.name) ?? '') ?? [])
    return ready.find((each) => installedAt(each, searchPath) !== null) ?? null
  }
}

/** Where its program is, or its script; null where that is missing. */
export function installedAt({ driver, argv }: AgentProgram, searchPath: string): string | null {
  if (!HAS_OWN_PROGRAM[driver]) return findProgram(argv[0] ?? '', searchPath)
  const script = argv[1] ?? ''
  return existsSync(script) ? script : null
}

/** Every name that can be used, the ready ones first. */
export const agentNames = ({ agents }: Config): readonly string[] => [
  ...new Set([...COMMON_AGENTS.map(({ name }) => name), ...Object.keys(agents)]),
]

/** Follows names to one that stands for itself; null where they go round in a circle. */
function endOfChain({ agents }: Config, use: string): string | null {
  let name = use
  for (let hops = 0; hops < LONGEST_CHAIN; hops++) {
    const entry = own(agents, name)
    if (typeof entry !== 'string') return name
    name = entry
  }
  return null
}

function entryFor({ agents }: Config, name: string): AgentProgram | null {
  const entry = own(agents, name) ?? COMMON_AGENTS.find((ready) => ready.name === name)
  return typeof entry === 'object' ? entry : null
}

/** Null where there is none. It may be a link: the user's own. */
function readUserFile(file: string): BytesRead | null {
  try {
    lstatSync(file)
  } catch (error) {
    if (isMissing(error)) return null
  }
  return readBytes(file)
}

function readProjectFile(repo: string): BytesRead | null {
  const read = readInside({ root: repo, names: PROJECT_CONFIG.split('/') }, { maxBytes: MAX_FILE_BYTES })
  if ('bytes' in read) return { kind: 'bytes', ...read }
  return read.kind === 'missing' ? null : { kind: 'unreadable', why: read.why }
}

/** Null for a file in which nothing can be made out. */
function treeIn(read: BytesRead, report: Report): MapTree | null {
  if (read.kind === 'unreadable') {
    const [at, help] = [{ line: 1, column: 1 }, 'Make it a readable file of YAML, or remove it.']
    report.add({ code: 'unreadable', at, path: '', message: `${report.file} ${read.why}.`, help })
    return null
  }
  const text = decodeUtf8(read.bytes, report)
  const root = text === null ? null : readYaml(text, report)
  if (root === null || isNothing(root)) return null
  // A section whose lines are all commented out says nothing.
  const tree =
    root.kind === 'map' ? { ...root, entries: root.entries.filter(({ value }) => !isNothing(value)) } : root
  checkShape(tree, CONFIG, report)
  return tree.kind === 'map' ? tree : null
}

const isNothing = (tree: Tree): boolean => tree.kind === 'scalar' && tree.value === null

function laidOver(below: Config, { of, tree, report }: Layer & { readonly tree: MapTree }): Config {
  const isSound = ({ path }: Tree): boolean =>
    !report.diagnostics.some((each) => each.path === path || each.path.startsWith(`${path}.`))
  const at = (section: string, key: string): Tree | undefined => {
    const found = childOf(childOf(tree, section), key)
    return found !== undefined && isSound(found) ? found : undefined
  }
  const agents: Record<string, AgentEntry> = { ...below.agents }
  for (const entry of entriesOf(childOf(tree, 'agents')).filter(({ value }) => isSound(value))) {
    const before = own(below.agents, entry.key) ?? COMMON_AGENTS.find(({ name }) => name === entry.key)
    const read = readAgentEntry(entry, { of, report, before })
    if (read !== null) agents[entry.key] = read
  }
  return {
    agents,
    commands: { ...below.commands, ...readCommands({ tree, report }, isSound) },
    sandbox: (of === 'user' ? readSandbox : tightenSandbox)({ tree, report }, below.sandbox),
    limits: {
      agents: numberOf(at('limits', 'agents')) ?? below.limits.agents,
      commands: numberOf(at('limits', 'commands')) ?? below.limits.commands,
    },
    people: below.people,
    notify: below.notify,
    publicUrl: below.publicUrl,
    holdMs: below.holdMs,
    dayLimits: below.dayLimits,
    issues: readIssuesFolder(tree, report) ?? below.issues,
  }
}

/** What no project may change. */
const usersOwn = (user: Layer): Pick<Config, 'people' | 'notify' | 'publicUrl' | 'holdMs' | 'dayLimits'> => ({
  people: readPeople(user.tree, user.report),
  notify: readNotify(user.tree, user.report),
  publicUrl: readPublicUrl(user.tree, user.report),
  holdMs: readHold(user.tree, user.report) ?? DEFAULTS.holdMs,
  dayLimits: readDayLimits(user.tree, user.report),
})

/** Only of what counts in the end: a name that the project replaces may lead nowhere. */
function checkAlias({ key, value }: Entry, config: Config, report: Report): void {
  const name = textOf(value)
  if (name === undefined || own(config.agents, key) !== name) return
  const end = endOfChain(config, name)
  if (end === DEFAULT_USE || (end !== null && entryFor(config, end) !== null)) return
  const known = agentNames(config)
  report.add({
    code: 'config',
    at: value.at,
    path: value.path,
    message:
      end === null
        ? `\`${value.path}\` stands for itself in the end.`
        : `There is no agent "${end}"${orNear(end, known)}`,
    help: `Name one that has a program: ${list(known.filter((each) => typeof own(config.agents, each) !== 'string'))}.`,
  })
}
