/**
 * The record of each decision in a stream: what was shown when it was opened, and what became of it since. Folded from
 * the events like the state, but for people: no rule of a flow reads it, only those of what people may do about it.
 */
import type { Actor } from '../model/answer.ts'
import type { Urgency } from '../model/decision.ts'
import type { Asker, DecisionRecord, DecisionStatus, Shown } from '../model/decision-record.ts'
import { digestOf } from '../model/digest.ts'
import type { QuestionEvent, RunEvent } from '../model/event.ts'
import { type Holder, heldBy } from '../model/fact.ts'
import { RETRY } from '../model/route.ts'
import { seatName } from './names.ts'

export interface DecisionBook {
  readonly records: Readonly<Record<string, DecisionRecord>>
  /** Who sits where, as the programs named themselves. */
  readonly askers: Readonly<Record<string, Asker>>
  /** What held the agents so far; left out where none has worked, or nobody said. */
  readonly confined?: Holder
}

export const EMPTY_BOOK: DecisionBook = { records: {}, askers: {} }

/** What is known of a question at the moment it opens. */
export interface OpenedDecision
  extends Pick<
    DecisionRecord,
    'stream' | 'question' | 'run' | 'step' | 'cause' | 'kind' | 'repo' | 'runbook' | 'expiresAt' | 'asker'
  > {
  readonly shown: Shown
  readonly urgency: Urgency
}

export function openRecord(opened: OpenedDecision, at: number): DecisionRecord {
  const { stream, question, shown } = opened
  return {
    id: decisionId(stream, question),
    stream,
    question,
    run: opened.run,
    step: opened.step,
    cause: opened.cause,
    kind: opened.kind,
    repo: opened.repo,
    runbook: opened.runbook,
    asker: opened.asker,
    shown,
    earlier: null,
    digest: digestOf(shown),
    alike: sameQuestionKey(opened),
    urgency: opened.urgency,
    openedAt: at,
    expiresAt: opened.expiresAt,
    snoozedUntil: null,
    assignee: null,
    reminders: 0,
    status: 'open',
    stages: [{ status: 'open', at }],
    by: null,
    pick: '',
    note: '',
    edited: null,
    batch: null,
    did: '',
    supersedes: null,
    supersededBy: null,
    delivery: { failures: 0, trouble: '', nextAt: null },
    proof: null,
  }
}

export const decisionId = (stream: string, question: string): string =>
  digestOf([stream, question]).slice(0, 10)

/** The same question in the same words, wherever it comes up. */
const sameQuestionKey = ({ runbook, step, cause, kind, shown }: OpenedDecision): string =>
  digestOf([
    runbook,
    step,
    cause,
    kind,
    shown.headline,
    shown.question,
    shown.options.map(({ key, label, body }) => [key, label, body]),
    // Nobody has another's command run with the stroke that answers this one.
    ...(shown.runs === undefined ? [] : [shown.runs]),
    // Of a step they follow from its name.
    ...(cause === 'agent' && shown.fields.length > 0 ? [shown.fields] : []),
  ]).slice(0, 16)

/** One event later. `opened` tells what a question that opens now shows. */
export function evolveBook(
  book: DecisionBook,
  event: RunEvent,
  opened: (question: string) => OpenedDecision | null,
): DecisionBook {
  switch (event.type) {
    case 'session.opened': {
      const { step, visit, member, agent, program, version, model = '' } = event
      const asker = { agent, program, version, model }
      const confined = heldBy(book.confined, event.confined)
      return {
        ...book,
        askers: { ...book.askers, [seatName(step, visit, member)]: asker },
        ...(confined === undefined ? {} : { confined }),
      }
    }
    case 'question.opened': {
      const fresh = opened(event.question)
      if (fresh === null) return book
      const { confined } = book
      const record = openRecord(fresh, event.at)
      return withRecord(book, confined === undefined ? record : { ...record, confined })
    }
    case 'decision.superseded': {
      const [old, fresh] = [book.records[event.question], book.records[event.by]]
      if (old === undefined || fresh === undefined) return book
      const named = withRecord(book, { ...old, supersededBy: fresh.id })
      return withRecord(named, { ...fresh, supersedes: old.id })
    }
    case 'context.gathered': {
      // Looked at again while it is open: what was shown before is not what is decided now.
      const open = Object.values(book.records).find(
        ({ status, cause }) => status === 'open' && cause === 'step',
      )
      const fresh = open === undefined ? null : opened(open.question)
      if (open === undefined || fresh === null) return book
      const digest = digestOf(fresh.shown)
      if (digest === open.digest) return book
      return withRecord(book, { ...open, shown: fresh.shown, earlier: open.shown, digest })
    }
    case 'visit.left':
      return withoutStuck(book, event.outcome === RETRY ? given : gone, event.at)
    case 'run.moved':
    case 'run.ended':
      return withoutStuck(book, gone, event.at)
    default: {
      if (!('question' in event)) return book
      const record = book.records[event.question]
      if (record === undefined) return book
      const next = evolveRecord(record, event)
      if (next === record) return book
      // Working hours are for the flow to count.
      if (event.type !== 'question.undone') return withRecord(book, next)
      return withRecord(book, { ...next, expiresAt: opened(event.question)?.expiresAt ?? null })
    }
  }
}

/** Who could not be given its answer is not there any more: nobody can do anything about that now. */
function withoutStuck(
  book: DecisionBook,
  end: (record: DecisionRecord, at: number) => DecisionRecord,
  at: number,
): DecisionBook {
  const stuck = Object.values(book.records).filter(({ status }) => status === 'undeliverable')
  return stuck.reduce((so, record) => withRecord(so, end(record, at)), book)
}

/** Whoever begins again is told what was decided. */
const given = (record: DecisionRecord, at: number): DecisionRecord =>
  reached({ ...record, delivery: { failures: 0, trouble: '', nextAt: null } }, 'answered', at)

const gone = (record: DecisionRecord, at: number): DecisionRecord => reached(record, 'withdrawn', at)

const withRecord = (book: DecisionBook, record: DecisionRecord): DecisionBook => ({
  ...book,
  records: { ...book.records, [record.question]: record },
})

/** What this event makes of the decision it speaks of. */
export function evolveRecord(record: DecisionRecord, event: QuestionEvent): DecisionRecord {
  switch (event.type) {
    case 'answer.held': {
      const { by, pick, note, edited = null, batch = null, until } = event
      const answer = { by, pick, note, edited, batch, snoozedUntil: null, undoableUntil: until }
      return reached({ ...record, ...answer }, 'answered', event.at)
    }
    case 'question.answered': {
      // It was said before, and counts from now.
      if (record.undoableUntil !== undefined)
        return { ...unheld(record), ...(event.fields === undefined ? {} : { fields: event.fields }) }
      const { by, pick, note, edited = null, batch = null, fields } = event
      const answer = { by, pick, note, edited, batch, ...(fields === undefined ? {} : { fields }) }
      return reached({ ...record, ...answer, snoozedUntil: null }, 'answered', event.at)
    }
    case 'question.undone': {
      const { expiresAt, stages } = record
      const openedAt = stages.findLast(({ status }) => status === 'open')?.at ?? event.at
      const shifted = expiresAt === null ? null : event.at + (expiresAt - openedAt)
      const delivery = { failures: 0, trouble: '', nextAt: null }
      return reached({ ...unheld(record), ...UNANSWERED, delivery, expiresAt: shifted }, 'open', event.at)
    }
    case 'question.closed': {
      const asked = record.undoableUntil === undefined ? record : { ...unheld(record), ...UNANSWERED }
      return reached({ ...asked, note: event.note ?? asked.note, snoozedUntil: null }, event.reason, event.at)
    }
    case 'question.reminded':
      return {
        ...record,
        reminders: record.reminders + 1,
        snoozedUntil: null,
        assignee: event.to === undefined ? record.assignee : named(event.to),
      }
    case 'decision.delivered':
      if (record.status !== 'answered' && record.status !== 'undeliverable') return record
      return reached({ ...record, delivery: { ...record.delivery, nextAt: null } }, 'delivered', event.at)
    case 'decision.acknowledged':
      if (record.status !== 'delivered') return record
      return reached(record, 'acknowledged', event.at)
    case 'decision.acted':
      // Nobody acts on an answer that was not given: that nobody answered was only told.
      if (record.by === null) return record
      return reached({ ...record, did: event.did }, 'acted', event.at)
    case 'decision.undelivered': {
      const { attempt, detail, nextAt } = event
      const tried = { ...record, delivery: { failures: attempt, trouble: detail, nextAt } }
      return nextAt === null && record.by !== null ? reached(tried, 'undeliverable', event.at) : tried
    }
    case 'decision.retried':
      return given(record, event.at)
    case 'decision.proven':
      return { ...record, proof: event.proof }
    case 'decision.outrun':
      return { ...record, outran: [...(record.outran ?? []), event.did] }
    case 'decision.superseded':
      return { ...record, supersededBy: event.by }
    case 'decision.snoozed':
      return { ...record, snoozedUntil: event.until }
    case 'decision.assigned':
      return { ...record, assignee: event.to === null ? null : named(event.to) }
    case 'question.opened':
      return record
  }
}

/** A group is written with an @ where that helps to tell it from a person. */
const named = (to: string): string => to.replace(/^@/, '')

const UNANSWERED: { by: Actor | null } & Pick<DecisionRecord, 'pick' | 'note' | 'edited' | 'batch'> = {
  by: null,
  pick: '',
  note: '',
  edited: null,
  batch: null,
}

function unheld({ undoableUntil: _, fields: __, ...record }: DecisionRecord): DecisionRecord {
  return record
}

const reached = (record: DecisionRecord, status: DecisionStatus, at: number): DecisionRecord => ({
  ...record,
  status,
  stages: [...record.stages, { status, at }],
})
