/** Watching a run until it ends, waits for somebody who is not here, or whoever watches goes away. */
import type { QuestionCard } from '../engine/index.ts'
import type { Operations, StoredEvent } from '../host/operations.ts'
import type { RunEvent } from '../model/event.ts'
import { type Holder, heldBy } from '../model/fact.ts'
import { answerFor, askAtTerminal, questionText, recommendedOf } from './ask.ts'
import { EXIT } from './exit.ts'
import { tailLog } from './log-tail.ts'
import type { Terminal } from './terminal.ts'
import { elapsed, lineOf } from './timeline.ts'

export interface FollowOptions {
  readonly operations: Operations
  readonly run: string
  readonly terminal: Terminal
  /** The run's log, for the line that shows what goes on. */
  readonly log: string
  /** How questions are met: at this terminal, by what is recommended, or not here. */
  readonly answers: 'ask' | 'recommended' | 'elsewhere'
  readonly signal: AbortSignal
  readonly cursor: Cursor
  /** By which words the run is reached from a shell, where the plain name does not do. */
  readonly command?: string
}

/** How far the story has been told, for whoever goes on telling it after a lost connection. */
export interface Cursor {
  version: number
  startedAt: number | null
  /** What held the agents so far. */
  held?: Holder | undefined
}

export async function followRun(options: FollowOptions): Promise<number> {
  const { operations, run, terminal, signal, cursor } = options
  const { paint } = terminal
  let ended: RunEvent | null = null
  let wake = (): void => {}
  let asking: { readonly question: string; readonly abort: AbortController } | null = null

  const show = ({ version: number, data }: StoredEvent): void => {
    if (number <= cursor.version) return
    cursor.version = number
    const event = data as RunEvent
    cursor.startedAt ??= event.at
    if (event.type === 'session.opened') cursor.held = heldBy(cursor.held, event.confined)
    const line = lineOf(event, cursor.startedAt, paint)
    if (line !== null) {
      terminal.clearProgress()
      terminal.write(line)
    }
    if (event.type === 'run.ended') ended = event
    // Answered anywhere, closed everywhere.
    if (event.type === 'question.answered' || event.type === 'question.closed')
      if (asking?.question === event.question) asking.abort.abort()
  }
  const stopFollowing = operations.follow((event) => {
    if (event !== null && event.stream !== `run/${run}`) return
    // Anything but the next one is read from the journal, below.
    if (event?.version === cursor.version + 1) show(event)
    wake()
  })
  const spinner = startSpinner(options)
  const gone = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      for (const event of await operations.events(run, cursor.version)) show(event)
      if (ended !== null) return endOf(ended)
      if (signal.aborted) return EXIT.interrupted
      const waiting = await openQuestion(operations, run)
      if (waiting !== null) {
        spinner.pause()
        asking = { question: waiting.id, abort: new AbortController() }
        const code = await meet(options, waiting, AbortSignal.any([signal, asking.abort.signal]))
        asking = null
        if (code !== null) return code
        spinner.resume()
        continue
      }
      await Promise.race([woken, gone])
      // Its host may be gone by now.
      if (ended !== null) return endOf(ended)
    }
  } finally {
    stopFollowing()
    spinner.stop()
    terminal.clearProgress()
  }
}

const endOf = (event: RunEvent): number =>
  event.type === 'run.ended' && event.success ? EXIT.ok : EXIT.failed

async function openQuestion(operations: Operations, run: string): Promise<QuestionCard | null> {
  const detail = await operations.show(run)
  return 'problem' in detail ? null : (detail.questions[0] ?? null)
}

/** Null: the run goes on, or asks again. The signal tells that the question needs no answer from here any more. */
async function meet(options: FollowOptions, card: QuestionCard, signal: AbortSignal): Promise<number | null> {
  const { operations, run, terminal, answers, command = 'signalbox' } = options
  if (answers === 'elsewhere' && (await abortedWithin(signal, POLICY_MS))) return null
  terminal.clearProgress()
  terminal.write(questionText(card, terminal, options.cursor.held))
  if (answers === 'elsewhere') {
    const { paint } = terminal
    terminal.write(
      `\n  Waiting for a person. To answer: ${paint('bold', `${command} decision answer ${run} CHOICE`)}`,
    )
    return EXIT.waiting
  }
  const answer =
    answers === 'recommended'
      ? answerFor(card, recommendedOf(card) ?? '(nothing is recommended)', { note: '', fields: {} })
      : await askAtTerminal(card, { terminal, signal, input: process.stdin, output: process.stdout })
  if (answer === null) return signal.aborted && !options.signal.aborted ? null : EXIT.interrupted
  if ('problem' in answer) {
    terminal.write(`  ${answer.problem}`)
    return EXIT.waiting
  }
  const done = await operations.act(run, answer)
  if (!('problem' in done)) return null
  terminal.write(`  ${terminal.paint('red', done.problem)}`)
  return answers === 'recommended' ? EXIT.waiting : null
}

/** A policy answers at once or not at all. */
const POLICY_MS = 1000

const abortedWithin = (signal: AbortSignal, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve(signal.aborted)
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over)
    if (signal.aborted) over()
  })

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** One line that says what goes on now; only where somebody looks. */
function startSpinner({ log, terminal, cursor }: FollowOptions): {
  readonly pause: () => void
  readonly resume: () => void
  readonly stop: () => void
} {
  if (process.stderr.isTTY !== true) return { pause: () => {}, resume: () => {}, stop: () => {} }
  let saying = ''
  let frame = 0
  let paused = false
  const tail = tailLog(log, {
    fromEnd: true,
    onLine: ({ who, text }) => {
      const line = text.trim().split('\n').at(-1) ?? ''
      if (line !== '') saying = `${who}: ${line}`
    },
  })
  const timer = setInterval(() => {
    const since = cursor.startedAt
    if (paused || since === null) return
    frame = (frame + 1) % FRAMES.length
    const width = Math.max(20, (process.stderr.columns ?? 80) - 14)
    terminal.progress(
      `${terminal.paint('dim', elapsed(Date.now() - since).padStart(8))}  ${terminal.paint('cyan', FRAMES[frame]!)} ${saying.slice(0, width)}`,
    )
  }, 120)
  return {
    pause: () => {
      paused = true
    },
    resume: () => {
      paused = false
    },
    stop: () => {
      clearInterval(timer)
      tail.stop()
    },
  }
}
