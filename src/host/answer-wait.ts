/** An agent of a run that waits in its turn for the answer to its own decision, for a bounded time. */
import { envelopeText } from '../engine/index.ts'
import type { DecisionRecord } from '../model/decision-record.ts'
import type { RunEvent } from '../model/event.ts'
import type { RefusalCode } from '../model/refusal.ts'
import type { Tools } from './duty/duty.ts'
import { followed, latestAnswered } from './ledger.ts'
import type { Seat } from './seat.ts'
import { waitFor } from './waiting.ts'

type Waited = { readonly answered: string } | { readonly rejected: string; readonly code: RefusalCode } | null

export const waitForAnswer = (
  tools: Tools,
  seat: Seat,
  {
    question,
    waitMs,
    signal,
  }: { readonly question: string; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Waited> =>
  waitFor(tools, {
    look: () => answerNow(tools, seat, question),
    concerns: ({ data }) => isAbout(data as RunEvent, question),
    waitMs,
    signal,
  })

const isAbout = (event: RunEvent, question: string): boolean =>
  (event.type === 'question.answered' || event.type === 'question.closed') && event.question === question

async function answerNow({ runs, clock }: Tools, seat: Seat, question: string): Promise<Waited> {
  const loaded = await runs.load(seat.run)
  const current = loaded?.state.current
  const member =
    current?.step === seat.step && current.number === seat.visit ? current.members[seat.member] : undefined
  if (loaded === null || member === undefined)
    return { rejected: 'This session is not at work any more.', code: 'stale' }
  if (member.question?.id === question) return null
  if (latestAnswered(loaded.state, seat) !== question) {
    const known = loaded.book.records[question]
    if (known?.status === 'expired') seat.heard.add(question)
    const why = known === undefined ? `You have no decision ${question}.` : `${question} is ${known.status}.`
    return { rejected: `${why} There is no answer to wait for.`, code: 'unknown-question' }
  }
  if (seat.heard.has(question)) return envelopeOf(loaded.book.records[question])
  const session = seat.session?.id ?? null
  const told = await runs.tell(seat.run, [
    { type: 'question.deliver', at: clock.now(), question, session, via: 'wait' },
  ])
  // Taken back at this very moment.
  if (!('loaded' in told)) return null
  const record = told.loaded.book.records[question]
  seat.heard.add(question)
  seat.following = followed(record)
  return envelopeOf(record)
}

/** By the record: what its member is told may be about something else by now. */
function envelopeOf(record: DecisionRecord | undefined): Waited {
  if (record === undefined || record.by === null) return null
  const { question, shown: decision, pick, note, edited, by } = record
  return { answered: envelopeText({ question, decision, pick, note, edited, by }) }
}
