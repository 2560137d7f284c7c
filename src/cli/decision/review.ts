/** `decision review`: one decision in full, then whoever sits here is asked about it, line by line. */
import { createInterface } from 'node:readline/promises'
import type { ListedDecision, PersonAnswer } from '../../host/inbox/decisions.ts'
import type { Operations, Trouble } from '../../host/operations.ts'
import { actorText } from '../../model/answer.ts'
import { type DecisionRecord, isPending } from '../../model/decision-record.ts'
import { complain } from '../complaint.ts'
import { EXIT } from '../exit.ts'
import { harmless, visible } from '../terminal.ts'
import { answeredText } from './answer.ts'
import { fieldsNeeded, fieldValues } from './field-values.ts'
import { type AtDoor, findDecision } from './find.ts'
import { recordText } from './record-text.ts'

export interface ReviewSeat extends AtDoor {
  /** Null where nobody sits: it is only shown. */
  readonly person: {
    readonly input: NodeJS.ReadableStream
    readonly output: NodeJS.WritableStream
    readonly signal: AbortSignal
  } | null
  readonly columns: number
  readonly now: () => number
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

async function mostUrgent({ decisions }: Operations): Promise<ListedDecision | Trouble | null> {
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
    const answer = await ask(record, seat, AbortSignal.any([person.signal, elsewhere.signal]))
    if (answer === null) {
      if (!elsewhere.signal.aborted) return EXIT.interrupted
      terminal.write(`\n${overText(elsewhere.signal.reason as DecisionRecord | { problem: string })}`)
      return EXIT.ok
    }
    const done = await operations.decisions.answer(record.id, answer)
    if ('problem' in done) return complain(terminal, done.problem, EXIT.failed)
    terminal.write(`${record.id}: ${answeredText(answer, done.answered.length)}`)
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

/** Null when the person went away, or it needs no answer any more. */
async function ask(record: DecisionRecord, seat: Seated, signal: AbortSignal): Promise<PersonAnswer | null> {
  const { terminal, person } = seat
  const { shown, digest } = record
  const reader = createInterface({ input: person.input, output: person.output })
  // Ctrl-C and Ctrl-D close the reader, and a question to a closed one is never answered.
  const gone = new AbortController()
  reader.once('close', () => gone.abort())
  const over = { signal: AbortSignal.any([signal, gone.signal]) }
  const say = async (text: string): Promise<string> => (await reader.question(harmless(text), over)).trim()
  try {
    for (;;) {
      const said = await say(terminal.paint('magenta', '\nYour choice (a number, a key, or words): '))
      const option =
        shown.options[Number(said) - 1] ??
        shown.options.find(({ key }) => key === said || key === `@${said}`) ??
        null
      if (option === null) {
        if (said === '' || !(await isSure(say, `Answer only with these words: "${visible(said)}"?`))) continue
        return { pick: '', note: said, fields: {}, edited: null, digest, together: false }
      }
      const texts: Record<string, string> = {}
      for (const { name, say: about } of fieldsNeeded(shown, option.key))
        texts[name] = await say(`${name}${about === '' ? '' : ` (${about})`}: `)
      const note = await say(terminal.paint('dim', 'Note (Enter for none): '))
      if (!option.reversible && !(await isSure(say, `"${option.key}" cannot be undone. Sure?`))) continue
      const fields = fieldValues(shown.fields, texts)
      return { pick: option.key, note, fields, edited: null, digest, together: false }
    }
  } catch {
    return null
  } finally {
    reader.close()
  }
}

const isSure = async (say: (text: string) => Promise<string>, text: string): Promise<boolean> =>
  /^y(?:es)?$/i.test(await say(`${text} (y/n) `))
