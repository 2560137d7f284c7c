/** Watching a run until it ends, waits for somebody who is not here, or whoever watches goes away. */

import { tailLog } from '../../host/machine/log-tail.ts'
import type { Operations, StoredEvent } from '../../host/operations.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { elapsed } from '../../model/elapsed.ts'
import type { RunEvent } from '../../model/event.ts'
import { openIn } from '../decision/find.ts'
import { takeBackText } from '../decision/hold.ts'
import { askInLines } from '../decision/line-prompt.ts'
import { questionText } from '../decision/question-text.ts'
import { EXIT } from '../exit.ts'
import type { AtTerminal, Terminal } from '../terminal/terminal.ts'
import { lineOf } from './timeline.ts'

export interface FollowOptions {
  readonly operations: Operations
  readonly run: string
  readonly terminal: Terminal
  /** The run's log, for the line that shows what goes on. */
  readonly log: string
  /** How questions are met: by whoever sits here, by what is recommended, in a browser that is open, or not here. */
  readonly answers: AtTerminal | 'recommended' | 'browser' | 'elsewhere'
  readonly signal: AbortSignal
  /** For how long what is answered here can be taken back; left out: not at all. */
  readonly holdMs?: number
  readonly cursor: Cursor
  /** By which words the run is reached from a shell, where the plain name does not do. */
  readonly command?: string
}

/** How far the story has been told, for whoever goes on telling it after a lost connection. */
export interface Cursor {
  version: number
  startedAt: number | null
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
    const line = lineOf(event, cursor.startedAt, paint)
    if (line !== null) {
      terminal.clearProgress()
      terminal.write(line)
    }
    if (event.type === 'run.ended') ended = event
    // Answered anywhere, closed everywhere.
    if (ANSWERED.has(event.type) && 'question' in event)
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
        asking = { question: waiting.question, abort: new AbortController() }
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

const ANSWERED: ReadonlySet<string> = new Set(['answer.held', 'question.answered', 'question.closed'])

const endOf = (event: RunEvent): number =>
  event.type === 'run.ended' && event.success ? EXIT.ok : EXIT.failed

async function openQuestion(operations: Operations, run: string): Promise<DecisionRecord | null> {
  const detail = await operations.show(run)
  // Mostly nothing is asked, and the inbox may be long.
  if ('problem' in detail || detail.questions.length === 0) return null
  const [oldest = null] = await openIn(operations, run)
  return oldest
}

/** Null: the run goes on, or asks again. The signal tells that the question needs no answer from here any more. */
async function meet(
  options: FollowOptions,
  record: DecisionRecord,
  signal: AbortSignal,
): Promise<number | null> {
  const { operations, run, terminal, answers, command = 'signalbox' } = options
  if (answers === 'elsewhere' && (await abortedWithin(signal, POLICY_MS))) return null
  terminal.clearProgress()
  terminal.write(questionText(record, terminal))
  if (answers === 'browser') {
    terminal.write('\n  It waits for you in the browser.')
    await over(signal)
    return options.signal.aborted ? EXIT.interrupted : null
  }
  if (answers === 'elsewhere') {
    const { paint } = terminal
    terminal.write(
      `\n  Waiting for a person. To answer: ${paint('bold', `${command} decision answer ${run} CHOICE`)}`,
    )
    return EXIT.waiting
  }
  const usual = usualOf(record)
  if (answers === 'recommended' && usual === null) {
    terminal.write('  Nothing is recommended here: this is for a person.')
    return EXIT.waiting
  }
  const answer =
    answers === 'recommended'
      ? { pick: usual!, note: '', fields: {}, edited: null, digest: record.digest, together: false }
      : await askInLines(record, { ...answers, terminal, signal, usual })
  if (answer === null) return signal.aborted && !options.signal.aborted ? null : EXIT.interrupted
  const { holdMs = 0 } = options
  const done = await operations.decisions.answer(record.id, { ...answer, holdMs })
  if (!('problem' in done)) {
    if (done.undoableUntil !== null)
      terminal.write(`  ${terminal.paint('dim', takeBackText(record.id, holdMs))}`)
    return null
  }
  terminal.write(`  ${terminal.paint('red', done.problem)}`)
  return answers === 'recommended' ? EXIT.waiting : null
}

/** What is recommended and offered. */
const usualOf = ({ shown: { options, recommended } }: DecisionRecord): string | null =>
  options.find(({ key }) => key === recommended)?.key ?? null

const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

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
    from: 'end',
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
