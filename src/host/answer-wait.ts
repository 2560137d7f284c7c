/** An agent of a run that waits in its turn for the answer to its own decision, for a bounded time. */
import { envelopeText } from '../engine/index.ts'
import type { DecisionRecord } from '../model/decision-record.ts'
import type { RunEvent } from '../model/event.ts'
import type { RefusalCode } from '../model/refusal.ts'
import type { Tools } from './duty/duty.ts'
import { followed, latestAnswered } from './ledger.ts'
import type { Seat } from './seat.ts'

/** Tool calls are cut off after a minute in some agents. */
export const LONGEST_WAIT_MS = 45_000

type Waited = { readonly answered: string } | { readonly rejected: string; readonly code: RefusalCode } | null

/** An answer that came before the wait is as good as one that comes during it. */
export async function waitForAnswer(
  tools: Tools,
  seat: Seat,
  {
    question,
    waitMs,
    signal,
  }: { readonly question: string; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Waited> {
  const { journal, clock } = tools
  // To look is to fetch: whoever has hung up must not be taken for one who knows.
  const look = async (): Promise<Waited> => (signal.aborted ? null : answerNow(tools, seat, question))
  if (waitMs === 0) return look()
  let happened = (): void => {}
  const stop = journal.follow((events) => {
    if (events.some(({ data }) => isAbout(data as RunEvent, question))) happened()
  })
  let isOver = false
  const end = (): void => {
    isOver = true
    happened()
  }
  const callOff = clock.alarm(clock.now() + waitMs, end)
  signal.addEventListener('abort', end, { once: true })
  const untilFound = async (): Promise<Waited> => {
    for (;;) {
      // Before it is looked at, so that nothing falls between.
      const next = new Promise<void>((resolve) => {
        happened = resolve
      })
      const isLast = isOver
      const found = await look()
      if (found !== null || isLast) return found
      await next
    }
  }
  return untilFound().finally(() => {
    stop()
    callOff()
    signal.removeEventListener('abort', end)
  })
}

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
