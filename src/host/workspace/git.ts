/**
 * The git program. No prompt, no hook, no signature, no helper that a repository's settings could start, and nothing of
 * the caller's own GIT_ environment that would point it at another repository. Its memory is limited: a few kilobytes of
 * trees can describe millions of files.
 */
import { execFile } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { withoutAddressPasswords } from '../../model/without-passwords.ts'
import { storageFailureIn, storageFailureOf } from '../machine/storage.ts'
import { codeOf } from './file-error.ts'
import { textOf } from './file-name.ts'
import type { Problem } from './problem.ts'

export interface GitOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array | string | Readable
  /** More output than this is cut off. */
  readonly maxBytes?: number
  readonly timeoutMs?: number
}

export interface GitResult {
  /** 127 when git could not be started or did not come to its own end. */
  readonly code: number
  /** Why it did not come to its own end, as what is said of it: `took too long and was stopped`. Null where it did. */
  readonly cutShort: string | null
  /** Without loss, see file-name.ts. */
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
}

/** The world let us down; the message is a sentence for a person. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
}

const LARGEST_OUTPUT = 256 * 1024 * 1024
const LONGEST_MS = 10 * 60_000
/** An index of two million files takes 400 MiB. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024
/** Limits what a process allocates; mapped pack files do not count. Node has no call for it. */
const LIMITED = ['-c', `ulimit -d ${MAX_MEMORY_KIB} 2>/dev/null; exec "$0" "$@"`, 'git']

/** By which a git of ours is known among others. */
export const OUR_SETTING = 'core.hooksPath=/dev/null'

const SETTINGS = [
  OUR_SETTING,
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.quotepath=off',
  'core.safecrlf=false',
  // Names that another file system would take for a repository.
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'commit.gpgsign=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

/** How a git of ours is called within a script of the shell. */
export const GIT_IN_SHELL = ['git', ...SETTINGS].join(' ')

export async function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  for (let tries = 1; ; tries++) {
    const result = await once(args, options)
    if (result.code === 0 || tries === MOST_TRIES || !HALF_MADE.test(result.stderr)) return result
    await pause(AGAIN_MS * tries)
  }
}

/** git looks at every worktree of a repository, and fails over one that another git is just making. */
const HALF_MADE = /failed to read \S*worktrees\/\S+: Success/
const MOST_TRIES = 8
const AGAIN_MS = 15

function once(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { promise, resolve } = withResolvers<GitResult>()
  const timeoutMs = options.timeoutMs ?? LONGEST_MS
  const begunAt = performance.now()
  const child = execFile(
    '/bin/sh',
    [...LIMITED, ...SETTINGS, ...args],
    {
      cwd: options.cwd,
      env: { ...inherited(), ...options.env },
      encoding: 'buffer',
      maxBuffer: options.maxBytes ?? LARGEST_OUTPUT,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    },
    (error, stdout, stderr) => {
      const truncated = error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      resolve({
        code: truncated ? 0 : exitCode(error),
        cutShort: truncated ? null : cutShort(error, { tookMs: performance.now() - begunAt, timeoutMs }),
        stdout: textOf(truncated ? wholeLines(stdout) : stdout),
        stderr:
          typeof error?.code === 'string' && !truncated
            ? error.message
            : withoutAddressPasswords(stderr.toString('utf8')),
        truncated,
      })
    },
  )
  // git may end before it has read everything; its exit code says whether that matters.
  const { input = '' } = options
  const stdin = child.stdin!
  stdin.on('error', () => undefined)
  if (typeof input === 'string' || input instanceof Uint8Array) stdin.end(input)
  else pipeline(input, stdin).catch(() => undefined)
  return promise
}

/** Its output; anything but success is a failure. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await git(args, options)
  if (result.code !== 0) throw new GitFailure(sentenceOf(args, result))
  if (result.truncated) throw new GitFailure(`git ${args[0]} gave more output than can be held.`)
  return result.stdout
}

/** The first line of output: an id, a path. */
export const gitLine = async (args: readonly string[], options: GitOptions): Promise<string> =>
  (await gitOutput(args, options)).replace(/\n$/, '')

export function sentenceOf(args: readonly string[], result: GitResult): string {
  const said = result.stderr.trim().split('\n').slice(-3).join(' ').slice(0, 1000)
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(result.stderr)?.[1]
  if (lock !== undefined)
    return `Another git process is at work here, or one was killed: ${lock} exists. Wait for it to end, or remove that file.`
  if (/^fatal: Out of memory/m.test(result.stderr))
    return `git ${args[0]} needed more than ${MAX_MEMORY_KIB / 1024 / 1024} GiB of memory and was stopped.`
  if (result.cutShort !== null)
    return `git ${args[0]} ${result.cutShort}.${said === '' ? '' : ` It had said: ${said}`}`
  return `git ${args[0]} failed: ${said || `exit code ${result.code}`}`
}

/** At the border: what git or the file system said becomes a value, a bug stays a bug; and a disk that fails is thrown. */
export function problemOf(error: unknown): Problem {
  const storage = error instanceof GitFailure ? storageFailureIn(error.message) : storageFailureOf(error)
  if (storage !== null) throw storage
  if (error instanceof GitFailure) return { problem: error.message }
  if (codeOf(error) !== '') return { problem: `The work tree cannot be used: ${(error as Error).message}` }
  throw error
}

interface Ending {
  readonly code?: unknown
  readonly killed?: boolean
  readonly signal?: string | null
}

const exitCode = (error: Ending | null): number =>
  error === null ? 0 : typeof error.code === 'number' ? error.code : 127

/** `killed`: by us, and the one reason that we have is the time it took. */
function cutShort(
  error: Ending | null,
  { tookMs, timeoutMs }: { readonly tookMs: number; readonly timeoutMs: number },
): string | null {
  if (error === null || !error.signal) return null
  return error.killed === true && tookMs >= timeoutMs ? tooLong(timeoutMs) : endedBy(error.signal)
}

export const tooLong = (timeoutMs: number): string =>
  `took longer than ${timeoutMs / 1000} s and was stopped by Signalbox`

/** A signal that is not ours: a person, the system where memory is short, or a limit of its own. */
export const endedBy = (signal: string): string =>
  `was ended by ${signal}, which Signalbox did not send${signal === 'SIGKILL' ? ' (a person, or the system where memory is short)' : ''}`

const KEPT = new Set([
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_EXEC_PATH',
])

function inherited(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([key]) => !key.startsWith('GIT_') || KEPT.has(key))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: ':',
  }
}

/** A cut goes between lines, never through a character. */
const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf('\n') + 1)

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
