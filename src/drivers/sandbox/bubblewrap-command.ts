/** A command in a sandbox of Linux. */
import type { ChildProcess } from 'node:child_process'
import { release } from 'node:os'
import { Writable } from 'node:stream'
import { beginningTrouble, begunArgv, needsBeginning } from './beginning.ts'
import { bubblewrapArgv, bubblewrapTrouble } from './bubblewrap.ts'
import { attendDoors, doorsOf, needsDoorway, proxyVariables, withLocalDoors } from './doorway.ts'
import { filterBytes, isInReach, isProcessor, type UnixSockets } from './filter.ts'
import { abstractLengths } from './foreign-sockets.ts'
import { groundOf } from './mounts.ts'
import { realPathOf } from './real-path.ts'
import type { Sandbox, SandboxEngine, SandboxLimits } from './sandbox.ts'
import {
  type Attendance,
  type CommandToBox,
  FILTER_FD,
  type SandboxedCommand,
  STATUS_FD,
} from './sandboxed-command.ts'
import { type View, viewOf } from './view.ts'
import { watch } from './watch.ts'

type Environment = CommandToBox['env']

export function bubblewrapCommand(
  { program }: Extract<SandboxEngine, { kind: 'bubblewrap' }>,
  sandbox: Sandbox,
  { argv, cwd, env }: CommandToBox,
): SandboxedCommand {
  const { limits, onRefused } = sandbox
  const network = withLocalDoors(sandbox.network)
  const door = needsDoorway(network) ? network : null
  const share = sharedOut(limits)
  const beginning = {
    limits: share.kernel,
    doors: door === null ? [] : doorsOf(door),
    node: process.execPath,
  }
  // The doorman is a Node like ours, wherever the user keeps it.
  const programs = door === null ? sandbox.programs : [...sandbox.programs, process.execPath]
  const view = viewOf({ ...sandbox, programs }, cwd)
  const filter = filterFor(unixSocketsIn(sandbox, view))
  return {
    argv: bubblewrapArgv({
      program,
      view,
      root: process.getuid?.() === 0 ? sandbox.rootAs : null,
      network: network.kind === 'on',
      filtered: filter !== null,
      argv: needsBeginning(beginning) ? begunArgv(beginning, argv) : argv,
    }),
    env: { ...environmentIn(view, env), ...(door === null ? {} : proxyVariables(door)) },
    descriptors: ['pipe', 'pipe', 'pipe', ...(door === null ? [] : ['ipc' as const])],
    attend(child) {
      const pipe = child.stdio[FILTER_FD]
      if (pipe instanceof Writable) pipe.end(filter ?? '')
      const closeDoors = door === null ? () => {} : attendDoors(child, door, onRefused)
      const guard = guardOf(child, share.ours)
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

/** Who sees to each limit: the kernel, at every process, or we, now and then. */
function sharedOut(limits: SandboxLimits): { readonly kernel: SandboxLimits; readonly ours: SandboxLimits } {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  // Before Linux 5.14 the processes of a user were counted together, inside a sandbox and out. Root's never count.
  const isCounted = (major > 5 || (major === 5 && minor >= 14)) && process.getuid?.() !== 0
  const uncounted = { ...limits, processes: null }
  return isCounted ? { kernel: limits, ours: uncounted } : { kernel: uncounted, ours: limits }
}

/** Ends the sandbox with all that is in it once it uses more than it may. */
function guardOf(child: ChildProcess, limits: SandboxLimits): Attendance {
  let over: string | null = null
  let unwatch = () => {}
  const status = child.stdio[STATUS_FD]
  const listen = (text: unknown) => {
    const first = firstProcessIn(String(text))
    if (first === null) return
    status?.off('data', listen)
    const onOver = (sentence: string) => {
      over = sentence
      try {
        process.kill(first, 'SIGKILL')
      } catch {
        // It ended by itself just now.
      }
    }
    unwatch = watch({ first, limits, onOver })
  }
  status?.on('data', listen)
  return { end: () => unwatch(), overLimit: () => over }
}

/** The kernel ends all others of its sandbox before it lets this one go. */
function firstProcessIn(status: string): number | null {
  const found = /"child-pid": *(\d+)/.exec(status)?.[1]
  return found === undefined ? null : Number(found)
}

/** Null where we have no filter for the processor. */
const filterFor = (unixSockets: UnixSockets): Uint8Array | null =>
  isProcessor(process.arch) ? filterBytes({ processor: process.arch, unixSockets }) : null

/** Abstract sockets come with the network of the machine. */
function unixSocketsIn({ network, sockets }: Sandbox, { isCrowded }: View): UnixSockets {
  if (isCrowded) return 'refused'
  if (network.kind === 'limited' || sockets.length > 0) return 'allowed'
  return abstractLengths().some(isInReach) ? 'refused' : 'named'
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
