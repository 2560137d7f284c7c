/**
 * Any program as an agent: each prompt is one run of it, told on its standard input or in a file whose path takes the
 * place of `{prompt_file}` in its arguments. What it prints is what it says; exit code 0 ends the turn. There is nothing
 * to resume, and no MCP server is offered: the program finds what it needs in its environment.
 */
import { basename } from 'node:path'
import type { AgentSession, Driver, OpenRequest, TurnEnd } from '../driver.ts'
import { type Exit, launch, type Running } from '../process/launch.ts'
import type { ProcessRegistry } from '../process/registry.ts'
import { readUsageLimit } from '../usage-limit.ts'
import { findProgram } from './program.ts'
import { PROMPT_FILE, placePrompt } from './prompt-file.ts'

export interface CommandDriverOptions {
  readonly registry: ProcessRegistry | null
  readonly prompt: 'stdin' | 'file'
  /** How long a cancelled program, or what a finished one left behind, may take to obey SIGTERM. */
  readonly graceMs?: number
}

export function createCommandDriver(options: CommandDriverOptions): Driver {
  return {
    open: async (request) => {
      const { argv, cwd, env } = request.launch
      const program = await findProgram(argv[0] ?? '', { cwd, path: env['PATH'] ?? '' })
      if (program === null) return { trouble: 'failed', detail: `There is no program ${argv[0]} to start.` }
      if (options.prompt === 'file' && !argv.some((word) => word.includes(PROMPT_FILE)))
        return { trouble: 'failed', detail: `None of the arguments of ${argv[0]} has ${PROMPT_FILE} in it.` }
      if (request.resume !== null)
        return { trouble: 'no-session', detail: `${argv[0]} runs once a prompt and keeps no session.` }
      return { session: createSession(request, options) }
    },
  }
}

function createSession(
  request: OpenRequest,
  { registry, prompt: by, graceMs = 3_000 }: CommandDriverOptions,
): AgentSession {
  let turn: { cancelled: boolean; running: Running | null; readonly ended: Promise<TurnEnd> } | null = null
  let closed = false

  async function play(text: string, open: { cancelled: boolean; running: Running | null }): Promise<TurnEnd> {
    const placed = by === 'file' ? await placePrompt(request.launch, text) : null
    if (open.cancelled) {
      await placed?.remove()
      return { kind: 'ended', reason: 'cancelled', text: '', toolCalls: 0 }
    }
    const running = launch(placed?.launch ?? request.launch, {
      registry,
      onStderr: () => tell({ kind: 'other', about: 'stderr' }),
    })
    open.running = running
    let said = ''
    running.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-LONGEST_TEXT)
      tell({ kind: 'text', text: chunk })
    })
    running.stdin.on('error', () => {})
    running.stdin.end(by === 'stdin' ? text : '')
    const exit = await running.exited
    // Ends what it left behind, which would hold its output open; what it printed itself is read by then.
    await running.stop(graceMs)
    await running.closed
    await placed?.remove()
    const end = { text: said.trim(), toolCalls: 0 }
    if (open.cancelled) return { kind: 'ended', reason: 'cancelled', ...end }
    return endOf(exit, { ...end, stderr: running.stderrTail().trim(), program: request.launch.argv[0] ?? '' })
  }
  const tell: OpenRequest['onUpdate'] = (update) => {
    if (!closed) request.onUpdate(update)
  }
  async function cancel(): Promise<void> {
    const open = turn
    if (open === null) return
    open.cancelled = true
    await open.running?.stop(graceMs)
    await open.ended
  }

  return {
    id: null,
    agent: { name: basename(request.launch.argv[0] ?? ''), version: '' },
    resumed: false,
    forgets: true,
    isOpen: () => !closed,
    prompt: async (text) => {
      if (turn !== null) throw new Error('A prompt is already open in this session.')
      if (closed) return { kind: 'crashed', detail: 'The session is closed.' }
      const open: { cancelled: boolean; running: Running | null } = { cancelled: false, running: null }
      const ended = play(text, open)
      turn = Object.assign(open, { ended })
      return ended.finally(() => {
        turn = null
      })
    },
    cancel,
    close: async () => {
      await cancel()
      closed = true
    },
  }
}

const LONGEST_TEXT = 256 * 1024

function endOf(
  { code, signal, error, overLimit }: Exit,
  said: {
    readonly text: string
    readonly toolCalls: number
    readonly stderr: string
    readonly program: string
  },
): TurnEnd {
  const { text, toolCalls, stderr, program } = said
  const limited = [text, ...(code === 0 ? [] : [stderr, lastLines(stderr)])].find(
    (told) => readUsageLimit(told, Date.now()) !== null,
  )
  if (limited !== undefined)
    return { kind: 'limited', detail: limited, until: readUsageLimit(limited, Date.now())?.until ?? null }
  if (code === 0) return { kind: 'ended', reason: 'end_turn', text, toolCalls }
  if (overLimit !== null) return { kind: 'crashed', detail: `${program} was ended. ${overLimit}` }
  const manner = error ?? (signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`)
  return { kind: 'crashed', detail: `${program} ${manner}${stderr === '' ? '.' : `: ${stderr}`}` }
}

/** A program's last words, without the log before them. */
const lastLines = (text: string): string => text.split('\n').slice(-1).join('\n')
