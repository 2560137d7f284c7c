/** The start of a run: everything that could make it fail later is looked for first, and told at once. */
import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Journal } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { CapturedIssue, Placement } from '../../model/fact.ts'
import { orAltered } from '../../model/failure.ts'
import { orNear } from '../../model/nearest.ts'
import type { Program } from '../../model/program.ts'
import type { Clock } from '../machine/clock.ts'
import { findProgram } from '../machine/find-program.ts'
import { freePort } from '../machine/free-port.ts'
import type { Home } from '../machine/home.ts'
import { commandsOfRun, type KeptCommands, type SaidCommands } from '../project/commands-of-run.ts'
import { type AgentProgram, DEFAULT_USE, HAS_OWN_PROGRAM } from '../session/agent-program.ts'
import { whyNoModel } from '../session/chosen-model.ts'
import { preflight, type UserCheckout } from '../workspace/preflight.ts'
import { issueOfRun } from './issue-of-run.ts'
import type { LoadedRun } from './loaded-run.ts'
import { RUNS } from './projection.ts'
import type { Runs } from './runs.ts'

export interface StartRequest {
  readonly program: Program
  /** The file it was compiled from. */
  readonly runbook: string
  /** Where in the repository it was asked for. */
  readonly dir: string
  readonly base: string | null
  readonly issue: string | null
  readonly vars: Readonly<Record<string, string>>
  readonly by: Actor
}

export interface Starting {
  readonly journal: Journal
  readonly runs: Runs
  readonly clock: Clock
  readonly home: Home
  readonly searchPath: string
  readonly programFor: (use: string, repo: string) => AgentProgram | null
  readonly issueFolderFor: (repo: string) => string | null
  /** What the config says of the commands of this repository. */
  readonly commandsFor: (repo: string) => SaidCommands
  /** Why nothing may be started in this repository; null where it may. */
  readonly whyNot: (repo: string) => string | null
}

export type Started = { readonly loaded: LoadedRun } | NotStarted

export interface NotStarted {
  readonly problems: readonly string[]
  /** Nothing else is in the way but what was named. */
  readonly code?: 'issue-not-ready' | 'unknown-base'
}

export async function startRun(starting: Starting, request: StartRequest): Promise<Started> {
  const { journal, runs, clock, home } = starting
  const { program, runbook, by } = request
  const prepared = await prepareStart(starting, request)
  if ('problems' in prepared) return prepared
  const { ground, issue, vars, commands } = prepared
  const run = newId()
  const placement: Placement = {
    repo: ground.repo,
    gitDir: ground.commonDir,
    base: ground.base,
    baseCommit: ground.baseCommit,
    branch: `signalbox/${slug(program.name)}-${run}`,
    worktree: join(home.worktrees, `${slug(basename(ground.repo))}-${run}`),
    ...(asksForPort(program) ? await portFor(starting) : {}),
    ...commands,
  }
  const at = clock.now()
  const seed = randomBytes(16).toString('hex')
  await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
  const executed = await runs.begin({
    program,
    start: {
      type: 'run.start',
      at,
      run,
      vars,
      facts: [{ type: 'run.placed', at, placement, runbook, name: program.name, issue, seed, by }],
    },
  })
  if ('refusal' in executed) return { problems: [executed.refusal.message] }
  if ('lost' in executed) throw new Error(`the start of run ${run} was lost`)
  return { loaded: executed.loaded }
}

export interface PreparedStart {
  readonly ground: UserCheckout
  readonly issue: CapturedIssue | null
  readonly vars: Readonly<Record<string, string>>
  /** The project's commands that it looks up. */
  readonly commands: KeptCommands
  /** Agent → what serves it. */
  readonly agents: Readonly<Record<string, string>>
}

/** Everything that is in the way, or what a start would go by. Changes nothing. */
export async function prepareStart(
  starting: Starting,
  request: StartRequest,
): Promise<PreparedStart | NotStarted> {
  const { program } = request
  const vars = varsWith(program, request)
  const taken = await orderProblem(request, starting.home)
  if (taken !== null) return { problems: [taken] }
  const ground = await preflight({ dir: request.dir, base: request.base })
  const repo = 'problems' in ground ? request.dir : ground.repo
  const problems = [
    ...('problems' in ground ? ground.problems.map(({ problem }) => problem) : []),
    ...('problems' in ground ? [] : [starting.whyNot(ground.repo) ?? []].flat()),
    ...missingPrograms(starting, program, repo),
    ...modelProblems(starting, program, repo),
    ...variableProblems(program, vars),
  ]
  const commands = 'problems' in ground ? {} : await commandsFor(starting, program, ground)
  if ('problems' in commands) problems.push(...commands.problems)
  const { issue: id } = request
  const configured = starting.issueFolderFor(repo)
  const issue =
    'problems' in ground || id === null
      ? null
      : await issueOfRun({ repo, base: ground.baseCommit, configured, id })
  const isTheIssue = problems.length === 0
  const isTheBase =
    problems.length === 1 && 'problems' in ground && ground.problems[0]?.code === 'unknown-base'
  if (issue !== null && 'problems' in issue) problems.push(...issue.problems)
  if (
    problems.length > 0 ||
    'problems' in ground ||
    'problems' in commands ||
    (issue !== null && 'problems' in issue)
  )
    return {
      problems,
      ...(isTheIssue ? { code: 'issue-not-ready' } : isTheBase ? { code: 'unknown-base' } : {}),
    }
  const agents = Object.entries(program.agents).map(([name, { use }]) => [
    name,
    starting.programFor(use, repo)?.name ?? use,
  ])
  return { ground, issue, vars, commands, agents: Object.fromEntries(agents) }
}

/** Why nothing is started by this order. To be asked before its runbook is compiled: an agent may have written it. */
export const orderProblem = async (
  { dir, runbook }: Pick<StartRequest, 'dir' | 'runbook'>,
  home: Pick<Home, 'worktrees'>,
): Promise<string | null> =>
  (await worktreeProblem(dir, home)) ??
  ((await worktreeProblem(dirname(runbook), home)) === null ? null : inWorktree(runbook))

/** Before git is asked: what its settings name there, an agent wrote. */
export async function worktreeProblem(
  dir: string,
  { worktrees }: Pick<Home, 'worktrees'>,
): Promise<string | null> {
  const [place, ours] = await Promise.all([dir, worktrees].map((path) => realpath(path).catch(() => path)))
  return `${place}/`.startsWith(`${ours}/`) ? inWorktree(dir) : null
}

const inWorktree = (path: string): string =>
  `${path} is in the worktree of a run, where its agents write. Start from your own checkout.`

const commandsFor = (starting: Starting, program: Program, { repo, baseCommit: commit }: UserCheckout) =>
  commandsOfRun(
    { program, repo, commit, said: starting.commandsFor(repo) },
    { hasProgram: (name) => findProgram(name, starting.searchPath) !== null },
  )

const asksForPort = (program: Program): boolean => /"kind":"run","field":"port"/.test(JSON.stringify(program))

const MOST_RUNS = 1000

async function portFor({ journal, runs }: Starting): Promise<{ readonly port?: number }> {
  const rows = await journal.list({ model: RUNS, facet: 'open', before: null, limit: MOST_RUNS })
  const going = await Promise.all(rows.map(({ key }) => orAltered(() => runs.load(key))))
  // One whose record was changed stands still, and whatever it left at a port is seen there.
  const taken = new Set(
    going.flatMap((run) => (run === null || 'problem' in run ? [] : (run.placed.placement.port ?? []))),
  )
  const port = await freePort(randomBytes(4).readUInt32BE(), taken)
  return port === null ? {} : { port }
}

/** A runbook that wants an `issue` need not be told twice. */
const varsWith = ({ vars }: Program, request: StartRequest): Readonly<Record<string, string>> =>
  request.issue !== null && Object.hasOwn(vars, 'issue') && request.vars['issue'] === undefined
    ? { ...request.vars, issue: request.issue }
    : request.vars

/** The engine would refuse them one by one. */
function variableProblems({ name: flow, vars }: Program, given: StartRequest['vars']): string[] {
  const known = Object.keys(vars)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  const missing = Object.entries(vars).flatMap(([name, { required, default: otherwise }]) =>
    required && otherwise === null && given[name] === undefined ? [name] : [],
  )
  return [
    ...unknown.map((name) => `${flow} has no variable "${name}"${orNear(name, known)}`),
    ...missing.map((name) => `${flow} needs the variable "${name}". To give it: --var ${name}=VALUE`),
  ]
}

/** Found now, and not in the middle of the run. */
function missingPrograms({ programFor, searchPath }: Starting, { agents }: Program, repo: string): string[] {
  const uses = new Set(Object.values(agents).map(({ use }) => use))
  return [...uses].flatMap((use) => {
    const program = programFor(use, repo)
    if (program === null) return [use === DEFAULT_USE ? NO_DEFAULT : unknownUse(use)]
    const [file = ''] = program.argv
    if (HAS_OWN_PROGRAM[program.driver] || findProgram(file, searchPath) !== null) return []
    return [
      `\`use: ${use}\` is served by "${file}", which is not installed${program.install === '' ? '.' : `. To get it: ${program.install}`}`,
    ]
  })
}

function modelProblems({ programFor }: Starting, { agents }: Program, repo: string): string[] {
  const found = Object.values(agents).flatMap(({ use, model = null }) => {
    const program = programFor(use, repo)
    return program === null ? [] : (whyNoModel(program, model) ?? [])
  })
  return [...new Set(found)]
}

const NO_DEFAULT =
  'No coding agent was found for `use: default`. Install one (signalbox agents lists those it knows), or name one as `default:` in the config.'

const unknownUse = (use: string): string =>
  `No program is configured for \`use: ${use}\`. Add it under \`agents:\` in .signalbox/config.yaml; signalbox agents lists what there is.`

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Short enough to type, from letters nobody mistakes. */
const newId = (): string => [...randomBytes(8)].map((byte) => LETTERS[byte % LETTERS.length]).join('')

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40) || 'run'
