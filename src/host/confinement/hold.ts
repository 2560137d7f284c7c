/**
 * What a process of a run is held by: its sandbox and its environment, from what the user, the project and the role say.
 * What the run itself needs is granted by us; everything else has to pass the guard.
 */
import { join } from 'node:path'
import {
  canShowElsewhere,
  emptySandbox,
  NO_LIMITS,
  type Sandbox,
  type SandboxEngine,
  upstreamIn,
  WORLD,
} from '../../drivers/index.ts'
import type { Holder } from '../../model/fact.ts'
import { tightestNetwork } from '../../model/network.ts'
import { type Network, stepOf } from '../../model/program.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { AgentProgram } from '../session/agent-program.ts'
import { borrowedObjects } from '../workspace/borrowed-objects.ts'
import { type Ground, groundAt } from '../workspace/ground.ts'
import type { Problem } from '../workspace/problem.ts'
import { shownGit } from '../workspace/shown-git.ts'
import { shownCopies } from './copied-places.ts'
import { BASE_VARIABLES, listed, listedWithoutPasswords, withPrivateHome } from './environment.ts'
import { createGuard, type Guard, realPath, resolveGrant } from './grant.ts'
import { type Keeps, NO_KEEPS } from './keeps/keeps.ts'
import { layKeeps } from './keeps/lay-keeps.ts'
import type { LoginCopies } from './keeps/login-copies.ts'
import { agentHome, commandHome, ensureHome, privateHome } from './private-home.ts'
import { expanded, type ProcessEnvironment } from './process-environment.ts'
import { programFiles } from './program-files.ts'
import type { SandboxRules } from './rules.ts'

export interface Hold {
  /** Null: nothing holds it but its environment. */
  readonly sandbox: Sandbox | null
  readonly env: Readonly<Record<string, string>>
  readonly by: Holder
}

export interface AgentToHold {
  readonly loaded: LoadedRun
  readonly step: string
  /** Its name in the runbook. */
  readonly agent: string
  readonly member: number
  readonly program: AgentProgram
  /** Where it answers, and nobody else's agent does. */
  readonly answers: string
  /** The port of our door on this machine; null where there is none. */
  readonly door: number | null
  /** See private-copies.ts; null where there are none. */
  readonly copies: string | null
}

export interface AgentHold extends Hold {
  /** Null: nothing holds it, and it has the user's own login. */
  readonly logins: LoginCopies | null
}

export async function holdAgent(
  processEnvironment: ProcessEnvironment,
  about: AgentToHold,
): Promise<AgentHold | Problem> {
  const { loaded, step, agent, member, program, answers, door, copies } = about
  const { repo } = loaded.placed.placement
  const bounds = boundsIn(processEnvironment, repo)
  if ('problem' in bounds) return bounds
  const { engine, rules } = bounds
  const role = loaded.program.agents[agent]
  const env = variablesFor(processEnvironment, engine, [...rules.env, ...(program.passes ?? [])])
  if (engine === null) return { sandbox: null, env: { ...env, ...program.env }, by: 'none', logins: null }
  const ground = groundAt(processEnvironment.home, loaded.placed.placement)
  // What one member of a panel left in it would be run by another's git, with the answer and the token of that one.
  const isShared = stepOf(loaded.program, step).kind === 'panel'
  const mayWrite = role?.git !== 'read' && !isShared
  const shown = shownGit(ground)
  const home = agentHome(ground, agent, member)
  const furnished = await furnishHome(processEnvironment, {
    engine,
    rules,
    folder: home,
    // Whoever writes a project's config would otherwise read what the user's agents keep.
    keeps: program.ofProject === true ? NO_KEEPS : program.keeps,
  })
  if ('problem' in furnished) return furnished
  const hold = held(processEnvironment, {
    engine,
    rules,
    env,
    sets: { ...program.boxed, ...program.env },
    network: tightestNetwork([rules.network, role?.network]),
    door,
    copies,
    home,
    files: programFiles(program, processEnvironment, repo),
    own: {
      readable: [
        ...objectsOf(processEnvironment, ground),
        ...(program.reads ?? []),
        ...furnished.readable,
        ...(mayWrite ? [] : [ground.agentRepo]),
        ...(isShared && shown.length === 0 ? [join(ground.worktree, '.git')] : []),
      ],
      writable: [
        ground.worktree,
        answers,
        ...(mayWrite ? [ground.agentRepo] : []),
        ...(program.writes ?? []),
      ],
      shown: [...shown, ...furnished.shown],
    },
  })
  return { ...hold, logins: furnished.logins }
}

interface HomeWish {
  readonly engine: SandboxEngine
  readonly rules: SandboxRules
  readonly folder: string
  readonly keeps: Keeps
}

function furnishHome(
  processEnvironment: ProcessEnvironment,
  { engine, rules, folder, keeps }: HomeWish,
): ReturnType<typeof layKeeps> {
  const { userHome } = processEnvironment
  const sieve = sieveFor(processEnvironment, rules)
  const { at } = privateHome({ engine, userHome, folder })
  return layKeeps({
    folder,
    at: realPath(at) ?? at,
    canShow: canShowElsewhere(engine),
    keeps,
    resolve: (place) => {
      const grant = resolveGrant(expanded(place, userHome), sieve)
      return grant.kind === 'granted' ? grant.real : null
    },
  })
}

/** A folder of the host's in which a command of the runbook works, and nobody else. */
export interface CommandPlace {
  readonly files: string
  /** What it may write beside them: the repository that their `.git` names. */
  readonly writable: readonly string[]
  /** A home folder of its own: what an agent left in its home has no say here. */
  readonly home: string
}

export interface CommandToHold {
  readonly loaded: LoadedRun
  /** Where it works; the worktree by default. */
  readonly place?: CommandPlace | undefined
  /** The agent for whom it runs, if it does so for one: then what holds for that one's network holds for it. */
  readonly agent?: string | undefined
  /** See private-copies.ts; left out where there are none. */
  readonly copies?: string | null
}

/** A command of the runbook. It has no key of any agent. */
export function holdCommand(
  processEnvironment: ProcessEnvironment,
  { loaded, place, agent, copies = null }: CommandToHold,
): (Hold & { readonly cwd: string }) | Problem {
  const bounds = boundsIn(processEnvironment, loaded.placed.placement.repo)
  if ('problem' in bounds) return bounds
  const { engine, rules } = bounds
  const ground = groundAt(processEnvironment.home, loaded.placed.placement)
  const env = variablesFor(processEnvironment, engine, rules.env)
  if (engine === null) return { sandbox: null, env, by: 'none', cwd: place?.files ?? ground.worktree }
  // It takes the place of the worktree where that can be: then whatever names its own folder works here and there.
  const isMoved = place !== undefined && canShowElsewhere(engine)
  const writable = place === undefined ? [ground.worktree, ground.agentRepo] : place.writable
  const files = place === undefined || isMoved ? [] : [place.files]
  const role = agent === undefined ? undefined : loaded.program.agents[agent]
  const hold = held(processEnvironment, {
    engine,
    rules,
    env,
    sets: {},
    network: tightestNetwork([rules.network, role?.network]),
    door: null,
    copies,
    home: place?.home ?? commandHome(ground, agent),
    files: [],
    own: {
      readable: [
        ...objectsOf(processEnvironment, ground),
        ...(processEnvironment.ownCommand === null ? [] : [ground.own]),
      ],
      writable: [...files, ...writable],
      shown: isMoved
        ? [{ from: place.files, at: ground.worktree, access: 'write' }]
        : place === undefined
          ? shownGit(ground)
          : [],
    },
  })
  return { ...hold, cwd: place === undefined || isMoved ? ground.worktree : place.files }
}

/** A command of the host's own on ground that agents write: nothing of the user's, no network. Null: there is no sandbox. */
export function holdOnGround(
  { engine, guard, toolchains, ownProgram }: ProcessEnvironment,
  places: Pick<Sandbox, 'readable' | 'writable' | 'shown'>,
): Sandbox | null {
  if (engine === null) return null
  return {
    ...emptySandbox(engine),
    readable: places.readable,
    programs: [...ownProgram, ...toolchains.flatMap(({ readable }) => readable)],
    writable: places.writable,
    shown: places.shown,
    hidden: guard.ours,
    rootAs: 'root',
  }
}

/** What git is given beside: no run's and no agent's. */
export const groundEnvironment = ({ environment }: ProcessEnvironment): Readonly<Record<string, string>> =>
  listedWithoutPasswords(environment, [])

/** Without a sandbox a process can read the variables of the host itself. */
const variablesFor = (
  { environment }: ProcessEnvironment,
  engine: SandboxEngine | null,
  named: readonly string[],
): Readonly<Record<string, string>> =>
  engine === null
    ? listed(environment, [...BASE_VARIABLES, ...named])
    : listedWithoutPasswords(environment, named)

interface Bounds {
  readonly engine: SandboxEngine | null
  readonly rules: SandboxRules
}

/** What holds in this repository; a problem where a sandbox is wanted and there is none. */
export function boundsIn({ engine, rulesFor }: ProcessEnvironment, repo: string): Bounds | Problem {
  const rules = rulesFor(repo)
  if (rules.use === 'off') return { engine: null, rules }
  if (rules.use === 'required' && engine === null) return { problem: NONE_THERE }
  return { engine, rules }
}

/** Whether an agent of this repository's runs gets another `.git` than the one on disk. */
export function showsOwnGit(processEnvironment: ProcessEnvironment, repo: string): boolean {
  const bounds = boundsIn(processEnvironment, repo)
  return !('problem' in bounds) && bounds.engine !== null && canShowElsewhere(bounds.engine)
}

const NONE_THERE =
  'A sandbox is required here (`sandbox: required`), and none can be made on this machine: signalbox doctor tells why.'

interface Wanted {
  readonly engine: SandboxEngine
  readonly rules: SandboxRules
  readonly env: Readonly<Record<string, string>>
  /** What was said of this program's environment, which has the word: a home of its own, say. */
  readonly sets: Readonly<Record<string, string>>
  readonly network: Network
  readonly door: number | null
  readonly copies: string | null
  readonly home: string
  readonly files: readonly string[]
  /** Granted by us. */
  readonly own: Pick<Sandbox, 'readable' | 'writable'> & Partial<Pick<Sandbox, 'shown'>>
}

/** Also what these rules let agents write to. */
const sieveFor = ({ guard, userHome }: ProcessEnvironment, { shared }: SandboxRules): Guard =>
  createGuard({
    ...guard,
    agentsWrite: [...guard.agentsWrite, ...shared.map((path) => expanded(path, userHome))],
  })

function held(processEnvironment: ProcessEnvironment, wanted: Wanted): Hold {
  const { userHome, guard, toolchains, ownProgram } = processEnvironment
  const { engine, rules, own, network } = wanted
  const sieve = sieveFor(processEnvironment, rules)
  const links: string[] = []
  const passing = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => {
      const grant = resolveGrant(expanded(path, userHome), sieve)
      if (grant.kind !== 'granted') return []
      links.push(...grant.links)
      return [grant.at]
    })
  const found = toolchains.flatMap(({ readable }) => readable)
  const copied = passing(rules.writable)
  // Where no copy can be shown in its place, it can only be read.
  const uncopied = canShowElsewhere(engine) ? [] : copied
  const silent = passing(rules.readable)
  const readable = [...own.readable, ...silent, ...uncopied]
  const programs = [...ownProgram, ...passing([...found, ...wanted.files])]
  const writable = [...own.writable, ...passing(rules.shared)]
  const sockets = passing(rules.sockets)
  const { home, at } = privateHome({ engine, userHome, folder: wanted.home })
  ensureHome(wanted.home, links, userHome)
  return {
    by: engine.kind,
    env: { ...withPrivateHome(wanted.env, at), ...wanted.sets },
    sandbox: {
      ...emptySandbox(engine),
      readable,
      silent,
      programs,
      writable,
      shown: [...(own.shown ?? []), ...shownCopies(wanted.copies, copied)],
      sockets,
      hidden: guard.ours,
      home,
      network: networkOf(network, wanted.door, processEnvironment.environment),
      limits: { ...NO_LIMITS, ...rules.limits, temporaryBytes: rules.limits.memoryBytes },
    },
  }
}

const networkOf = (
  network: Network,
  door: number | null,
  variables: ProcessEnvironment['environment'],
): Sandbox['network'] => ({
  hosts: network === 'on' ? [WORLD] : network === 'off' ? [] : network,
  ports: door === null ? [] : [door],
  upstream: upstreamIn(variables),
})

/** The host's store, and whatever the user's repository is made of that it borrows. */
const objectsOf = ({ guard }: ProcessEnvironment, { store, userGitDir }: Ground): string[] => [
  store,
  ...borrowedObjects(join(userGitDir, 'objects')).filter(
    (each) => resolveGrant(each, guard).kind === 'granted',
  ),
]
