/**
 * The delivery ledger: the answer to an agent's decision is followed until the agent acted on it. Delivered: it was
 * given to the agent. Acknowledged: the agent gave a sign of life after that. Acted: it did something, a tool call or an
 * answer. Each stage is told once, in this order.
 */
import type { Update } from '../../drivers/index.ts'
import { nextQuestion, type RunState, seatName } from '../../engine/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Fact } from '../../model/fact.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Seat } from './seat.ts'

export interface Following {
  readonly question: string
  readonly stage: 'delivered' | 'acknowledged'
}

export interface Heard {
  readonly following: Following | null
  readonly facts: readonly Fact[]
}

/** From where its record stands: what was acted on before a crash, and is given again after it, is not told twice. */
export function followed(record: Pick<DecisionRecord, 'question' | 'status'> | undefined): Following | null {
  if (record?.status !== 'delivered' && record?.status !== 'acknowledged') return null
  return { question: record.question, stage: record.status }
}

/** What a seat's agent has yet to act on, by the record: also where the host that gave it the answer is gone. */
export function followedAt({ state, book }: LoadedRun, address: Seat): Following | null {
  const question = latestAnswered(state, address)
  return question === null ? null : followed(book.records[question])
}

/** What an update of the agent's turn says about the answer it was given. */
export function hear(following: Following, update: Update, at: number): Heard {
  const { question, stage } = following
  const facts: Fact[] = stage === 'delivered' ? [{ type: 'decision.acknowledged', at, question }] : []
  // A tool call that is only announced may still be refused, and waiting for the answer is not acting on it.
  if (update.kind !== 'tool' || update.status === 'pending' || OWN_TOOLS.test(update.title))
    return { following: { question, stage: 'acknowledged' }, facts }
  return { following: null, facts: [...facts, { type: 'decision.acted', at, question, did: update.title }] }
}

const OWN_TOOLS = /wait[_ ]decision/

/** The turn ended with an answer of its own: that is acting, too. */
export function answeredAfter({ question, stage }: Following, at: number): readonly Fact[] {
  const facts: Fact[] = stage === 'delivered' ? [{ type: 'decision.acknowledged', at, question }] : []
  return [...facts, { type: 'decision.acted', at, question, did: 'answered its step' }]
}

/** The latest question of a seat, if nobody answered it in time. */
export function latestLapsed({ state, book }: LoadedRun, { step, visit, member }: Seat): string | null {
  const { current } = state
  const raised = current?.step === step && current.number === visit ? current.members[member]?.raised : 0
  const question = nextQuestion(seatName(step, visit, member), (raised ?? 0) - 1)
  return book.records[question]?.status === 'expired' ? question : null
}

/** The latest of a seat's own questions that was answered; null where none was. */
export function latestAnswered(state: RunState, { step, visit, member }: Seat): string | null {
  const prefix = `${step}#${visit}.${member}?`
  for (let answered = state.answered; answered !== null; answered = answered.before)
    if (answered.question.startsWith(prefix)) return answered.question
  return null
}

/** The same, in the turn it is in: null where its step is asked anew. */
export function decidedTo(state: RunState | undefined, seat: Seat): string | null {
  const member = state?.current?.members[seat.member]
  return state === undefined || member === undefined || member.turn === 1 ? null : latestAnswered(state, seat)
}

/** What a person decided has not reached it: whatever it answered before that, it hears them first. */
export function isUnheard({ state, book }: LoadedRun, seat: Seat): boolean {
  const question = latestAnswered(state, seat)
  return question !== null && book.records[question]?.status === 'answered'
}
