/** `decision review`: one decision in full, then whoever sits here is asked about it, line by line. */
import type { ListedDecision } from '../../host/inbox/decisions.ts'
import type { Operations, Rejection } from '../../host/operations.ts'
import { actorText } from '../../model/answer.ts'
import { type DecisionRecord, isPending } from '../../model/decision-record.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { AtTerminal } from '../terminal/terminal.ts'
import { answeredText } from './answer.ts'
import { type AtDoor, findDecision } from './find.ts'
import { takeBackText } from './hold.ts'
import { askInLines } from './line-prompt.ts'
import { recordText } from './record-text.ts'

export interface ReviewSeat extends AtDoor {
  /** Null where nobody sits: it is only shown. */
  readonly person: (AtTerminal & { readonly signal: AbortSignal }) | null
  readonly columns: number
  readonly now: () => number
  readonly holdMs: number
}

export async function reviewDecision(prefix: string | undefined, seat: ReviewSeat): Promise<number> {
  const { terminal, operations } = seat
  const found = prefix === undefined ? await mostUrgent(operations) : await findDecision(operations, prefix)
  if (found === null) {
    terminal.write(seat.json === true ? 'null' : 'Nobody waits for you.')
    return EXIT.ok
  }
  if ('problem' in found) return complain(terminal, found.problem, 'exit' in found ? found.exit : EXIT.failed)
  const record = await operations.decisions.show(found.id)
  if ('problem' in record) return complain(terminal, record.problem, EXIT.failed)
  if (seat.json === true) {
    terminal.write(JSON.stringify(record, null, 2))
    return isPending(record) ? EXIT.waiting : EXIT.ok
  }
  const before = record.supersedes === null ? null : await operations.decisions.show(record.supersedes)
  terminal.write(
    recordText(record, {
      before: before === null || 'problem' in before ? null : before,
      look: {
        paint: terminal.paint,
        columns: seat.columns,
        now: seat.now(),
        mostLines: Number.POSITIVE_INFINITY,
      },
    }),
  )
  if (record.status !== 'open') return isPending(record) ? EXIT.waiting : EXIT.ok
  if (seat.person === null) return EXIT.waiting
  return meet(record, { ...seat, person: seat.person })
}

async function mostUrgent({ decisions }: Operations): Promise<ListedDecision | Rejection | null> {
  const page = await decisions.list({ status: 'pending', cursor: null, limit: 1 })
  return 'problem' in page ? page : (page.rows[0] ?? null)
}

type Seated = ReviewSeat & { readonly person: NonNullable<ReviewSeat['person']> }

async function meet(record: DecisionRecord, seat: Seated): Promise<number> {
  const { terminal, operations, person } = seat
  const elsewhere = new AbortController()
  const stop = operations.follow((event) => {
    // The stream of a run has much that is not about this.
    if (event !== null && event.stream !== record.stream) return
    void operations.decisions.show(record.id).then(
      (now) => {
        if ('problem' in now || now.status !== 'open' || now.digest !== record.digest) elsewhere.abort(now)
      },
      () => undefined,
    )
  })
  try {
    const signal = AbortSignal.any([person.signal, elsewhere.signal])
    const answer = await askInLines(record, { ...person, terminal, signal, usual: null })
    if (answer === null) {
      if (!elsewhere.signal.aborted) return EXIT.interrupted
      terminal.write(`\n${overText(elsewhere.signal.reason as DecisionRecord | { problem: string })}`)
      return EXIT.ok
    }
    const { holdMs } = seat
    const done = await operations.decisions.answer(record.id, { ...answer, holdMs })
    if ('problem' in done) return complain(terminal, done.problem, EXIT.failed)
    terminal.write(`${record.id}: ${answeredText(answer, done.answered.length)}`)
    if (done.undoableUntil !== null) terminal.write(terminal.paint('dim', takeBackText(record.id, holdMs)))
    return EXIT.ok
  } finally {
    stop()
  }
}

function overText(record: DecisionRecord | { readonly problem: string }): string {
  if ('problem' in record) return record.problem
  if (record.by !== null)
    return `${actorText(record.by)} has answered it ${record.pick === '' ? 'in words' : `with ${record.pick}`}.`
  return record.status === 'open' ? 'What it shows has changed. Look at it again.' : `It is ${record.status}.`
}
