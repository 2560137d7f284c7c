/** What the holder of a session's token may do: speak for its own session, and for nothing else. */
import { type AnswerSchema, answerSchema, decide } from '../engine/index.ts'
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import { stepOf } from '../model/program.ts'
import { answerPlaces, storeAnswer } from './answers.ts'
import { ledgerStep, type Tools } from './duty/duty.ts'
import { deliver, latestAnswered } from './ledger.ts'
import { withoutMissingFiles } from './named-files.ts'
import type { LoadedRun } from './runs.ts'
import { addressOf, type Seat } from './seat.ts'

export interface AgentDoor {
  knows(token: string): boolean
  toolsListed(token: string): void
  /** What the step asks; null for a session that is not at work any more. */
  asks(token: string): Promise<AnswerSchema | null>
  /** The kinds of decision it may raise, with when each is meant. */
  kinds(
    token: string,
  ): Promise<
    readonly { readonly name: string; readonly hint: string; readonly requires: readonly string[] }[]
  >
  /** Judged at once, taken when the turn ends. */
  report(
    token: string,
    answer: unknown,
  ): Promise<{ readonly accepted: string } | { readonly rejected: string }>
  /** A decision for a person, raised by the agent itself. */
  raise(token: string, payload: unknown): Promise<{ readonly raised: string } | { readonly rejected: string }>
  /** The answer to a decision of its own, if it comes within the time; null: not yet. */
  wait(
    token: string,
    question: string,
    waitMs: number,
  ): Promise<{ readonly answered: string } | { readonly rejected: string } | null>
}

const GONE = 'This session is not at work any more.'
/** Tool calls are cut off after a minute in some agents. */
const LONGEST_WAIT_MS = 45_000

export function createAgentDoor(tools: Tools): AgentDoor {
  const { seats, runs, clock } = tools
  const atWork = async (token: string): Promise<{ seat: Seat; loaded: LoadedRun } | null> => {
    const seat = seats.byToken(token)
    const loaded = seat === undefined ? null : await runs.load(seat.run)
    return seat === undefined || loaded === null ? null : { seat, loaded }
  }
  return {
    knows: (token) => seats.byToken(token) !== undefined,
    toolsListed: (token) => {
      const seat = seats.byToken(token)
      if (seat === undefined) return
      seat.listed = true
      seat.onListed?.()
    },
    asks: async (token) => {
      const found = await atWork(token)
      return found === null ? null : answerSchema(stepOf(found.loaded.program, found.seat.step).contract)
    },
    kinds: async (token) => {
      const found = await atWork(token)
      return Object.entries(found?.loaded.program.templates ?? {}).map(
        ([name, { hint, requiredContext }]) => ({
          name,
          hint,
          requires: requiredContext,
        }),
      )
    },
    report: async (token, answer) => {
      const found = await atWork(token)
      return found === null ? { rejected: GONE } : report(tools, found, answer)
    },
    raise: async (token, payload) => {
      const found = await atWork(token)
      if (found === null) return { rejected: GONE }
      const { seat } = found
      const at = clock.now()
      const told = await runs.tell(seat.run, [{ type: 'attempt.ask', at, ...addressOf(seat), payload }])
      if ('refusal' in told) return { rejected: told.refusal.message }
      const opened =
        'events' in told ? told.events.find((event) => event.type === 'question.opened') : undefined
      return opened === undefined ? { rejected: GONE } : { raised: opened.question }
    },
    wait: async (token, question, waitMs) => {
      const found = await atWork(token)
      if (found === null) return { rejected: GONE }
      return waitFor(tools, found, { question, waitMs: Math.min(Math.max(0, waitMs), LONGEST_WAIT_MS) })
    },
  }
}

async function report(
  { runs: _, clock, surroundings }: Tools,
  { seat, loaded }: { readonly seat: Seat; readonly loaded: LoadedRun },
  answer: unknown,
): ReturnType<AgentDoor['report']> {
  const { contract } = stepOf(loaded.program, seat.step)
  const { worktree } = loaded.placed.placement
  const { given, remarks } = withoutMissingFiles({ kind: 'value', value: answer }, { contract, worktree })
  const command: RunCommand = { type: 'attempt.answer', at: clock.now(), ...addressOf(seat), given }
  const decided = decide(loaded.program, loaded.state, command)
  const wrong = 'refusal' in decided ? decided.refusal.message : whyRefused(decided.events)
  if (wrong !== null) return { rejected: [wrong, ...remarks].join('\n\n') }
  await storeAnswer(answerPlaces(surroundings.home, loaded, seat), answer)
  return { accepted: ['Your answer is taken. End your turn now.', ...remarks].join('\n\n') }
}

/** Also where no nudge is left: it would be a fault, and can still be mended. */
function whyRefused(events: readonly RunEvent[]): string | null {
  for (const event of events) {
    if (event.type === 'answer.refused') return event.message
    if (event.type === 'member.faulted' && event.fault === 'invalid') return event.detail
  }
  return null
}

/** An answer that came before the wait is as good as one that comes during it. */
async function waitFor(
  tools: Tools,
  { seat }: { readonly seat: Seat },
  { question, waitMs }: { readonly question: string; readonly waitMs: number },
): ReturnType<AgentDoor['wait']> {
  const { runs, journal, clock } = tools
  const look = async (): Promise<{ answered: string } | { rejected: string } | null> => {
    const state = (await runs.load(seat.run))?.state
    const current = state?.current
    const member =
      current?.step === seat.step && current.number === seat.visit ? current.members[seat.member] : undefined
    if (state === undefined || member === undefined) return { rejected: GONE }
    if (member.question?.id === question) return null
    if (latestAnswered(state, seat) !== question)
      return { rejected: `You have no open decision ${question}.` }
    if (!seat.heard.has(question)) {
      seat.heard.add(question)
      const session = seat.session?.id ?? null
      ledgerStep(tools, seat, deliver(question, { at: clock.now(), session, via: 'wait' }))
    }
    return { answered: member.message }
  }
  const now = await look()
  if (now !== null || waitMs === 0) return now
  await new Promise<void>((resolve) => {
    const stop = journal.follow((events) => {
      const closed = events.some(
        ({ data }) =>
          ((data as RunEvent).type === 'question.answered' ||
            (data as RunEvent).type === 'question.closed') &&
          (data as { question: string }).question === question,
      )
      if (closed) done()
    })
    const callOff = clock.alarm(clock.now() + waitMs, () => done())
    const done = (): void => {
      stop()
      callOff()
      resolve()
    }
  })
  return look()
}
