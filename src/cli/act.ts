/** What a person does to a run: cancel, move, retry, extend, discard, and answering its questions. */
import type { Action, Operations, RunDetail } from '../host/operations.ts'
import { actorText } from '../model/answer.ts'
import type { RunEvent } from '../model/event.ts'
import { answerFor, questionText } from './ask.ts'
import { complain } from './complaint.ts'
import { EXIT } from './exit.ts'
import { type Terminal, table, visible } from './terminal.ts'

interface Setting {
  readonly terminal: Terminal
  readonly operations: Operations
}

export async function act(
  prefix: string,
  { action, said }: { readonly action: Action; readonly said: string },
  { terminal, operations }: Setting,
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const done = await operations.act(found.run, action)
  if ('problem' in done) return complain(terminal, done.problem, EXIT.failed)
  terminal.write(`${found.run} ${said}`)
  return EXIT.ok
}

export async function listDecisions(
  options: { readonly json?: boolean },
  { terminal, operations }: Setting,
): Promise<number> {
  const rows = await operations.questions()
  if (options.json === true) terminal.write(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) terminal.write('Nobody waits for you.')
  else
    terminal.write(
      table(
        [
          { head: 'RUN', paint: (cell) => terminal.paint('bold', cell) },
          { head: 'STEP' },
          { head: 'QUESTION' },
        ],
        rows.map(({ run, step, headline }) => [run, step, visible(headline)]),
        '',
      ),
    )
  return rows.length > 0 ? EXIT.waiting : EXIT.ok
}

export interface AnswerOptions {
  readonly question?: string
  readonly note?: string
  readonly field?: readonly string[]
}

export async function answerDecision(
  prefix: string,
  choice: string,
  { options, terminal, operations }: Setting & { readonly options: AnswerOptions },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const detail = await operations.show(found.run)
  if ('problem' in detail) return complain(terminal, detail.problem, EXIT.failed)
  const card = cardOf(detail, options.question)
  if ('problem' in card) {
    const first = await firstAnswer(operations, found.run, options.question)
    return complain(terminal, [card.problem, ...first].join(' '), EXIT.failed)
  }
  const fields: Record<string, string> = {}
  for (const text of options.field ?? []) {
    const cut = text.indexOf('=')
    if (cut < 1) return complain(terminal, `--field takes NAME=TEXT, not "${text}".`, EXIT.usage)
    fields[text.slice(0, cut)] = text.slice(cut + 1)
  }
  const isOwn = card.choices.some(({ outcome }) => outcome === choice)
  const key = isOwn ? choice : (card.extras.find((extra) => extra === `@${choice}`) ?? choice)
  const answer = answerFor(card, key, { note: options.note ?? '', fields })
  if ('problem' in answer) {
    terminal.write(questionText(card, terminal))
    return complain(terminal, answer.problem, EXIT.usage)
  }
  const done = await operations.act(found.run, answer)
  if ('problem' in done) return complain(terminal, done.problem, EXIT.failed)
  terminal.write(`${found.run}: answered with ${choice}`)
  return EXIT.ok
}

/** Who was first, for whoever comes too late. */
async function firstAnswer(
  operations: Operations,
  run: string,
  question: string | undefined,
): Promise<readonly string[]> {
  const events = (await operations.events(run, 0)).map(({ data }) => data as RunEvent)
  const answered = events.findLast(
    (event) => event.type === 'question.answered' && (question === undefined || event.question === question),
  )
  if (answered?.type !== 'question.answered') return []
  return [`${answered.question} was answered by ${actorText(answered.by)} with ${answered.pick}.`]
}

function cardOf(
  { row, questions }: RunDetail,
  wanted: string | undefined,
): RunDetail['questions'][number] | { readonly problem: string } {
  const [first] = questions
  if (first === undefined) return { problem: `Run ${row.run} asks nothing of you now.` }
  if (wanted === undefined)
    return questions.length === 1
      ? first
      : {
          problem: `Run ${row.run} asks several things. Say which with --question: ${questions.map(({ id }) => id).join(', ')}`,
        }
  return (
    questions.find(({ id }) => id === wanted) ?? { problem: `Run ${row.run} has no open question ${wanted}.` }
  )
}
