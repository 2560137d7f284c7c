/** What the holder of a session's token may do: speak for its own session, and for nothing else. */
import {
  type AnswerSchema,
  answerSchema,
  exampleAnswer,
  type HandoffForm,
  handoffForm,
} from '../../engine/index.ts'
import { stepOf } from '../../model/program.ts'
import type { Proof } from '../../model/proof.ts'
import type { RefusalCode } from '../../model/refusal.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Edges } from './edges.ts'
import { type OwnRun, ownRun } from './own-run.ts'
import { raiseDecision } from './raise.ts'
import { report, reportHandoff } from './report.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import { type WaitingCall, waitForAnswer } from './wait.ts'

export type { WaitingCall }

export interface AgentDoor {
  knows(token: string): boolean
  /** The agent has reached the server, whatever it wants. */
  greeted(token: string): void
  toolsListed(token: string): void
  /** What the step asks; null for a session that is not at work any more. */
  asks(token: string): Promise<AskedOfAgent | null>
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
  raise(token: string, asking: RaisedCall): Promise<{ readonly raised: string } | Rejected>
  /** The answer to a decision of its own, if it comes within the time; null: not yet. */
  wait(token: string, waiting: WaitingCall): Promise<{ readonly answered: string } | Rejected | null>
  /** Its own run; null for a session that is not at work any more. */
  readRun(token: string): Promise<OwnRun | null>
}

export interface AskedOfAgent {
  readonly schema: AnswerSchema
  readonly example: Readonly<Record<string, unknown>>
  readonly handoff: HandoffForm | null
}

export interface RaisedCall {
  readonly payload: unknown
  readonly door: Proof['door']
  /** The call exactly as it was received. */
  readonly call: string
}

export interface Rejected {
  readonly rejected: string
  readonly code: RefusalCode
}

const GONE: Rejected = { rejected: 'This session is not at work any more.', code: 'stale' }

interface AtWork {
  readonly session: Session
  readonly loaded: LoadedRun
}

function afterAsking({ session: { seat }, loaded }: AtWork): 'go_on' | 'stop' {
  const step = stepOf(loaded.program, seat.step)
  return 'members' in step && step.members[seat.member]?.afterAsking === 'stop' ? 'stop' : 'go_on'
}

export function createAgentDoor(edges: Edges, sessions: Sessions): AgentDoor {
  const atWork = async (token: string): Promise<AtWork | null> => {
    const session = sessions.byToken(token)
    const loaded = session === undefined ? null : await edges.runs.load(session.seat.run)
    return session === undefined || loaded === null ? null : { session, loaded }
  }
  return {
    knows: (token) => sessions.byToken(token) !== undefined,
    greeted: (token) => {
      const session = sessions.byToken(token)
      if (session?.now().tools === 'unseen') session.take({ kind: 'tools', seen: 'greeted' })
    },
    toolsListed: (token) => {
      sessions.byToken(token)?.take({ kind: 'tools', seen: 'listed' })
    },
    asks: async (token) => {
      const found = await atWork(token)
      if (found === null) return null
      const { contract } = stepOf(found.loaded.program, found.session.seat.step)
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
      return found === null ? GONE : report(edges, found, answer)
    },
    handOff: async (token, values) => {
      const found = await atWork(token)
      return found === null ? GONE : reportHandoff(edges, found, values)
    },
    raise: async (token, asking) => {
      const found = await atWork(token)
      if (found === null) return GONE
      const { session } = found
      const raising = { run: session.seat.run, address: session.address(), ...asking }
      const raised = await raiseDecision(edges, raising)
      if ('lost' in raised) throw new Error('a command without a claim lost one')
      if ('raised' in raised)
        session.take({ kind: 'raised', question: raised.raised, then: afterAsking(found) })
      return raised
    },
    wait: async (token, waiting) => {
      const found = await atWork(token)
      return found === null ? GONE : waitForAnswer(edges, found.session, waiting)
    },
    readRun: async (token) => {
      const found = await atWork(token)
      return found === null
        ? null
        : ownRun(found.loaded, { ...found.session.seat, agent: found.session.agent })
    },
  }
}
