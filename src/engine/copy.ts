/**
 * Copies of the three records that change with nearly every event, written out field by field: a spread of this
 * many fields takes ten times as long, and the rehearsal folds millions of events.
 */
import type { MemberState, RunState, Visit } from './state.ts'

export type Writable<T> = { -readonly [K in keyof T]: T[K] }

export const copyState = (state: RunState): Writable<RunState> => ({
  version: state.version,
  status: state.status,
  run: state.run,
  vars: state.vars,
  budgets: state.budgets,
  counters: state.counters,
  visits: state.visits,
  numbers: state.numbers,
  totals: state.totals,
  limits: state.limits,
  usage: state.usage,
  current: state.current,
  records: state.records,
  cameFrom: state.cameFrom,
  findings: state.findings,
  extended: state.extended,
  answered: state.answered,
  undo: state.undo,
  taken: state.taken,
  resumes: state.resumes,
  words: state.words,
  said: state.said,
  end: state.end,
})

export const copyVisit = (visit: Visit): Writable<Visit> => ({
  step: visit.step,
  kind: visit.kind,
  number: visit.number,
  enteredAt: visit.enteredAt,
  phase: visit.phase,
  members: visit.members,
  question: visit.question,
  asked: visit.asked,
  context: visit.context,
})

export const copyMember = (member: MemberState): Writable<MemberState> => ({
  status: member.status,
  attempt: member.attempt,
  turn: member.turn,
  nudges: member.nudges,
  returns: member.returns,
  holds: member.holds,
  raised: member.raised,
  session: member.session,
  message: member.message,
  answer: member.answer,
  fault: member.fault,
  detail: member.detail,
  question: member.question,
  parkedUntil: member.parkedUntil,
  parkedFor: member.parkedFor,
  runningSince: member.runningSince,
  workedMs: member.workedMs,
  metAt: member.metAt,
  limited: member.limited,
  used: member.used,
  words: member.words,
  undo: member.undo,
})
