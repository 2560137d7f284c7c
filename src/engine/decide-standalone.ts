/** The rules of a decision outside any run: its state and a command in, events or a refusal out. */
import { actorText } from '../model/answer.ts'
import { argvText, whyUnreadable } from '../model/argv.ts'
import { overlong } from '../model/decision.ts'
import type { AnswerDecision } from '../model/decision-command.ts'
import { type DecisionRecord, isPending, type ShownCommand } from '../model/decision-record.ts'
import type { Refusal } from '../model/refusal.ts'
import { readDecision } from './decision.ts'
import type { OpenedDecision } from './decision-book.ts'
import { refuse, whyNotAnswered } from './decision-rules.ts'
import { failedDelivery } from './redelivery.ts'
import {
  evolveStandalone,
  type Resume,
  type StandaloneCommand,
  type StandaloneEvent,
  type StandaloneState,
} from './standalone.ts'
import { shownOf } from './views/shown.ts'

export type StandaloneDecided =
  | { readonly events: readonly StandaloneEvent[]; readonly state: StandaloneState }
  | { readonly refusal: Refusal }

export function decideStandalone(
  state: StandaloneState | null,
  command: StandaloneCommand,
): StandaloneDecided {
  const judged = command.type === 'decision.create' ? create(state, command) : judge(state, command)
  if ('code' in judged) return { refusal: judged }
  const next = judged.reduce<StandaloneState | null>(evolveStandalone, state)
  return { events: judged, state: next! }
}

function create(
  state: StandaloneState | null,
  command: Extract<StandaloneCommand, { type: 'decision.create' }>,
): readonly StandaloneEvent[] | Refusal {
  const { at, id, payload, templates, asker, repo, resume, supersedes, proof } = command
  if (state !== null) return refuse('already-started', `There is a decision ${id} already.`)
  const raised = readDecision({ templates }, payload)
  if ('message' in raised) return refuse('invalid-decision', raised.message)
  const { decision } = raised
  const unreadable = resume === null ? null : whyUnreadable([...resume.argv, resume.cwd])
  if (unreadable !== null)
    return refuse(
      'invalid-decision',
      `The command under \`resume\` ${unreadable}. Put it into a script, and name that.`,
    )
  const opened: OpenedDecision = {
    stream: `decision/${id}`,
    question: id,
    run: null,
    step: null,
    cause: 'outside',
    kind: decision.kind,
    repo,
    runbook: '',
    asker,
    urgency: decision.urgency,
    expiresAt: decision.deadlineMs === null ? null : at + decision.deadlineMs,
    shown: resume === null ? shownOf(decision) : { ...shownOf(decision), runs: [shownResume(resume)] },
  }
  return [{ type: 'decision.created', at, opened, decision, resume, supersedes, proof }]
}

const shownResume = ({ argv, cwd }: Resume): ShownCommand => ({
  command: argvText(argv),
  step: '',
  folder: cwd,
  held: 'none',
})

function judge(
  state: StandaloneState | null,
  command: Exclude<StandaloneCommand, { type: 'decision.create' }>,
): readonly StandaloneEvent[] | Refusal {
  if (state === null) return refuse('unknown-question', 'There is no such decision.')
  const { record } = state
  const { question, status } = record
  const { at } = command
  switch (command.type) {
    case 'decision.answer':
      return answer(state, command)
    case 'decision.undo':
      if (status === 'open')
        return refuse('unknown-question', `No answer to ${record.id} is there to be taken back.`)
      if (record.by === null) return refuse('not-waiting', `${record.id} is ${status}: it has no answer.`)
      // One that is to be given again has been given before.
      if (!isWithUs(record) || record.stages.some((stage) => stage.status === 'delivered'))
        return refuse('too-late', `${record.id} is ${status}: its answer has been given.`)
      return [{ type: 'question.undone', at, question, by: command.by }]
    case 'decision.withdraw': {
      if (!isPending(record)) return over(record)
      const closed = { type: 'question.closed', at, question, reason: 'withdrawn' } as const
      return [command.note === '' ? closed : { ...closed, note: command.note }]
    }
    case 'decision.supersede':
      if (status !== 'open') return over(record)
      return [
        { type: 'question.closed', at, question, reason: 'superseded' },
        { type: 'decision.superseded', at, question, by: command.by },
      ]
    case 'decision.deliver':
      if (status === 'delivered' || status === 'acknowledged' || status === 'acted') return []
      if (record.undoableUntil !== undefined) return refuse('not-waiting', `${record.id} is not given yet.`)
      // Whoever asks for it in person gets it, though it could not be brought.
      if (status !== 'answered' && status !== 'expired' && status !== 'undeliverable')
        return refuse('not-waiting', `${record.id} is ${status}.`)
      return [{ type: 'decision.delivered', at, question, session: null, via: command.via }]
    case 'decision.acknowledge':
      return status === 'delivered' ? [{ type: 'decision.acknowledged', at, question }] : []
    case 'decision.act':
      return acted(record, command)
    case 'decision.fail':
      return failed(record, command)
    case 'decision.retry':
      if (status !== 'undeliverable')
        return refuse('not-waiting', `${record.id} is ${status}; there is nothing to retry.`)
      return [{ type: 'decision.retried', at, question, by: command.by }]
    case 'decision.snooze':
      if (!isPending(record)) return over(record)
      return [{ type: 'decision.snoozed', at, question, by: command.by, until: command.until }]
    case 'decision.assign':
      if (!isPending(record)) return over(record)
      return [{ type: 'decision.assigned', at, question, by: command.by, to: command.to }]
    case 'time.pass':
      if (record.undoableUntil !== undefined) return released(record, at)
      if (status !== 'open' || record.expiresAt === null || record.expiresAt > at) return []
      return [{ type: 'question.closed', at: record.expiresAt, question, reason: 'expired' }]
  }
}

/** Answered, and nobody has it yet. */
const isWithUs = ({ status }: DecisionRecord): boolean => status === 'answered' || status === 'undeliverable'

function answer(
  { record, decision }: StandaloneState,
  command: AnswerDecision,
): readonly StandaloneEvent[] | Refusal {
  const { at, by, pick, note, edited, batch } = command
  const { question, status } = record
  if (by.kind === 'agent')
    return refuse('agents-do-not-answer', 'An agent can raise questions and never answer one.')
  if (status !== 'open') return over(record)
  const wrong = whyNotAnswered(record, command)
  if (wrong !== null) return wrong
  const long = overlong({ note, edited })
  if (long !== null) return refuse('invalid-answer', long)
  const keys = decision.options.map(({ key }) => key)
  if (pick === '' && note.trim() === '')
    return refuse('invalid-answer', `An answer picks one of ${keys.join(', ')}, or says something in a note.`)
  const option = decision.options.find(({ key }) => key === pick)
  if (by.kind === 'policy' && option?.reversible !== true)
    return refuse('people-only', `"${pick}" cannot be undone, so no policy may pick it.`)
  const extras = { ...(edited === null ? {} : { edited }), ...(batch === null ? {} : { batch }) }
  const said = { at, question, by, pick, note, ...extras }
  const { holdMs = 0 } = command
  if (holdMs === 0) return [{ type: 'question.answered', ...said }]
  return [{ type: 'answer.held', ...said, until: at + holdMs, extra: null, given: { kind: 'nothing' } }]
}

/** The time to take it back is over: now it counts. */
function released(record: DecisionRecord, at: number): readonly StandaloneEvent[] {
  const { question, by, pick, note, edited, batch, undoableUntil = at } = record
  if (by === null || undoableUntil > at) return []
  const extras = { ...(edited === null ? {} : { edited }), ...(batch === null ? {} : { batch }) }
  return [{ type: 'question.answered', at, question, by, pick, note, ...extras }]
}

function acted(
  { question, status, id }: DecisionRecord,
  { at, did }: { readonly at: number; readonly did: string },
): readonly StandaloneEvent[] | Refusal {
  if (status === 'acted') return []
  if (status !== 'delivered' && status !== 'acknowledged' && status !== 'expired')
    return refuse('not-waiting', `${id} is ${status}: nobody has got an answer to act on.`)
  const heard: StandaloneEvent[] =
    status === 'delivered' ? [{ type: 'decision.acknowledged', at, question }] : []
  return [...heard, { type: 'decision.acted', at, question, did }]
}

const UNDER_WAY: ReadonlySet<string> = new Set(['answered', 'delivered', 'acknowledged', 'expired'])

function failed(
  record: DecisionRecord,
  failure: { readonly at: number; readonly detail: string },
): readonly StandaloneEvent[] | Refusal {
  const { status, id } = record
  if (!UNDER_WAY.has(status)) return refuse('not-waiting', `${id} is ${status}.`)
  return [failedDelivery(record, failure)]
}

/** Who was first, and with what. */
function over({ id, status, by, pick, note }: DecisionRecord): Refusal {
  if (by === null) return refuse('not-waiting', `${id} is ${status}.`)
  return refuse(
    'already-answered',
    `${actorText(by)} already answered this with ${pick === '' ? note : pick}.`,
  )
}
