/**
 * The storm: a host is started, used, met by what the world does, and killed in the middle of a duty, again and again; after each
 * kill its record is examined. A kill that met no duty happens too, while a host comes up, and does not count.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FoundHost } from '../../src/cli/hosting/find-host.ts'
import { type HostProcess, startHost } from '../host-process.fixture.ts'
import { stopInsideDuty } from './aim.fixture.ts'
import { problemsOfBranches } from './branches.fixture.ts'
import type { Chance } from './chance.fixture.ts'
import { problemsOfIssues } from './issues.fixture.ts'
import { lyingAbout } from './leavings.fixture.ts'
import { endProcess, kinOf, someAgents, strangersOf } from './processes.fixture.ts'
import type { Project } from './project.fixture.ts'
import { type Examined, examineRecord } from './record.fixture.ts'
import { openTraffic, type People, type Traffic } from './traffic.fixture.ts'
import { type DutyKind, openLookout } from './under-way.fixture.ts'
import { createWitness, seatName, type Witness } from './witness.fixture.ts'
import { befall, type Lift, type WorldFault, worldFaultsOf } from './world-faults.fixture.ts'

export interface StormOptions {
  readonly project: Project
  readonly chance: Chance
  readonly kills: number
  /** Runs kept going while it lasts. */
  readonly runs: number
  /** When all must be over. */
  readonly deadlineAt: number
  readonly people: People
  /** What a kill waits for: kinds that `Traffic.next` knows. */
  readonly moments: readonly string[]
  /** Duties that a kill is to land in. */
  readonly kinds: readonly DutyKind[]
  /** What else to hold a record against; `last` when nothing is under way any more. */
  readonly alsoExamine?: (examined: Examined, when: 'midway' | 'last', witness: Witness) => readonly string[]
}

export interface Weathered {
  readonly problems: readonly string[]
  readonly kills: number
  /** Kills that met no duty. */
  readonly strays: number
  readonly restarts: number
  readonly agentKills: number
  readonly runs: number
  /** How they ended. */
  readonly ends: Counts
  readonly events: number
  /** How often a kill landed in a duty of each kind. */
  readonly hits: Counts
  /** How often what else can be undone at a kill was so: a question, an answer in a file, a lock. */
  readonly met: Counts
  readonly faults: Counts
  /** How often a host spoke of a full disk. */
  readonly diskSentences: number
  /** Answers that were acknowledged, by the door they came through. */
  readonly doors: Counts
}

export type Counts = Readonly<Record<string, number>>

export async function weather(options: StormOptions): Promise<Weathered> {
  const storm = openStorm(options)
  const isOver = (): boolean =>
    storm.problems.length > 0 ||
    Date.now() > options.deadlineAt ||
    (storm.kills >= options.kills && isEveryFaultMet(storm))
  while (!isOver()) await oneLife(storm)
  const last = storm.problems.length === 0 ? await lastLife(storm) : null
  const { problems, kills, strays, restarts, witness, hits, met, faults } = storm
  const runs = last?.runs ?? []
  const events = runs.reduce((total, each) => total + each.events.length, 0)
  const agentKills = witness.bereaved.size
  const doors = Object.fromEntries(witness.doors)
  const ends: Record<string, number> = {}
  for (const event of runs.flatMap((each) => each.events))
    if (event.type === 'run.ended') ends[event.end] = (ends[event.end] ?? 0) + 1
  const { diskSentences } = witness
  const had = { runs: runs.length, ends, events, hits, met, faults, diskSentences, doors }
  return { problems, kills, strays, restarts, agentKills, ...had }
}

interface Storm extends StormOptions {
  readonly witness: Witness
  readonly problems: string[]
  kills: number
  strays: number
  restarts: number
  readonly hits: Record<string, number>
  readonly met: Record<string, number>
  readonly faults: Record<string, number>
  /** Those that have yet to happen; each does before one of them does twice. */
  coming: WorldFault[]
  /** Before a host was up there may be no journal. */
  begun: boolean
  host: HostProcess | null
}

const openStorm = (options: StormOptions): Storm => ({
  ...options,
  kills: 0,
  witness: createWitness(),
  problems: [],
  hits: {},
  met: {},
  faults: {},
  coming: [],
  strays: 0,
  restarts: 0,
  begun: false,
  host: null,
})

async function oneLife(storm: Storm): Promise<void> {
  const { chance, runs } = storm
  const host = begin(storm)
  if (chance.happens(0.08)) {
    await pause(chance.between(0, 700))
    return fall(storm, host, [])
  }
  const door = await arrival(storm, host)
  const traffic = openTraffic({ ...storm, door, runs })
  let lift: Lift = () => {}
  try {
    if (chance.happens(0.15)) await killAgent(storm, host)
    if (storm.restarts + storm.kills > 0) lift = await faultOfTheWorld(storm, host, door)
    if (chance.happens(0.06)) await leave(storm, host, traffic)
    else
      await fall(
        storm,
        host,
        await stopInsideDuty({ ...storm, host, traffic, patienceMs: patienceOf(storm) }),
      )
  } finally {
    lift()
    await traffic.end()
  }
  await examine(storm, 'midway')
}

/** What is rare takes a run some way to come to; a few kills have no time for that. */
const patienceOf = ({ runs }: Storm): number => (runs > 2 ? 3_000 : 1_000)

function begin(storm: Storm): HostProcess {
  const { project } = storm
  const { nodeWords } = project.clock
  const host = startHost({ ...project, doorFile: project.home.door, nodeWords })
  storm.host = host
  return host
}

const isEveryFaultMet = ({ project, faults }: Storm): boolean =>
  worldFaultsOf(project).every((fault) => faults[fault] !== undefined)

/** One of each kind as soon as there is something it can befall, and then now and again. */
async function faultOfTheWorld(storm: Storm, host: HostProcess, door: FoundHost): Promise<Lift> {
  const { project, chance, witness, faults } = storm
  const all = worldFaultsOf(project)
  const isFirst = !isEveryFaultMet(storm)
  if (!isFirst && chance.happens(0.7)) return () => {}
  if (storm.coming.length === 0) storm.coming = [...all]
  const fault = chance.pick(storm.coming)
  await pause(chance.between(0, 400))
  const lift = await befall(fault, { project, chance, witness, host, door, isLong: !isFirst })
  if (lift === false) return () => {}
  storm.coming = storm.coming.filter((each) => each !== fault)
  faults[fault] = (faults[fault] ?? 0) + 1
  return lift
}

/** After the last kill everything comes to its end by itself, and nobody is left. */
async function lastLife(storm: Storm): Promise<Examined> {
  const { project, problems } = storm
  const host = begin(storm)
  const door = await arrival(storm, host)
  const traffic = openTraffic({ ...storm, door, runs: 0 })
  try {
    await before(storm, traffic.quiet, 'every run ends')
    await leave(storm, host, traffic)
  } finally {
    await traffic.end()
  }
  const examined = await examine(storm, 'last')
  problems.push(...problemsOfBranches(project, examined.runs, storm.witness.cancelled))
  problems.push(...problemsOfIssues(project, examined.runs))
  for (const { pid, command } of kinOf(project)) problems.push(`left running: ${pid} ${command}`)
  for (const { run, events } of examined.runs)
    if (events.every(({ type }) => type !== 'run.ended')) problems.push(`run ${run}: it has not ended`)
  return examined
}

async function arrival(storm: Storm, host: HostProcess): Promise<FoundHost> {
  const door = await before(storm, host.up, 'the host comes up')
  if (door === null) throw new Error(`the host did not come up: ${host.stderr()}`)
  storm.begun = true
  for (const { pid, command } of strangersOf(storm.project, host.pid))
    storm.problems.push(`of an earlier host, and still running: ${pid} ${command}`)
  return door
}

async function killAgent({ project, chance, witness }: Storm, host: HostProcess): Promise<void> {
  await pause(chance.between(0, 600))
  const agents = await someAgents(project, host.pid)
  if (agents.length === 0) return
  const agent = chance.pick(agents)
  witness.bereaved.add(seatName(agent))
  endProcess(agent.pid)
  if (process.env['CHAOS_KEEP'] !== undefined)
    process.stdout.write(`chaos: killed the agent at ${seatName(agent)}\n`)
}

/** The host alone, or everything at once as when the power goes: then a git dies with its locks held. */
async function fall(storm: Storm, host: HostProcess, inside: readonly DutyKind[]): Promise<void> {
  if (storm.chance.happens(0.4)) {
    await host.freeze()
    for (const { pid } of kinOf(storm.project)) if (pid !== host.pid) endProcess(pid)
  }
  await host.kill()
  if (inside.length === 0) storm.strays++
  else storm.kills++
  for (const kind of new Set(inside)) storm.hits[kind] = (storm.hits[kind] ?? 0) + 1
  complaints(storm, host)
}

async function leave(storm: Storm, host: HostProcess, traffic: Traffic): Promise<void> {
  const code = await before(storm, host.stop(), 'the host stops')
  // People's own commands end with their requests.
  await before(storm, traffic.end(), 'people leave')
  storm.restarts++
  if (code !== 0) storm.problems.push(`asked to stop, the host ended with ${code}`)
  for (const { pid, command } of kinOf(storm.project))
    storm.problems.push(`the host has stopped, and this runs: ${pid} ${command}`)
  complaints(storm, host)
}

function complaints({ problems, witness }: Storm, host: HostProcess): void {
  const lines = host
    .stderr()
    .split('\n')
    .filter((line) => line !== '')
  const ofDisk = witness.isDiskBlamed ? lines.filter((line) => OF_DISK.test(line)) : []
  witness.diskSentences += ofDisk.length
  if (lines.length > ofDisk.length) problems.push(`the host complained: ${host.stderr()}`)
  problems.push(...witness.complaints.splice(0))
}

/** Each of them one sentence, on a line of its own. */
const OF_DISK =
  /^signalbox: (?:Nothing can be written(?: to \S+)?(?:, it seems)?: .*|What Signalbox keeps can be written again, after \d+ s)\.$/

const NOTHING: Examined = { problems: [], runs: [], outside: [], questions: 0 }

async function examine(storm: Storm, when: 'midway' | 'last'): Promise<Examined> {
  if (!storm.begun) return NOTHING
  const examined = await examineRecord(storm.project.home.database, storm.witness)
  storm.problems.push(...examined.problems)
  storm.problems.push(...(storm.alsoExamine?.(examined, when, storm.witness) ?? []))
  for (const kind of [...(examined.questions > 0 ? ['question'] : []), ...lyingAbout(storm.project)])
    storm.met[kind] = (storm.met[kind] ?? 0) + 1
  return examined
}

/** Nothing is waited for without end. */
async function before<T>({ deadlineAt, host, project }: Storm, wanted: Promise<T>, what: string): Promise<T> {
  const timer = new AbortController()
  const late = pause(Math.max(0, deadlineAt - Date.now()), 'late' as const, { signal: timer.signal })
  late.catch(() => {})
  const first = await Promise.race([wanted, late])
  timer.abort()
  if (first !== 'late') return first as T
  await host?.kill()
  throw new Error(`The deadline passed before ${what}. ${host?.stderr() ?? ''}\n${leftToDo(project)}`)
}

function leftToDo({ home, clock }: Project): string {
  const lookout = openLookout(home.database)
  try {
    return lookout.describe(clock.now())
  } finally {
    lookout.close()
  }
}
