/** `decision answer`: one of the options, or words. Whoever comes too late hears who was first. */
import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { PersonAnswer } from '../../host/inbox/decisions.ts'
import type { DecisionRecord, Shown } from '../../model/decision-record.ts'
import { fieldValues } from '../../model/field-values.ts'
import { EXIT, exitOf } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { type AtDoor, findDecision } from './find.ts'
import { parseHold, takeBackText } from './hold.ts'
import { pairsOf } from './payload.ts'

export interface AnswerOptions {
  readonly question?: string
  readonly note?: string
  readonly field?: readonly string[]
  readonly handoff?: string
  readonly edit?: string
  readonly together?: boolean
  readonly seen?: string
  readonly hold?: string
  readonly json?: boolean
}

export async function answerDecision(
  prefix: string,
  choice: string | undefined,
  {
    options,
    terminal,
    operations,
    isAlone,
    usualHoldMs,
  }: AtDoor & { readonly options: AnswerOptions; readonly isAlone: boolean; readonly usualHoldMs: number },
): Promise<number> {
  // Where nobody hosts, nothing comes of it before somebody does.
  const holdMs = options.hold === undefined ? (isAlone ? 0 : usualHoldMs) : parseHold(options.hold)
  if (typeof holdMs === 'object') return complain(terminal, holdMs.problem, EXIT.usage)
  const found = await findDecision(operations, prefix, options.question)
  if ('problem' in found) return complain(terminal, found.problem, found.exit)
  const record = await operations.decisions.show(found.id)
  if ('problem' in record) return complain(terminal, record.problem, exitOf(record))
  const handoff = options.handoff === undefined ? {} : await handoffIn(options.handoff)
  if ('problem' in handoff) return complain(terminal, handoff.problem, EXIT.usage)
  const answer = answerOf(record, choice, { ...options, ...handoff })
  if ('problem' in answer) return complain(terminal, answer.problem, EXIT.usage)
  const done = await operations.decisions.answer(found.id, { ...answer, holdMs })
  if ('problem' in done) return complain(terminal, done.problem, exitOf(done))
  if (options.json === true) terminal.write(JSON.stringify(done, null, 2))
  else {
    terminal.write(`${prefix}: ${answeredText(answer, done.answered.length)}`)
    for (const { id, problem } of done.refused) terminal.write(`  ${id} was not answered: ${problem}`)
    const stands = isAlone && record.run !== null && (await isGoingOn(operations, record.run))
    if (stands) terminal.write('No host is running: the run goes on with signalbox up, or signalbox attach.')
    if (done.undoableUntil !== null) terminal.write(terminal.paint('dim', takeBackText(found.id, holdMs)))
    else if (isAlone)
      terminal.write(
        terminal.paint(
          'dim',
          `To take it back${stands ? ' before that' : ''}: signalbox decision undo ${found.id}`,
        ),
      )
  }
  return done.refused.length > 0 ? EXIT.failed : EXIT.ok
}

async function isGoingOn(operations: AtDoor['operations'], run: string): Promise<boolean> {
  const detail = await operations.show(run)
  return !('problem' in detail) && detail.row.status !== 'ended'
}

function answerOf(
  { shown, status }: DecisionRecord,
  choice: string | undefined,
  { note = '', field = [], edit, together, seen, values }: Omit<AnswerOptions, 'handoff'> & HandoffValues,
): PersonAnswer | { readonly problem: string } {
  const keys = shown.options.map(({ key }) => key)
  const pick = keyOf(choice ?? '', keys)
  // What is not open any more is refused by the host, which says who was first.
  if (status === 'open' && pick !== '' && !keys.includes(pick))
    return { problem: notOffered(choice ?? '', shown) }
  if (pick === '' && note.trim() === '')
    return { problem: `Say which option (${keys.map(typedKey).join(', ')}), or something with --note.` }
  if (pick === '' && edit !== undefined)
    return { problem: '--edit changes what an option means: say which option.' }
  const fields = pairsOf(field, '--field takes NAME=TEXT')
  if ('problem' in fields) return fields
  return {
    pick,
    note,
    fields: {
      ...fieldValues(shown.fields, Object.fromEntries(fields.pairs)),
      ...(values === undefined ? {} : { handoff: values }),
    },
    edited: edit ?? null,
    digest: seen ?? null,
    together: together === true,
  }
}

interface HandoffValues {
  readonly values?: Readonly<Record<string, unknown>>
}

/** As JSON, from a file or from standard input. */
async function handoffIn(name: string): Promise<HandoffValues | { readonly problem: string }> {
  const text = await (name === '-' ? textOf(process.stdin) : readFile(name, 'utf8')).catch(
    (error: NodeJS.ErrnoException) => ({ problem: `${name} cannot be read (${error.code}).` }),
  )
  if (typeof text !== 'string') return text
  try {
    const values: unknown = JSON.parse(text)
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return { values: values as Readonly<Record<string, unknown>> }
  } catch {
    // Told below, with what would be right.
  }
  return { problem: `${name === '-' ? 'Standard input' : name} is not a JSON object: {"FIELD": "…"}.` }
}

export const notOffered = (typed: string, { options }: Shown): string =>
  `"${typed}" is not offered. Choose one of: ${options.map(({ key }) => typedKey(key)).join(', ')}.`

/** `retry` and `stop` may be typed without their sign, unless an option is called so. */
const keyOf = (typed: string, keys: readonly string[]): string =>
  keys.includes(typed) ? typed : (keys.find((key) => key === `@${typed}`) ?? typed)

const typedKey = (key: string): string => key.replace(/^@/, '')

export const answeredText = ({ pick }: Pick<PersonAnswer, 'pick'>, count: number): string =>
  `answered ${pick === '' ? 'in words' : `with ${typedKey(pick)}`}${count > 1 ? `, ${count} together` : ''}`
