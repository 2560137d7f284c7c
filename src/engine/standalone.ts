/**
 * A decision that was raised outside any run: a stream of its own with the same life. Its asker waits for the answer,
 * or named a command that is run with it. Pure, like the rules of a run: decide, evolve, duties.
 */
import { type Actor, actorText } from '../model/answer.ts'
import { type Decision, overlong } from '../model/decision.ts'
import { type Asker, type DecisionRecord, isPending } from '../model/decision-record.ts'
import type { QuestionEvent } from '../model/event.ts'
import type { DecisionTemplate } from '../model/program.ts'
import type { Proof } from '../model/proof.ts'
import type { Refusal, RefusalCode } from '../model/refusal.ts'
import { envelopeText, lapsedText, readDecision } from './decision.ts'
import { evolveRecord, type OpenedDecision, openRecord } from './decision-book.ts'
import { shownOf } from './views/shown.ts'

export interface Resume {
  readonly argv: readonly string[]
  readonly cwd: string
}

export type StandaloneEvent =
  | {
      readonly type: 'decision.created'
      readonly at: number
      readonly opened: OpenedDecision
      readonly decision: Decision
      readonly resume: Resume | null
      readonly supersedes: string | null
      readonly proof: Proof
    }
  | QuestionEvent

export interface StandaloneState {
  readonly version: number
  readonly record: DecisionRecord
  readonly decision: Decision
  readonly resume: Resume | null
  /** Its command has run, or was given up: also where there was no answer to tell of. */
  readonly told: boolean
}

export type StandaloneCommand =
  | {
      readonly type: 'create'
      readonly at: number
      readonly id: string
      readonly payload: unknown
      readonly templates: Readonly<Record<string, DecisionTemplate>>
      readonly asker: Asker
      readonly repo: string
      readonly resume: Resume | null
      readonly supersedes: string | null
      readonly proof: Proof
    }
  | {
      readonly type: 'answer'
      readonly at: number
      readonly by: Actor
      readonly pick: string
      readonly note: string
      readonly edited: string | null
      readonly batch: string | null
    }
  | { readonly type: 'undo' | 'retry'; readonly at: number; readonly by: Actor }
  | { readonly type: 'close'; readonly at: number; readonly reason: 'withdrawn'; readonly note: string }
  | { readonly type: 'close'; readonly at: number; readonly reason: 'superseded'; readonly by: string }
  /** It is about to be given to its asker. */
  | { readonly type: 'deliver'; readonly at: number; readonly via: 'wait' | 'command' }
  | { readonly type: 'acknowledge'; readonly at: number }
  | { readonly type: 'act'; readonly at: number; readonly did: string }
  | { readonly type: 'fail'; readonly at: number; readonly detail: string }
  | { readonly type: 'snooze'; readonly at: number; readonly by: Actor; readonly until: number | null }
  | { readonly type: 'assign'; readonly at: number; readonly by: Actor; readonly to: string | null }
  | { readonly type: 'pass-time'; readonly at: number }

export type StandaloneDuty =
  | { readonly kind: 'deliver-answer'; readonly id: string; readonly dueAt: number; readonly attempt: number }
  | { readonly kind: 'decision-timer'; readonly id: string; readonly dueAt: number }

export type StandaloneDecided =
  | { readonly events: readonly StandaloneEvent[]; readonly state: StandaloneState }
  | { readonly refusal: Refusal }

export function decideStandalone(
  state: StandaloneState | null,
  command: StandaloneCommand,
): StandaloneDecided {
  const judged = command.type === 'create' ? create(state, command) : judge(state, command)
  if ('code' in judged) return { refusal: judged }
  const next = judged.reduce<StandaloneState | null>(evolveStandalone, state)
  return { events: judged, state: next! }
}

export function evolveStandalone(state: StandaloneState | null, event: StandaloneEvent): StandaloneState {
  if (event.type === 'decision.created') {
    const { opened, decision, resume, supersedes, proof, at } = event
    const record = { ...openRecord(opened, at), id: opened.question, supersedes, proof }
    return { version: (state?.version ?? 0) + 1, record, decision, resume, told: false }
  }
  if (state === null) throw new Error(`${event.type} before the decision was created`)
  return {
    ...state,
    version: state.version + 1,
    record: evolveRecord(state.record, event),
    told: toldAfter(event, state.told),
  }
}

function toldAfter(event: QuestionEvent, before: boolean): boolean {
  switch (event.type) {
    case 'decision.acted':
      return true
    case 'decision.undelivered':
      return before || event.nextAt === null
    case 'decision.retried':
    case 'question.undone':
      return false
    case 'question.opened':
    case 'question.reminded':
    case 'question.answered':
    case 'question.closed':
    case 'decision.proven':
    case 'decision.delivered':
    case 'decision.acknowledged':
    case 'decision.superseded':
    case 'decision.snoozed':
    case 'decision.assigned':
      return before
  }
}

/** What the world should be doing for it. */
export function standaloneDuties({ record, resume, told }: StandaloneState): StandaloneDuty[] {
  const { stream, status, expiresAt, delivery } = record
  if (status === 'open' && expiresAt !== null)
    return [{ kind: 'decision-timer', id: `${stream}/expire.${expiresAt}`, dueAt: expiresAt }]
  const isUnderWay = status === 'answered' || status === 'delivered' || status === 'acknowledged'
  if (resume === null || told || !(isUnderWay || status === 'expired')) return []
  // Answers are numbered too: one that was taken back must not be mistaken for the next.
  const answers = record.stages.filter((stage) => stage.status === 'answered').length
  const attempt = delivery.failures + 1
  return [
    {
      kind: 'deliver-answer',
      id: `${stream}/deliver.${answers}.${attempt}`,
      dueAt: delivery.nextAt ?? 0,
      attempt,
    },
  ]
}

/** What its asker is told; null while there is nothing to tell. */
export function standaloneEnvelope({ record, decision }: StandaloneState): string | null {
  const { id, status, by, pick, note, edited } = record
  if (status === 'expired') return lapsedText(id, decision)
  return by === null ? null : envelopeText({ question: id, decision, pick, note, edited, by })
}

/** How long after each failed attempt the next one comes. */
const BACKOFF_MS = [1000, 5000, 30_000, 120_000, 600_000] as const

const refuse = (code: RefusalCode, message: string): Refusal => ({ code, message })

function create(
  state: StandaloneState | null,
  command: Extract<StandaloneCommand, { type: 'create' }>,
): readonly StandaloneEvent[] | Refusal {
  const { at, id, payload, templates, asker, repo, resume, supersedes, proof } = command
  if (state !== null) return refuse('already-started', `There is a decision ${id} already.`)
  const raised = readDecision({ templates }, payload)
  if ('message' in raised) return refuse('invalid-decision', raised.message)
  const { decision } = raised
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
    shown: shownOf(decision),
  }
  return [{ type: 'decision.created', at, opened, decision, resume, supersedes, proof }]
}

function judge(
  state: StandaloneState | null,
  command: Exclude<StandaloneCommand, { type: 'create' }>,
): readonly StandaloneEvent[] | Refusal {
  if (state === null) return refuse('unknown-question', 'There is no such decision.')
  const { record } = state
  const { question, status } = record
  const { at } = command
  switch (command.type) {
    case 'answer':
      return answer(state, command)
    case 'undo':
      if (status === 'open')
        return refuse('unknown-question', `No answer to ${record.id} is there to be taken back.`)
      if (record.by === null) return refuse('not-waiting', `${record.id} is ${status}: it has no answer.`)
      // One that is to be given again has been given before.
      if (!isWithUs(record) || record.stages.some((stage) => stage.status === 'delivered'))
        return refuse('too-late', `${record.id} is ${status}: its answer has been given.`)
      return [{ type: 'question.undone', at, question, by: command.by }]
    case 'close': {
      if (!isPending(record) || (command.reason === 'superseded' && status !== 'open')) return over(record)
      const closed = { type: 'question.closed', at, question, reason: command.reason } as const
      if (command.reason === 'withdrawn')
        return [command.note === '' ? closed : { ...closed, note: command.note }]
      return [closed, { type: 'decision.superseded', at, question, by: command.by }]
    }
    case 'deliver':
      if (status === 'delivered' || status === 'acknowledged' || status === 'acted') return []
      // Whoever asks for it in person gets it, though it could not be brought.
      if (status !== 'answered' && status !== 'expired' && status !== 'undeliverable')
        return refuse('not-waiting', `${record.id} is ${status}.`)
      return [{ type: 'decision.delivered', at, question, session: null, via: command.via }]
    case 'acknowledge':
      return status === 'delivered' ? [{ type: 'decision.acknowledged', at, question }] : []
    case 'act':
      return acted(record, command)
    case 'fail':
      return failed(record, command)
    case 'retry':
      if (status !== 'undeliverable')
        return refuse('not-waiting', `${record.id} is ${status}; there is nothing to retry.`)
      return [{ type: 'decision.retried', at, question, by: command.by }]
    case 'snooze':
      if (!isPending(record)) return over(record)
      return [{ type: 'decision.snoozed', at, question, by: command.by, until: command.until }]
    case 'assign':
      if (!isPending(record)) return over(record)
      return [{ type: 'decision.assigned', at, question, by: command.by, to: command.to }]
    case 'pass-time':
      if (status !== 'open' || record.expiresAt === null || record.expiresAt > at) return []
      return [{ type: 'question.closed', at: record.expiresAt, question, reason: 'expired' }]
  }
}

/** Answered, and nobody has it yet. */
const isWithUs = ({ status }: DecisionRecord): boolean => status === 'answered' || status === 'undeliverable'

function answer(
  { record, decision }: StandaloneState,
  { at, by, pick, note, edited, batch }: Extract<StandaloneCommand, { type: 'answer' }>,
): readonly StandaloneEvent[] | Refusal {
  const { question, status } = record
  if (by.kind === 'agent')
    return refuse('agents-do-not-answer', 'An agent can raise questions and never answer one.')
  if (status !== 'open') return over(record)
  const long = overlong({ note, edited })
  if (long !== null) return refuse('invalid-answer', long)
  const keys = decision.options.map(({ key }) => key)
  if (pick === '' && note.trim() === '')
    return refuse('invalid-answer', `An answer picks one of ${keys.join(', ')}, or says something in a note.`)
  const option = decision.options.find(({ key }) => key === pick)
  if (pick !== '' && option === undefined)
    return refuse(
      'not-offered',
      `"${pick}" is not one of the options: ${keys.join(', ')}. Words go into the note.`,
    )
  if (by.kind === 'policy' && option?.reversible !== true)
    return refuse('people-only', `"${pick}" cannot be undone, so no policy may pick it.`)
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

/** Tried again after a while, and then a person must look. */
function failed(
  { question, status, delivery, id }: DecisionRecord,
  { at, detail }: { readonly at: number; readonly detail: string },
): readonly StandaloneEvent[] | Refusal {
  if (!UNDER_WAY.has(status)) return refuse('not-waiting', `${id} is ${status}.`)
  const attempt = delivery.failures + 1
  const pauseMs = BACKOFF_MS[attempt - 1]
  const nextAt = pauseMs === undefined ? null : at + pauseMs
  return [{ type: 'decision.undelivered', at, question, attempt, detail, nextAt }]
}

/** Who was first, and with what. */
function over({ id, status, by, pick, note }: DecisionRecord): Refusal {
  if (by === null) return refuse('not-waiting', `${id} is ${status}.`)
  return refuse(
    'already-answered',
    `${actorText(by)} already answered this with ${pick === '' ? note : pick}.`,
  )
}
