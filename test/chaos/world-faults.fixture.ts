/**
 * What the world does to a host beside killing it. None of it is anybody's fault: the record is held against the same rules
 * after each. A fault begins here and may outlast the host; whoever killed it calls `lift`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FoundHost } from '../../src/cli/hosting/find-host.ts'
import { createRemote } from '../../src/cli/hosting/remote.ts'
import type { HostProcess } from '../host-process.fixture.ts'
import type { Chance } from './chance.fixture.ts'
import { sendHostileRequests } from './hostile-requests.fixture.ts'
import { agentsOf, someAgents } from './processes.fixture.ts'
import type { Project } from './project.fixture.ts'
import { seatName, type Witness } from './witness.fixture.ts'

const FAULTS = {
  'disk full': fillDisk,
  'host frozen': freezeHost,
  'agent frozen': freezeAgent,
  'hostile messages': beHostile,
  'clock set': setClock,
} as const

export type WorldFault = keyof typeof FAULTS

export interface Scene {
  readonly project: Project
  readonly chance: Chance
  readonly witness: Witness
  readonly host: HostProcess
  readonly door: FoundHost
  /** Whether there is time for what takes long. */
  readonly isLong: boolean
}

/** Ends what outlasted the host; safe to call at any time. */
export type Lift = () => void

/** Those that can happen here; the disk is real, and must be one that can be filled. */
export const worldFaultsOf = ({ disk }: Project): readonly WorldFault[] =>
  (Object.keys(FAULTS) as WorldFault[]).filter((fault) => fault !== 'disk full' || disk !== null)

/** False: there was nobody whom it could have befallen. */
export const befall = (fault: WorldFault, scene: Scene): Promise<Lift | false> => FAULTS[fault](scene)

const NOTHING: Lift = () => {}

async function fillDisk({ project: { disk, ...project }, chance, witness, host }: Scene): Promise<Lift> {
  // Their programs write there too, and may lose what they knew of their session; never their attempt.
  const shake = (): void => {
    for (const agent of agentsOf(project, host.pid)) witness.shaken.add(seatName(agent))
  }
  shake()
  disk!.fill()
  witness.isDiskBlamed = true
  const lift = (): void => disk!.empty()
  await pause(chance.between(200, 1_500))
  shake()
  if (chance.happens(0.7)) lift()
  return lift
}

async function freezeHost({ chance, host, isLong }: Scene): Promise<Lift> {
  await host.freeze()
  // Longer than what counts as being awake, now and then.
  await pause(isLong && chance.happens(0.15) ? 7_000 : chance.between(200, 1_200))
  host.thaw()
  return NOTHING
}

async function freezeAgent({ project, chance, host }: Scene): Promise<Lift | false> {
  const agents = await someAgents(project, host.pid)
  if (agents.length === 0) return false
  const { pid } = chance.pick(agents)
  signal(pid, 'SIGSTOP')
  await pause(chance.between(100, 800))
  // Otherwise whoever ends it meets it as it is.
  if (chance.happens(0.6)) signal(pid, 'SIGCONT')
  return NOTHING
}

async function beHostile({ project, door, witness }: Scene): Promise<Lift> {
  const order = { runbook: project.runbook('hostile'), dir: project.repo, base: null, issue: null, vars: {} }
  const [started, problems] = await Promise.all([createRemote(door).start(order), sendHostileRequests(door)])
  witness.complaints.push(...problems)
  if ('run' in started) witness.started.add(started.run)
  else witness.complaints.push(`a hostile run was not started: ${started.problems.join(' ')}`)
  return NOTHING
}

async function setClock({ project: { clock }, chance, host, isLong }: Scene): Promise<Lift> {
  clock.moveBy(
    chance.happens(0.6) ? chance.between(7_000, 180_000) : -chance.between(6_000, 15_000),
    host.pid,
  )
  await pause(chance.between(0, isLong ? 1_500 : 600))
  return NOTHING
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself meanwhile.
  }
}
