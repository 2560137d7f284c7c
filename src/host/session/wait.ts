/** An agent of a run that waits in its turn for the answer to its own decision, for a bounded time. */
import { envelopeText } from '../../engine/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { RunEvent } from '../../model/event.ts'
import type { RefusalCode } from '../../model/refusal.ts'
import { waitFor } from '../streams/waiting.ts'
import type { Edges } from './edges.ts'
import { latestAnswered } from './ledger.ts'
import type { Session } from './session.ts'

type Waited = { readonly answered: string } | { readonly rejected: string; readonly code: RefusalCode } | null

export interface WaitingCall {
  readonly question: string
  readonly waitMs: number
  /** Fires when nobody listens any more: what comes after that is told another way. */
  readonly signal: AbortSignal
}

export const waitForAnswer = (
  edges: Edges,
  session: Session,
  { question, waitMs, signal }: WaitingCall,
): Promise<Waited> =>
  waitFor(edges, {
    look: () => session.inOrder(() => answerNow(edges, session, question)),
    concerns: ({ data }) => isAbout(data as RunEvent, question),
    waitMs,
    signal,
  })

const isAbout = (event: RunEvent, question: string): boolean =>
  (event.type === 'question.answered' || event.type === 'question.closed') && event.question === question

async function answerNow({ runs }: Edges, session: Session, question: string): Promise<Waited> {
  const { seat } = session
  const loaded = await runs.load(seat.run)
  const current = loaded?.state.current
  const member =
    current?.step === seat.step && current.number === seat.visit ? current.members[seat.member] : undefined
  if (loaded === null || member === undefined)
    return { rejected: 'This session is not at work any more.', code: 'stale' }
  if (member.question?.id === question) return null
  if (latestAnswered(loaded.state, seat) !== question) {
    const known = loaded.book.records[question]
    if (known?.status === 'expired') session.take({ kind: 'lapsed', question })
    const why = known === undefined ? `You have no decision ${question}.` : `${question} is ${known.status}.`
    return { rejected: `${why} There is no answer to wait for.`, code: 'unknown-question' }
  }
  if (session.now().heard.has(question)) return envelopeOf(loaded.book.records[question])
  const delivered = await session.deliver(question, 'wait')
  // Null: it was taken back at this very moment.
  return delivered === null ? null : envelopeOf(delivered.book.records[question])
}

/** By the record: what its member is told may be about something else by now. */
function envelopeOf(record: DecisionRecord | undefined): Waited {
  if (record === undefined || record.by === null) return null
  const { question, shown: decision, pick, note, edited, fields = {}, by } = record
  return { answered: envelopeText({ question, decision, pick, note, edited, fields, by }) }
}
