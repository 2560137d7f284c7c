/**
 * Runs one shell command to its end: gates, checks, primes. Whatever it started is gone when this returns, also what
 * it sent into the background, and only the end of its output is kept, however much there was.
 */
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { awakeTimer } from './awake-timer.ts'
import { launch } from './process/launch.ts'
import type { ProcessRegistry } from './process/registry.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export interface ShellCommand {
  readonly command: string
  readonly cwd: string
  /** All of the environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly sandbox: Sandbox | null
  readonly timeLimitMs: number
  /** What it can read; nothing by default. */
  readonly input?: string
  readonly signal?: AbortSignal | null
  readonly registry?: ProcessRegistry | null
  /** As it comes, in whatever pieces. */
  readonly onOutput?: ((text: string) => void) | null
  /** One or more whole lines of stdout or of stderr, never of both; at the end also one that was not finished. */
  readonly onLines?: ((text: string) => void) | null
}

export interface ShellResult {
  /** As a shell would tell it: 128 and the signal for a killed one. Null: stopped by us, over a limit, or it could not be started. */
  readonly exitCode: number | null
  /** The end of stdout and stderr as they came. Why it could not be started or go on, if so. */
  readonly output: string
  readonly stdout: string
  readonly timedOut: boolean
  readonly aborted: boolean
}

const KEPT_BYTES = 64 * 1024
/** What never ends its line must not fill the memory: the rest of such a line is not told. */
const LONGEST_LINE = 64 * 1024
const GRACE_MS = 2_000
/** For output that is on its way; who holds the pipe for longer sits in the background. */
const PIPE_MS = 200

export async function runShell(options: ShellCommand): Promise<ShellResult> {
  const { command, cwd, env, sandbox, signal = null, registry = null } = options
  const { onOutput = null, onLines = null } = options
  if (signal?.aborted) return { exitCode: null, output: '', stdout: '', timedOut: false, aborted: true }
  const output = createTail(KEPT_BYTES)
  const stdout = createTail(KEPT_BYTES)
  const take = (text: string) => {
    if (text === '') return
    output.add(text)
    onOutput?.(text)
  }
  const stdoutLines = createLines(onLines)
  const stderrLines = createLines(onLines)
  const takeStderr = (text: string) => {
    take(text)
    stderrLines.add(text)
  }
  const running = launch(
    { argv: ['sh', '-c', command], cwd, env, sandbox },
    { registry, onStderr: takeStderr, label: 'sh' },
  )
  const decoder = new StringDecoder('utf8')
  const takeStdout = (text: string) => {
    stdout.add(text)
    take(text)
    stdoutLines.add(text)
  }
  running.stdout.on('data', (bytes: Buffer) => takeStdout(decoder.write(bytes)))
  running.stdin.end(options.input ?? '')

  const interruption = interruptionOf({ timeLimitMs: options.timeLimitMs, signal })
  const ended = await Promise.race([running.exited, interruption.happened])
  interruption.forget()
  if (typeof ended !== 'string') await soon(running.closed)
  await running.stop(GRACE_MS)
  await running.closed
  takeStdout(decoder.end())
  stdoutLines.end()
  stderrLines.end()

  const exit = typeof ended === 'string' ? null : ended
  const trouble = exit?.error ?? exit?.overLimit ?? null
  const exitCode = exit === null || trouble !== null ? null : (exit.code ?? signalCode(exit.signal))
  const ending = trouble ?? endingOf(exitCode)
  if (ending !== null) {
    // Our words: whoever listens for a sign of life must not hear them.
    output.add(ending)
    onLines?.(ending)
  }
  return {
    exitCode,
    output: output.text(),
    stdout: stdout.text(),
    timedOut: ended === 'timed out',
    aborted: ended === 'aborted',
  }
}

/** Of one that was killed: the number alone tells nobody. */
function endingOf(exitCode: number | null): string | null {
  const signal = signals.find(([, number]) => number + 128 === exitCode)?.[0]
  return signal === undefined ? null : `(exit code ${exitCode}: it was ended by ${signal})\n`
}

const signals = Object.entries(constants.signals)

function signalCode(name: string | null): number {
  return 128 + (signals.find(([signal]) => signal === name)?.[1] ?? 0)
}

async function soon(promise: Promise<void>): Promise<void> {
  const timer = new AbortController()
  const tooLong = delay(PIPE_MS, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([promise, tooLong])
  timer.abort()
}

type Interruption = 'timed out' | 'aborted'

function interruptionOf({ timeLimitMs, signal }: { timeLimitMs: number; signal: AbortSignal | null }) {
  let forget = () => {}
  const happened = new Promise<Interruption>((resolve) => {
    const abort = () => resolve('aborted')
    const callOff = awakeTimer(timeLimitMs, () => resolve('timed out'))
    signal?.addEventListener('abort', abort)
    forget = () => {
      callOff()
      signal?.removeEventListener('abort', abort)
    }
  })
  return { happened, forget: () => forget() }
}

/** Keeps the last so many bytes of a text, cut between characters. */
function createTail(limit: number) {
  let kept = ''
  return {
    add(text: string) {
      kept += text
      if (kept.length > 4 * limit) kept = kept.slice(-limit)
    },
    text() {
      const bytes = Buffer.from(kept)
      let start = Math.max(0, bytes.length - limit)
      while (isInsideCharacter(bytes[start])) start++
      return bytes.toString('utf8', start)
    },
  }
}

/** Puts lines together again, wherever the pipe cut them. */
function createLines(tell: ((text: string) => void) | null) {
  let rest = ''
  return {
    add(text: string) {
      const end = text.lastIndexOf('\n') + 1
      if (end > 0) {
        const isCut = rest.length >= LONGEST_LINE
        tell?.(rest + text.slice(isCut ? text.indexOf('\n') : 0, end))
        rest = ''
      }
      rest += text.slice(end, end + LONGEST_LINE - rest.length)
    },
    end() {
      if (rest !== '') tell?.(rest)
      rest = ''
    },
  }
}

const isInsideCharacter = (byte: number | undefined) =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
