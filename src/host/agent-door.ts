/** What the holder of a session's token may do: speak for its own session, and for nothing else. */
import {
  type AnswerSchema,
  answerSchema,
  decide,
  exampleAnswer,
  type HandoffForm,
  handoffForm,
  judgeHandoff,
} from '../engine/index.ts'
import type { RunCommand } from '../model/command.ts'
import { asksNothing } from '../model/contract.ts'
import type { RunEvent } from '../model/event.ts'
import { stepOf } from '../model/program.ts'
import type { Proof } from '../model/proof.ts'
import type { RefusalCode } from '../model/refusal.ts'
import { waitForAnswer } from './answer-wait.ts'
import { answerPlaces, storeAnswer, storeHandoff, withHandoff } from './answers.ts'
import type { Tools } from './duty/duty.ts'
import type { LoadedRun } from './loaded-run.ts'
import { withoutMissingFiles } from './named-files.ts'
import { type OwnRun, ownRun } from './own-run.ts'
import { raiseDecision } from './proof.ts'
import { addressOf, type Seat } from './seat.ts'

export interface AgentDoor {
  knows(token: string): boolean
  /** The agent has reached the server, whatever it wants. */
  greeted(token: string): void
  toolsListed(token: string): void
  /** What the step asks; null for a session that is not at work any more. */
  asks(token: string): Promise<Asked | null>
  /** The kinds of decision it may raise, with when each is meant. */
  kinds(
    token: string,
  ): Promise<
    readonly { readonly name: string; readonly hint: string; readonly requires: readonly string[] }[]
  >
  /** Judged at once, taken when the turn ends. */
  report(token: string, answer: unknown): Promise<{ readonly accepted: string } | Rejected>
  /** The step's handoff, ahead of the answer: judged at once, kept until the answer comes. */
  handOff(token: string, values: unknown): Promise<{ readonly accepted: string } | Rejected>
  /** A decision for a person, raised by the agent itself. */
  raise(token: string, asking: Asking): Promise<{ readonly raised: string } | Rejected>
  /** The answer to a decision of its own, if it comes within the time; null: not yet. */
  wait(token: string, waiting: Waiting): Promise<{ readonly answered: string } | Rejected | null>
  /** Its own run; null for a session that is not at work any more. */
  readRun(token: string): Promise<OwnRun | null>
}

export interface Asked {
  readonly schema: AnswerSchema
  readonly example: Readonly<Record<string, unknown>>
  readonly handoff: HandoffForm | null
}

export interface Asking {
  readonly payload: unknown
  readonly door: Proof['door']
  /** The call exactly as it was received. */
  readonly call: string
}

export interface Waiting {
  readonly question: string
  readonly waitMs: number
  /** Fires when nobody listens any more: what comes after that is told another way. */
  readonly signal: AbortSignal
}

export interface Rejected {
  readonly rejected: string
  readonly code: RefusalCode
}

const GONE: Rejected = { rejected: 'This session is not at work any more.', code: 'stale' }

interface AtWork {
  readonly seat: Seat
  readonly loaded: LoadedRun
}

export function createAgentDoor(tools: Tools): AgentDoor {
  const { seats, runs } = tools
  const atWork = async (token: string): Promise<AtWork | null> => {
    const seat = seats.byToken(token)
    const loaded = seat === undefined ? null : await runs.load(seat.run)
    return seat === undefined || loaded === null ? null : { seat, loaded }
  }
  return {
    knows: (token) => seats.byToken(token) !== undefined,
    greeted: (token) => {
      const seat = seats.byToken(token)
      if (seat === undefined || seat.tools !== 'unseen') return
      seat.tools = 'greeted'
      seat.onTools?.()
    },
    toolsListed: (token) => {
      const seat = seats.byToken(token)
      if (seat === undefined) return
      seat.tools = 'listed'
      seat.onTools?.()
    },
    asks: async (token) => {
      const found = await atWork(token)
      if (found === null) return null
      const { contract } = stepOf(found.loaded.program, found.seat.step)
      return {
        schema: answerSchema(contract),
        example: exampleAnswer(contract),
        handoff: contract.handoff === null ? null : handoffForm(contract.handoff),
      }
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
      return found === null ? GONE : report(tools, found, answer)
    },
    handOff: async (token, values) => {
      const found = await atWork(token)
      return found === null ? GONE : handOff(tools, found, values)
    },
    raise: async (token, asking) => {
      const found = await atWork(token)
      if (found === null) return GONE
      const { seat } = found
      const raised = await raiseDecision(tools, { run: seat.run, address: addressOf(seat), ...asking })
      if ('lost' in raised) throw new Error('a command without a claim lost one')
      return raised
    },
    wait: async (token, waiting) => {
      const found = await atWork(token)
      return found === null ? GONE : waitForAnswer(tools, found.seat, waiting)
    },
    readRun: async (token) => {
      const found = await atWork(token)
      return found === null ? null : ownRun(found.loaded, found.seat)
    },
  }
}

async function report(
  { clock, surroundings }: Tools,
  { seat, loaded }: AtWork,
  answer: unknown,
): ReturnType<AgentDoor['report']> {
  const { contract } = stepOf(loaded.program, seat.step)
  const { worktree } = loaded.placed.placement
  const places = answerPlaces(surroundings.home, loaded, seat)
  const whole = await withHandoff(places, answer)
  const { given, remarks } = withoutMissingFiles({ kind: 'value', value: whole }, { contract, worktree })
  const command: RunCommand = { type: 'attempt.answer', at: clock.now(), ...addressOf(seat), given }
  const decided = decide(loaded.program, loaded.state, command)
  if ('refusal' in decided)
    return { rejected: [decided.refusal.message, ...remarks].join('\n\n'), code: decided.refusal.code }
  const wrong = whyRefused(decided.events)
  if (wrong !== null) return { rejected: [wrong, ...remarks].join('\n\n'), code: 'invalid-answer' }
  await storeAnswer(places, whole)
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

async function handOff(
  { surroundings }: Tools,
  { seat, loaded }: AtWork,
  values: unknown,
): ReturnType<AgentDoor['handOff']> {
  const { contract } = stepOf(loaded.program, seat.step)
  const { handoff } = contract
  if (handoff === null)
    return {
      rejected: asksNothing(contract)
        ? `"${seat.step}" has no handoff, and asks nothing but the work: end your turn when it is done.`
        : `"${seat.step}" has no handoff. What it asks is answered with report_outcome; notes stand there too.`,
      code: 'not-offered',
    }
  const { worktree } = loaded.placed.placement
  const fields = { variables: [], rows: [], fields: handoff.fields, handoff: null }
  const { given, remarks } = withoutMissingFiles(
    { kind: 'value', value: values },
    { contract: fields, worktree },
  )
  const judged = judgeHandoff(handoff, given.kind === 'value' ? given.value : values)
  if ('message' in judged)
    return { rejected: [judged.message, ...remarks].join('\n\n'), code: 'invalid-answer' }
  await storeHandoff(answerPlaces(surroundings.home, loaded, seat), judged.values)
  const accepted = `The ${handoff.name} is kept. It goes with your answer, unless that brings another: report_outcome is still to come.`
  return { accepted: [accepted, ...remarks].join('\n\n') }
}
