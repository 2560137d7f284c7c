/**
 * Limits that the kernel holds for a sandbox as a whole: all memory that it caused counts, files in memory, memfd and kernel buffers
 * included, and none of its processes can leave. Groups are made below our own group or one around it, where we may; else the
 * user's systemd makes one for each command.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where groups can be made. */
export type ControlGroups =
  | { readonly kind: 'folders'; readonly version: 1 | 2; readonly memory: string; readonly processes: string }
  | { readonly kind: 'systemd'; readonly program: string; readonly runtime: string }

export interface ControlGroup {
  /** What starts a command in it. */
  readonly argv: readonly string[]
  /** Which limit was passed, as a sentence; `first` is a process in it. */
  excess(first: number | null): string | null
  end(): void
}

/** Null: no limit. */
interface Limited {
  readonly processes: number | null
  readonly memoryBytes: number | null
}

const NAME = 'signalbox-'
/** bubblewrap itself, outside and inside. */
const ENGINE_PROCESSES = 2
let made = 0

/** Null: this machine lets us make none. Each way is tried with a real process. */
export function findControlGroups(searchPath: string): ControlGroups | null {
  return [...foldersAround(), ...systemdAt(searchPath)].find(works) ?? null
}

export function openControlGroup(groups: ControlGroups, limits: Limited): ControlGroup {
  return groups.kind === 'systemd' ? systemdGroup(groups, limits) : folderGroup(groups, limits)
}

export const describeControlGroups = (groups: ControlGroups): string =>
  groups.kind === 'systemd'
    ? `control groups made by systemd (${groups.program} --user --scope)`
    : `control groups below ${groups.memory} (version ${groups.version})`

type Folders = Extract<ControlGroups, { kind: 'folders' }>

function folderGroup(groups: Folders, limits: Limited): ControlGroup {
  const name = `${NAME}${process.pid}-${++made}`
  const [memory, processes] = [join(groups.memory, name), join(groups.processes, name)]
  const folders = [...new Set([memory, processes])]
  for (const folder of folders) mkdirSync(folder)
  setLimits(groups.version, { memory, processes }, limits)
  return {
    argv: ['/bin/sh', '-c', ENTER, ...folders.map((folder) => join(folder, 'cgroup.procs')), '--'],
    excess: () => excessIn(groups.version, { memory, processes }, limits),
    end() {
      for (const folder of folders) removeSoon(folder)
    },
  }
}

/** The name of the script is the first of its arguments. */
const ENTER = `entered() { echo $$ > "$1"; }
entered "$0" || exit 126
while [ "$1" != -- ]; do entered "$1" || exit 126; shift; done
shift; exec "$@"`

interface Places {
  readonly memory: string
  readonly processes: string
}

function setLimits(version: 1 | 2, { memory, processes }: Places, limits: Limited): void {
  const { memoryBytes } = limits
  if (memoryBytes !== null && version === 2) {
    set(join(memory, 'memory.max'), memoryBytes)
    setIfThere(join(memory, 'memory.swap.max'), 0)
    setIfThere(join(memory, 'memory.oom.group'), 1)
  } else if (memoryBytes !== null) {
    set(join(memory, 'memory.limit_in_bytes'), memoryBytes)
    setIfThere(join(memory, 'memory.memsw.limit_in_bytes'), memoryBytes)
  }
  if (limits.processes !== null) set(join(processes, 'pids.max'), limits.processes + ENGINE_PROCESSES)
}

const set = (file: string, value: number) => writeFileSync(file, String(value))
const setIfThere = (file: string, value: number) => existsSync(file) && set(file, value)

function excessIn(version: 1 | 2, { memory, processes }: Places, limits: Limited): string | null {
  const killed = join(memory, version === 2 ? 'memory.events' : 'memory.oom_control')
  if (limits.memoryBytes !== null && countIn(killed, 'oom_kill') > 0) return memoryExcess(limits.memoryBytes)
  if (limits.processes !== null && countIn(join(processes, 'pids.events'), 'max') > 0)
    return processExcess(limits.processes)
  return null
}

export const memoryExcess = (bytes: number, used = bytes): string =>
  `It used more memory than it may (${inMegabytes(used)} of ${inMegabytes(bytes)}).`

export const processExcess = (most: number): string =>
  `It had more processes and threads than it may (${most}).`

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`

const countIn = (file: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(read(file))?.[1] ?? 0)

const REMOVALS_MS = [0, 100, 1000, 10_000]

/** The kernel keeps a group while a process in it is still ending. */
function removeSoon(folder: string, tries = 0): void {
  try {
    rmdirSync(folder)
  } catch {
    const pauseMs = REMOVALS_MS[tries + 1]
    // What is left then goes with the next start of a host.
    if (pauseMs !== undefined) setTimeout(removeSoon, pauseMs, folder, tries + 1).unref()
  }
}

type Systemd = Extract<ControlGroups, { kind: 'systemd' }>

function systemdGroup({ program, runtime }: Systemd, limits: Limited): ControlGroup {
  const { memoryBytes, processes } = limits
  const properties = [
    ...(memoryBytes === null ? [] : [`MemoryMax=${memoryBytes}`, 'MemorySwapMax=0']),
    ...(processes === null ? [] : [`TasksMax=${processes + ENGINE_PROCESSES}`]),
  ]
  return {
    argv: [
      ...['/usr/bin/env', `XDG_RUNTIME_DIR=${runtime}`, program, '--user', '--scope', '--quiet', '--collect'],
      ...properties.flatMap((property) => ['-p', property]),
      ...['--', '/usr/bin/env', '-u', 'XDG_RUNTIME_DIR'],
    ],
    excess(first) {
      const group = first === null ? null : groupOf(first)
      return group === null ? null : excessIn(2, { memory: group, processes: group }, limits)
    },
    end: () => {},
  }
}

const ROOT = '/sys/fs/cgroup'

function groupOf(pid: number): string | null {
  const path = /^0::(.*)$/m.exec(read(`/proc/${pid}/cgroup`))?.[1]
  return path === undefined ? null : join(ROOT, path)
}

/** Our own groups, and of version 2 those around it: a group of that version that has processes can have no limited ones. */
function foldersAround(): ControlGroups[] {
  const own = read('/proc/self/cgroup')
  const first = (controller: string) => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own)?.[1]
    return path === undefined ? null : join(ROOT, controller, path)
  }
  const [memory, processes, unified] = [first('memory'), first('pids'), groupOf(process.pid)]
  if (memory !== null && processes !== null) return [{ kind: 'folders', version: 1, memory, processes }]
  const around: string[] = []
  for (let at = unified; at?.startsWith(ROOT) === true; at = dirname(at)) around.push(at)
  return around.map((folder) => ({ kind: 'folders', version: 2, memory: folder, processes: folder }))
}

function systemdAt(searchPath: string): ControlGroups[] {
  const runtime = `/run/user/${process.getuid?.() ?? 0}`
  if (!existsSync(join(runtime, 'systemd/private'))) return []
  const program = searchPath
    .split(':')
    .map((folder) => join(folder, 'systemd-run'))
    .find(existsSync)
  return program === undefined ? [] : [{ kind: 'systemd', program, runtime }]
}

const TRIAL: Limited = { processes: 64, memoryBytes: 64 * 1024 * 1024 }
const TRIAL_MS = 5000

function works(groups: ControlGroups): boolean {
  try {
    if (groups.kind === 'folders') {
      if (groups.version === 2) allowLimits(groups.memory)
      clearOld(groups)
    }
    const group = openControlGroup(groups, TRIAL)
    const [program, ...args] = [...group.argv, '/bin/cat', '/proc/self/cgroup'] as const
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: TRIAL_MS })
    group.end()
    return (
      status === 0 && (groups.kind === 'systemd' ? /\.scope$/m : new RegExp(`/${NAME}\\d+-`)).test(stdout)
    )
  } catch {
    return false
  }
}

function allowLimits(folder: string): void {
  const file = join(folder, 'cgroup.subtree_control')
  const missing = ['memory', 'pids'].filter((name) => !read(file).trim().split(/\s+/).includes(name))
  if (missing.length === 0) return
  // A group that was delegated to us alone has us in it, and no group with processes has limited ones.
  if (read(join(folder, 'cgroup.procs')).trim() === String(process.pid)) {
    mkdirSync(join(folder, `${NAME}host`), { recursive: true })
    set(join(folder, `${NAME}host`, 'cgroup.procs'), process.pid)
  }
  writeFileSync(file, missing.map((name) => `+${name}`).join(' '))
}

/** What hosts that were killed left: groups without a process. */
function clearOld({ memory, processes }: Folders): void {
  for (const folder of new Set([memory, processes]))
    for (const name of readdirSync(folder))
      if (isLeft(name)) removeSoon(join(folder, name), REMOVALS_MS.length)
}

function isLeft(name: string): boolean {
  const host = new RegExp(`^${NAME}(\\d+)-\\d+$`).exec(name)?.[1]
  return host !== undefined && (host === String(process.pid) || !existsSync(`/proc/${host}`))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
