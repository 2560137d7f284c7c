/**
 * What people do about a decision that a run has raised, put into the run's own words. The record says what may be done
 * with what was shown; everything else is for the rules of the run to judge.
 */
import type { RunCommand } from '../model/command.ts'
import type { AnswerDecision, DecisionCommand } from '../model/decision-command.ts'
import type { DecisionRecord } from '../model/decision-record.ts'
import type { Fact } from '../model/fact.ts'
import { type Program, stepOf } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { RETRY } from '../model/route.ts'
import { type Decided, decide } from './decide.ts'
import { refuse, whyNotAnswered } from './decision-rules.ts'
import type { RunState } from './state.ts'
import { givenFor } from './views/pick.ts'

export interface RunWithDecisions {
  readonly program: Program
  readonly state: RunState
  /** By question. */
  readonly records: Readonly<Record<string, DecisionRecord>>
  /** Its worktree and branch were thrown away. */
  readonly discarded: boolean
}

export function decideInRun(run: RunWithDecisions, command: DecisionCommand): Decided {
  const meant = inWordsOfRun(run, command)
  return 'message' in meant ? { refusal: meant } : decide(run.program, run.state, meant)
}

function inWordsOfRun(run: RunWithDecisions, command: DecisionCommand): RunCommand | Refusal {
  const { at, question } = command
  if (command.type === 'decision.deliver') return command
  const record = run.records[question]
  if (record === undefined) return refuse('unknown-question', `This run has asked no question ${question}.`)
  switch (command.type) {
    case 'decision.answer':
      return answer(run, record, command)
    case 'decision.undo':
      return run.discarded
        ? refuse('too-late', `Run ${run.state.run} was discarded: there is nothing to go back to.`)
        : { type: command.type, at, question, by: command.by }
    case 'decision.retry':
      return retry(run, record, command)
    case 'decision.snooze':
      return noted(record, { type: 'decision.snoozed', at, question, by: command.by, until: command.until })
    case 'decision.assign':
      return noted(record, { type: 'decision.assigned', at, question, by: command.by, to: command.to })
    case 'decision.withdraw':
      return refuse(
        'not-offered',
        'A question of a run goes with its run: answer it, in words if none of its options fits, or cancel the run.',
      )
    case 'decision.act':
      return refuse('people-only', 'What an agent of a run does is seen by Signalbox itself.')
  }
}

function answer(
  run: RunWithDecisions,
  record: DecisionRecord,
  command: AnswerDecision,
): RunCommand | Refusal {
  const { at, question, by, note, pick, fields, edited, batch, holdMs } = command
  const said = { type: 'question.answer', at, question, by, note } as const
  const asked = record.status === 'open' ? openQuestion(run, question) : null
  // Not open any more: the run knows who was first.
  if (asked === null) return { ...said, extra: null, given: { kind: 'nothing' } }
  const wrong = whyNotAnswered(record, command)
  if (wrong !== null) return wrong
  if (edited !== null && record.cause !== 'agent')
    return refuse(
      'not-offered',
      'Only what an agent asks can be edited; give the fields of this question instead.',
    )
  return {
    ...said,
    ...givenFor(asked, pick, fields),
    ...(edited === null ? {} : { edited }),
    ...(batch === null ? {} : { batch }),
    ...(holdMs === undefined ? {} : { holdMs }),
  }
}

function openQuestion({ program, state }: RunWithDecisions, id: string) {
  const visit = state.current
  if (visit === null) return null
  const { contract } = stepOf(program, visit.step)
  const open = [visit.question, ...visit.members.map(({ question }) => question)]
  const found = open.find((question) => question?.id === id) ?? null
  return found === null ? null : { cause: found.cause, proposal: found.proposal, contract }
}

/** An agent that could not be given its answer is a fault of its step, and lies with people as one. */
function retry(
  { state: { current } }: RunWithDecisions,
  { id, question, status }: DecisionRecord,
  { at, by }: Extract<DecisionCommand, { type: 'decision.retry' | 'decision.undo' }>,
): RunCommand | Refusal {
  // The fault of the visit that asked, and of no other.
  const isIts = question.startsWith(`${current?.step}#${current?.number}.`)
  const fault = isIts ? current?.question : null
  if (status !== 'undeliverable' || fault?.cause !== 'fault')
    return refuse('not-waiting', `${id} is ${status}; there is nothing to retry.`)
  const given = { kind: 'nothing' } as const
  return { type: 'question.answer', at, by, question: fault.id, extra: RETRY, given, note: '' }
}

/** What could not be delivered lies with people as a fault of its step; nobody has this one on the desk. */
const noted = ({ id, status }: DecisionRecord, fact: Fact): RunCommand | Refusal =>
  status === 'open'
    ? { type: 'run.record', at: fact.at, facts: [fact] }
    : refuse('not-waiting', `${id} is ${status}.`)
