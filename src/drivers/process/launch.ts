/**
 * Starts a program and can end it together with everything it started, however far that wandered off. Never throws:
 * a program that could not be started shows in `exited`.
 */
import type { EventEmitter } from 'node:events'
import { basename } from 'node:path'
import { Readable, type Stream, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Launch } from '../driver.ts'
import { STATUS_FD, sandboxCommand, sandboxEnvironment, sandboxTrouble } from '../sandbox.ts'
import { endFamily } from './ending.ts'
import { createFamily } from './family.ts'
import { createMark, MARK, markText } from './mark.ts'
import type { ProcessRegistry } from './registry.ts'
import { type Command, spawnCommand } from './spawning.ts'
import { startTimeOf } from './table.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Why the program could not be started, as a sentence. */
  readonly error: string | null
}

export interface Running {
  readonly pid: number | null
  /** May be written to at any time: what nobody reads any more is dropped. */
  readonly stdin: Writable
  readonly stdout: Readable
  /** The last few thousand characters of stderr. */
  stderrTail(): string
  /** The program itself; what it started may live on until `stop`. */
  readonly exited: Promise<Exit>
  /** It exited, and nobody can write to stdout and stderr any more. Needs stdout to be read. */
  readonly closed: Promise<void>
  /**
   * Ends it and everything it started: asked with SIGTERM, killed after the grace. Resolves when none is left. May be
   * called at any time and again; the shortest grace counts.
   */
  stop(graceMs: number): Promise<void>
}

export interface LaunchOptions {
  readonly registry?: ProcessRegistry | null
  readonly onStderr?: (text: string) => void
  /** What the registry calls it; the program's name unless given. */
  readonly label?: string
}

const TAIL = 8_000
/** How long a pipe may stay open after everything that we know of has gone. */
const PIPE_MS = 1_000
/** How long the last words of a sandbox may take to arrive after its end. */
const WORDS_MS = 500

export function launch(launch: Launch, options: LaunchOptions = {}): Running {
  const registry = options.registry ?? null
  const mark = createMark(registry?.hostId ?? 'none')
  const spawned = spawnCommand(commandOf(launch, markText(mark)))
  if ('error' in spawned) return neverStarted(spawned.error)
  const { child, pid } = spawned
  const startTime = startTimeOf(pid)
  const label = options.label ?? basename(launch.argv[0] ?? '')
  if (startTime !== null) registry?.add({ ...mark, process: { pid, startTime }, label })
  const family = createFamily({
    roots: startTime === null ? [] : [{ pid, startTime }],
    sessions: [pid],
    bears: ({ launchId }) => launchId === mark.launchId,
  })

  const stderr = tailOf(child.stderr, options.onStderr)
  const status = tailOf(child.stdio[STATUS_FD])
  // A reader that went away is no news: the exit tells. Unheard, these would end the host.
  for (const emitter of [child, ...child.stdio]) emitter?.on('error', () => {})

  const closed = closeOf(child)
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => {
      // At once, while what it left behind still shows whose it is.
      void family.survey().then((left) => left.length === 0 && registry?.remove(mark.launchId))
      if (launch.sandbox === null || !code) return resolve({ code, signal, error: null })
      const told = Promise.all([stderr.closed, status.closed])
      void Promise.race([told, delay(WORDS_MS, undefined, { ref: false })]).then(() => {
        const error = sandboxTrouble({ status: status.text(), stderr: stderr.text() })
        resolve({ code: error === null ? code : null, signal, error })
      })
    }),
  )

  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderrTail: stderr.text,
    exited,
    closed,
    async stop(graceMs) {
      // A sandbox that ends takes all inside with it, unasked.
      const isSandbox = (process: { pid: number; parent: number }) =>
        launch.sandbox !== null && (process.pid === pid || process.parent === pid)
      const { gone } = await endFamily(family, { graceMs, spares: isSandbox })
      if (gone) {
        await exited
        registry?.remove(mark.launchId)
      }
      child.stdin.destroy()
      // Something that escaped us may hold the pipes: they must not hold the host.
      const release = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
      }, PIPE_MS).unref()
      void closed.then(() => clearTimeout(release))
    },
  }
}

function commandOf({ argv, cwd, env, sandbox }: Launch, mark: string): Command {
  return {
    argv: sandbox === null ? argv : sandboxCommand(sandbox, { argv, cwd }),
    cwd,
    env: { ...(sandbox === null ? env : sandboxEnvironment(sandbox, env)), [MARK]: mark },
    descriptors: sandbox === null ? 3 : STATUS_FD + 1,
  }
}

function tailOf(stream: Stream | null | undefined, onText?: (text: string) => void) {
  let tail = ''
  if (!(stream instanceof Readable)) return { text: () => tail, closed: Promise.resolve() }
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL)
    onText?.(text)
  })
  return { text: () => tail, closed: closeOf(stream) }
}

function closeOf(emitter: EventEmitter): Promise<void> {
  return new Promise((resolve) => emitter.once('close', () => resolve()))
}

function neverStarted(why: Promise<string>): Running {
  return {
    pid: null,
    stdin: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stdout: Readable.from([]),
    stderrTail: () => '',
    exited: why.then((error) => ({ code: null, signal: null, error })),
    closed: why.then(() => {}),
    stop: async () => {},
  }
}
