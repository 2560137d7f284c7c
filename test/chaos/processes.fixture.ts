/** Who is alive and belongs to a host of this suite. Only Linux lets us look; elsewhere nobody is seen. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Project } from './project.fixture.ts'

export interface Kin {
  readonly pid: number
  readonly command: string
  /** The host that launched it; null for what the host runs without a mark, as it does git. */
  readonly launchedBy: number | null
  readonly run: string
  readonly step: string
  readonly visit: string
  readonly member: string
}

export function kinOf({ home, dir }: Pick<Project, 'home' | 'dir'>): Kin[] {
  if (process.platform !== 'linux') return []
  const registry = createHash('sha256').update(realPath(home.processes)).digest('hex').slice(0, 16)
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    const environ = Number.isInteger(pid) ? read(`/proc/${pid}/environ`) : ''
    if (environ === '' || pid === process.pid) return []
    const variables = new Map(
      environ
        .split('\0')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    const [owner, host] = (variables.get('SIGNALBOX_LAUNCH') ?? '').split('/')
    const isOurs =
      owner === registry ||
      variables.get('SIGNALBOX_HOME') === home.dir ||
      [dir, home.dir].some((own) => folderOf(pid).startsWith(own))
    if (!isOurs || isOver(pid)) return []
    return [
      {
        pid,
        command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
        launchedBy: owner === registry ? Number(host) : null,
        run: variables.get('SIGNALBOX_RUN') ?? '',
        step: variables.get('SIGNALBOX_STEP') ?? '',
        visit: variables.get('SIGNALBOX_VISIT') ?? '',
        member: variables.get('SIGNALBOX_MEMBER') ?? '',
      },
    ]
  })
}

/** Agents that are at work for this host. */
export const agentsOf = (project: Pick<Project, 'home' | 'dir'>, host: number): Kin[] =>
  kinOf(project).filter(
    ({ launchedBy, member, command }) =>
      launchedBy === host && member !== '' && command.includes('scripted-agent'),
  )

/** Whoever comes to work soon; a host that has just come up has nobody yet. */
export async function someAgents(project: Project, host: number): Promise<readonly Kin[]> {
  const until = Date.now() + 4_000
  for (;;) {
    const agents = agentsOf(project, host)
    if (agents.length > 0 || Date.now() > until) return agents
    await pause(50)
  }
}

/** Agents and commands of an earlier host, at work beside this one. */
export const strangersOf = (project: Project, host: number): Kin[] =>
  kinOf(project).filter(({ launchedBy }) => launchedBy !== null && launchedBy !== host)

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** A process that has ended and waits for its parent to take note. */
const isOver = (pid: number): boolean => /\) [ZX] /.test(read(`/proc/${pid}/stat`) || ') X ')

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
