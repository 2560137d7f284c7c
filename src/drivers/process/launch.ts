/**
 * Starts a program and can end it together with everything it started, however far that wandered off. Never throws:
 * a program that could not be started shows in `exited`.
 */
import type { EventEmitter } from 'node:events'
import { basename } from 'node:path'
import { Readable, type Stream, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Launch } from '../driver.ts'
import { sandboxed } from '../sandbox/sandboxed.ts'
import { STATUS_FD, WORDS_FD } from '../sandbox/sandboxed-command.ts'
import { birthmarkedArgv, createBirthmark } from './birthmark.ts'
import { departure, endFamily } from './ending.ts'
import { createFamily } from './family.ts'
import { createMark, MARK, markText } from './mark.ts'
import type { ProcessRegistry } from './registry.ts'
import { spawnCommand } from './spawning.ts'
import { processAt, startTimeOf } from './table.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Why the program could not be started, as a sentence. */
  readonly error: string | null
  /** That it was ended because it used more than its sandbox allows, as a sentence. */
  readonly overLimit: string | null
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
  /** What the registry calls it; the program's name by default. */
  readonly label?: string
}

const TAIL = 8_000
/** How long a pipe may stay open after everything that we know of has gone. */
const PIPE_MS = 1_000
/** How long whoever was in a sandbox may outlive it before we look for them. */
const EMPTY_MS = 5_000
/** How long the last words of a sandbox may take to arrive after its end. */
const WORDS_MS = 500

export function launch(launch: Launch, options: LaunchOptions = {}): Running {
  const registry = options.registry ?? null
  const mark = createMark(registry?.hostId ?? 'none')
  const { argv, cwd, env, sandbox } = launch
  const boxed = sandbox === null ? null : sandboxed(sandbox, { argv, cwd, env })
  const marked = { [MARK]: markText(mark) }
  const birthmark = boxed?.encloses === true ? null : createBirthmark()
  const spawned = spawnCommand({
    argv: boxed?.argv ?? birthmarkedArgv({ argv, cwd, env }, birthmark),
    program: (boxed?.argv ?? argv)[0] ?? '',
    cwd,
    env: { ...(boxed?.env ?? env), ...marked },
    descriptors: boxed?.descriptors ?? [],
  })
  if ('error' in spawned) return neverStarted(spawned.error)
  const { child, pid } = spawned
  const startTime = startTimeOf(pid)
  const root = startTime === null ? null : { pid, startTime }
  const label = options.label ?? basename(launch.argv[0] ?? '')
  if (root !== null) registry?.add({ ...mark, process: root, label, birthmark })
  const family = createFamily({
    roots: root === null ? [] : [root],
    sessions: [pid],
    bears: ({ launchId }) => launchId === mark.launchId,
    birthmarks: birthmark === null ? [] : [birthmark],
    eldest: root,
  })

  const stderr = tailOf(child.stderr, options.onStderr)
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  const [status, words] = [tailOf(pipes[STATUS_FD]), tailOf(pipes[WORDS_FD])]
  // A reader that went away is no news: the exit tells. Unheard, these would end the host.
  for (const emitter of [child, ...child.stdio]) emitter?.on('error', () => {})
  const attendance = boxed?.attend(child) ?? null

  const closed = closeOf(child)
  let isOver = false
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => {
      // A sandbox that came to its own end takes along whoever was in it; to look for them would take longer than it did.
      isOver = boxed?.encloses === true && code !== null
      if (isOver) registry?.remove(mark.launchId)
      // At once, while what it left behind still shows whose it is.
      else void family.survey().then((left) => left.length === 0 && registry?.remove(mark.launchId))
      attendance?.end()
      const overLimit = attendance?.overLimit() ?? null
      if (boxed === null || !code || overLimit !== null)
        return resolve({ code, signal, error: null, overLimit })
      const told = Promise.all([stderr.closed, status.closed, words.closed])
      void Promise.race([told, delay(WORDS_MS, undefined, { ref: false })]).then(() => {
        const said = { status: status.text(), stderr: stderr.text(), words: words.text() }
        const error = boxed.troubleIn({ code, ...said })
        resolve({ code: error === null ? code : null, signal, error, overLimit })
      })
    }),
  )

  /** The kernel takes its time with a crowd, and until then they go on with whatever they do. */
  const isEmpty = async (): Promise<boolean> => {
    await Promise.race([status.closed, delay(WORDS_MS, undefined, { ref: false })])
    const last = boxed?.lastIn(status.text()) ?? null
    const found = last === null ? null : processAt(last)
    return found === null || departure([found], EMPTY_MS)
  }

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
        boxed?.encloses === true && (process.pid === pid || process.parent === pid)
      if (!isOver || !(await isEmpty())) {
        const { gone } = await endFamily(family, { graceMs, spares: isSandbox })
        if (gone) {
          await exited
          registry?.remove(mark.launchId)
        }
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
    exited: why.then((error) => ({ code: null, signal: null, error, overLimit: null })),
    closed: why.then(() => {}),
    stop: async () => {},
  }
}
