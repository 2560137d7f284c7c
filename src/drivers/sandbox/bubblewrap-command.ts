/** A command in a sandbox of Linux. */
import type { ChildProcess } from 'node:child_process'
import { release } from 'node:os'
import { type Stream, Writable } from 'node:stream'
import { beginningTrouble, begunArgv, needsBeginning } from './beginning.ts'
import { bubblewrapArgv, bubblewrapTrouble } from './bubblewrap.ts'
import { type ControlGroup, openControlGroup } from './control-group.ts'
import { attendDoors, doorsOf, isOpen, proxyVariables, withLocalDoors, withoutProxies } from './doorway.ts'
import { filterBytes, isProcessor } from './filter.ts'
import { groundOf } from './mounts.ts'
import { inOwnNetwork } from './own-network.ts'
import { realPathOf } from './real-path.ts'
import type { Sandbox, SandboxEngine, SandboxLimits } from './sandbox.ts'
import {
  type Attendance,
  CHANNEL_FD,
  type CommandToBox,
  FILTER_FD,
  type SandboxedCommand,
  SETTINGS_FD,
  STATUS_FD,
} from './sandboxed-command.ts'
import { silentFoldersIn } from './silent-folders.ts'
import { type View, viewOf } from './view.ts'
import { watch, watchGroup } from './watch.ts'

type Environment = CommandToBox['env']

export function bubblewrapCommand(
  { program, perl, groups, limitsTemporary }: Extract<SandboxEngine, { kind: 'bubblewrap' }>,
  sandbox: Sandbox,
  { argv, cwd, env }: CommandToBox,
): SandboxedCommand {
  const { limits, onRefused } = sandbox
  const network = withLocalDoors(sandbox.network)
  const hasDoors = isOpen(network)
  const { toUs, direct } = doorsOf(network)
  const processor = isProcessor(process.arch) ? process.arch : null
  const silent = silentFoldersIn(sandbox)
  const isOwn = (hasDoors || silent.length > 0) && perl !== null && processor !== null
  const group = groups !== null && isLimited(limits) ? openControlGroup(groups, limits) : null
  const beginning = {
    limits: heldByKernel(limits, group),
    doors: hasDoors && !isOwn ? toUs : [],
    node: process.execPath,
  }
  const isBegun = needsBeginning(beginning)
  // The doorman is a Node like ours, wherever the user keeps it.
  const programs = beginning.doors.length === 0 ? sandbox.programs : [...sandbox.programs, process.execPath]
  const temporaryBytes = limitsTemporary ? limits.temporaryBytes : null
  const view = viewOf({ ...sandbox, programs, limits: { ...limits, temporaryBytes } }, cwd)
  // Memory that nothing maps is seen by a group only.
  const unmappedMemory = group !== null || limits.memoryBytes === null
  const filter =
    processor === null ? null : filterBytes({ processor, unixSockets: !view.isCrowded, unmappedMemory })
  const boxed = bubblewrapArgv({
    program,
    view,
    root: process.getuid?.() === 0 ? sandbox.rootAs : null,
    network: isOwn,
    filtered: filter !== null,
    argv: isBegun ? begunArgv(beginning, argv) : argv,
  })
  const variables = { ...withoutProxies(environmentIn(view, env)), ...proxyVariables(network) }
  const more = { ports: [...toUs, ...direct], hasNames: direct.length > 0, silent }
  return {
    argv: [
      ...(group?.argv ?? []),
      ...(isOwn ? inOwnNetwork({ perl, processor, channel: CHANNEL_FD, ...more }, boxed) : boxed),
    ],
    // A variable of a project's may name a library to load: none of them reaches a program outside.
    env: {},
    descriptors: ['pipe', 'pipe', isBegun ? 'pipe' : 'ignore', 'pipe', ...(hasDoors ? ['ipc' as const] : [])],
    attend(child) {
      const pipes: readonly (Stream | null | undefined)[] = child.stdio
      send(pipes[FILTER_FD], filter ?? '')
      send(pipes[SETTINGS_FD], settingsOf(variables))
      const closeDoors = hasDoors ? attendDoors(child, { network, onRefused }) : () => {}
      const guard = guardOf(child, { limits, group, temporary: temporaryIn(view) })
      return {
        end() {
          closeDoors()
          guard.end()
        },
        overLimit: () => guard.overLimit(),
      }
    },
    encloses: true,
    lastIn: firstProcessIn,
    troubleIn: (told) => bubblewrapTrouble(told) ?? beginningTrouble(told.words),
  }
}

function send(pipe: Stream | null | undefined, bytes: Uint8Array | string): void {
  if (pipe instanceof Writable) pipe.end(bytes)
}

/** Arguments of bubblewrap, as it reads them: everybody sees those on a command line. */
const settingsOf = (variables: Environment): string =>
  Object.entries(variables)
    .flatMap(([name, value]) => ['--setenv', name, value])
    .map((word) => `${word}\0`)
    .join('')

const isLimited = ({ processes, memoryBytes }: SandboxLimits): boolean =>
  processes !== null || memoryBytes !== null

/**
 * What the kernel holds at every process. It refuses a user's next one at twice the limit: processes multiply faster than we look, and
 * what has more than it may is ended whole all the same. A group holds the sandbox as a whole.
 */
function heldByKernel(limits: SandboxLimits, group: ControlGroup | null): SandboxLimits {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  // Before Linux 5.14 the processes of a user were counted together, inside a sandbox and out. Root's never count.
  const isCounted = (major > 5 || (major === 5 && minor >= 14)) && process.getuid?.() !== 0
  const processes = isCounted && group === null && limits.processes !== null ? 2 * limits.processes : null
  return { ...limits, processes }
}

/** Places of the sandbox that are kept in memory. */
const temporaryIn = ({ mounts }: View): string[] =>
  mounts.flatMap(({ kind, at }) => (kind === 'temporary' ? [at] : []))

interface Guarded {
  readonly limits: SandboxLimits
  readonly group: ControlGroup | null
  readonly temporary: readonly string[]
}

/** Ends the sandbox with all that is in it once it uses more than it may. */
function guardOf(child: ChildProcess, { limits, group, temporary }: Guarded): Attendance {
  let over: string | null = null
  let first: number | null = null
  let unwatch = () => {}
  const status = child.stdio[STATUS_FD]
  const listen = (text: unknown) => {
    const begun = firstProcessIn(String(text))
    if (begun === null) return
    first = begun
    status?.off('data', listen)
    const onOver = (sentence: string) => {
      over = sentence
      try {
        process.kill(begun, 'SIGKILL')
      } catch {
        // It ended by itself just now.
      }
    }
    const excess = () => group?.excess(begun) ?? null
    unwatch =
      group === null ? watch({ first: begun, limits, temporary, onOver }) : watchGroup({ excess, onOver })
  }
  status?.on('data', listen)
  return {
    end() {
      unwatch()
      // The kernel may have ended all of it before we looked.
      over ??= group?.excess(first) ?? null
      group?.end()
    },
    overLimit: () => over,
  }
}

/** The kernel ends all others of its sandbox before it lets this one go. */
function firstProcessIn(status: string): number | null {
  const found = /"child-pid": *(\d+)/.exec(status)?.[1]
  return found === undefined ? null : Number(found)
}

/** Temporary files are kept where the user keeps them, if that can be written to in here; else in /tmp, which always can. */
function environmentIn({ mounts }: View, env: Environment): Environment {
  const isLost = (path: string): boolean => {
    const real = realPathOf(path)
    const ground = real === null ? undefined : groundOf(mounts, real.path)
    return ground?.kind !== 'bind' || ground.access !== 'write'
  }
  const lost = ['TMPDIR', 'TMP', 'TEMP'].filter((name) => env[name] !== undefined && isLost(env[name]))
  return lost.length === 0 ? env : { ...env, ...Object.fromEntries(lost.map((name) => [name, '/tmp'])) }
}
