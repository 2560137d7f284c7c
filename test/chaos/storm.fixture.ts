/** The storm: a host is started, used and killed, again and again, and after each kill its record is examined. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DoorFile } from '../../src/cli/hosting/door-file.ts'
import { type HostProcess, startHost } from '../host-process.fixture.ts'
import { problemsOfBranches } from './branches.fixture.ts'
import type { Chance } from './chance.fixture.ts'
import { lyingAbout } from './leavings.fixture.ts'
import { endProcess, kinOf, strangersOf } from './processes.fixture.ts'
import type { Project } from './project.fixture.ts'
import { type Examined, examineRecord } from './record.fixture.ts'
import { openTraffic, type People, type Traffic } from './traffic.fixture.ts'
import { createWitness, seatName, type Witness } from './witness.fixture.ts'

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
  /** What else to hold a record against; `last` when nothing is under way any more. */
  readonly alsoExamine?: (examined: Examined, when: 'midway' | 'last', witness: Witness) => readonly string[]
}

export interface Weathered {
  readonly problems: readonly string[]
  readonly kills: number
  readonly restarts: number
  readonly agentKills: number
  readonly runs: number
  readonly events: number
  /** How often a kill met something of each kind undone, or an answer that only lay in a file. */
  readonly met: Readonly<Record<string, number>>
  /** Answers that were acknowledged, by the door they came through. */
  readonly doors: Readonly<Record<string, number>>
}

export async function weather(options: StormOptions): Promise<Weathered> {
  const storm = openStorm(options)
  while (storm.kills < options.kills && storm.problems.length === 0) await oneLife(storm)
  const last = storm.problems.length === 0 ? await lastLife(storm) : null
  const { problems, kills, restarts, witness, met } = storm
  const runs = last?.runs ?? []
  const events = runs.reduce((total, each) => total + each.events.length, 0)
  const agentKills = witness.bereaved.size
  const doors = Object.fromEntries(witness.doors)
  return { problems, kills, restarts, agentKills, runs: runs.length, events, met, doors }
}

interface Storm extends StormOptions {
  readonly witness: Witness
  readonly problems: string[]
  kills: number
  restarts: number
  readonly met: Record<string, number>
  /** Before a host was up there may be no journal. */
  begun: boolean
  host: HostProcess | null
}

const openStorm = (options: StormOptions): Storm => ({
  ...options,
  kills: 0,
  witness: createWitness(),
  problems: [],
  met: {},
  restarts: 0,
  begun: false,
  host: null,
})

async function oneLife(storm: Storm): Promise<void> {
  const { project, chance, runs } = storm
  const host = startHost({ ...project, doorFile: project.home.door })
  storm.host = host
  if (chance.happens(0.15)) {
    await pause(chance.between(0, 700))
    return fall(storm, host)
  }
  const door = await arrival(storm, host)
  const traffic = openTraffic({ ...storm, door, runs })
  try {
    if (chance.happens(0.15)) await killAgent(storm, host)
    await moment(storm, traffic)
    if (chance.happens(0.08)) await leave(storm, host, traffic)
    else await fall(storm, host)
  } finally {
    await traffic.end()
  }
  await examine(storm, 'midway')
}

/** After the last kill everything comes to its end by itself, and nobody is left. */
async function lastLife(storm: Storm): Promise<Examined> {
  const { project, problems } = storm
  const host = startHost({ ...project, doorFile: project.home.door })
  storm.host = host
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
  for (const { pid, command } of kinOf(project)) problems.push(`left running: ${pid} ${command}`)
  for (const { run, events } of examined.runs)
    if (events.every(({ type }) => type !== 'run.ended')) problems.push(`run ${run}: it has not ended`)
  return examined
}

async function arrival(storm: Storm, host: HostProcess): Promise<DoorFile> {
  const door = await before(storm, host.up, 'the host comes up')
  if (door === null) throw new Error(`the host did not come up: ${host.stderr()}`)
  storm.begun = true
  for (const { pid, command } of strangersOf(storm.project, host.pid))
    storm.problems.push(`of an earlier host, and still running: ${pid} ${command}`)
  return door
}

async function moment({ chance, moments }: Storm, traffic: Traffic): Promise<void> {
  // Mostly short lives, and some in which a run gets further.
  if (chance.happens(0.2)) await pause(chance.between(1000, 3000))
  if (chance.happens(0.5)) return pause(chance.between(0, 1500))
  await Promise.race([traffic.next(chance.pick(moments)), pause(1500)])
  await pause(chance.between(0, 40))
}

async function killAgent({ project, chance, witness }: Storm, host: HostProcess): Promise<void> {
  await pause(chance.between(300, 900))
  const agents = kinOf(project).filter(
    ({ launchedBy, member, command }) =>
      launchedBy === host.pid && member !== '' && command.includes('scripted-agent'),
  )
  if (agents.length === 0) return
  const agent = chance.pick(agents)
  witness.bereaved.add(seatName(agent))
  endProcess(agent.pid)
  if (process.env['CHAOS_KEEP'] !== undefined)
    process.stdout.write(`chaos: killed the agent at ${seatName(agent)}\n`)
}

/** The host alone, or everything at once as when the power goes: then a git dies with its locks held. */
async function fall(storm: Storm, host: HostProcess): Promise<void> {
  if (storm.chance.happens(0.4)) {
    host.freeze()
    for (const { pid } of kinOf(storm.project)) if (pid !== host.pid) endProcess(pid)
  }
  await host.kill()
  storm.kills++
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
  if (host.stderr() !== '') problems.push(`the host complained: ${host.stderr()}`)
  problems.push(...witness.complaints.splice(0))
}

const NOTHING: Examined = { problems: [], runs: [], outside: [], pending: [] }

async function examine(storm: Storm, when: 'midway' | 'last'): Promise<Examined> {
  if (!storm.begun) return NOTHING
  const examined = await examineRecord(storm.project.home.database, storm.witness)
  storm.problems.push(...examined.problems)
  storm.problems.push(...(storm.alsoExamine?.(examined, when, storm.witness) ?? []))
  for (const kind of new Set([...examined.pending, ...lyingAbout(storm.project)]))
    storm.met[kind] = (storm.met[kind] ?? 0) + 1
  return examined
}

/** Nothing is waited for without end. */
async function before<T>({ deadlineAt, host }: Storm, wanted: Promise<T>, what: string): Promise<T> {
  const timer = new AbortController()
  const late = pause(Math.max(0, deadlineAt - Date.now()), 'late' as const, { signal: timer.signal })
  late.catch(() => {})
  const first = await Promise.race([wanted, late])
  timer.abort()
  if (first !== 'late') return first as T
  await host?.kill()
  throw new Error(`The deadline passed before ${what}. ${host?.stderr() ?? ''}`)
}
