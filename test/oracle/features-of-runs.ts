/** The features of the language that touch routing or counting: what shows that one took part in a run. */
import type { RunState } from '../../src/engine/state.ts'
import type { RunEvent } from '../../src/model/event.ts'
import type { Program } from '../../src/model/program.ts'
import { isNamed, isShared, names } from './features.ts'
import type { History } from './history.ts'
import type { Action } from './world.ts'

/** By what it was before; events of one command follow each other, so only the first of them is exact. */
type Lived = (
  event: RunEvent,
  action: Action,
  program: Program,
  before: RunState,
  history: History,
) => boolean

const left =
  (is: (event: Extract<RunEvent, { type: 'visit.left' }>) => boolean): Lived =>
  (event) =>
    event.type === 'visit.left' && is(event)
const opened =
  (is: (event: Extract<RunEvent, { type: 'question.opened' }>) => boolean): Lived =>
  (event) =>
    event.type === 'question.opened' && is(event)
const of =
  (type: RunEvent['type']): Lived =>
  (event) =>
    event.type === type
const ends = (fault: string): Lived => {
  const asked = opened((event) => event.fault === fault)
  const routed = left(({ outcome }) => outcome === fault)
  return (...about) => asked(...about) || routed(...about)
}
const given = (quality: string): Lived => left(({ answer }) => answer?.handoff?.quality === quality)

export const LIVED: Readonly<Record<string, Lived>> = {
  'ends as invalid': ends('invalid'),
  'ends as failed': ends('failed'),
  'ends as stalled': ends('stalled'),
  'ends as timed_out': ends('timed_out'),
  'ends as out_of_bounds': ends('out_of_bounds'),
  'ends as over_budget': ends('over_budget'),
  'ends as expired': ends('expired'),
  'nudged for a wrong answer': (event) =>
    event.type === 'answer.refused' && event.validity !== 'out-of-bounds',
  'nudged for a trespass': (event) => event.type === 'answer.refused' && event.validity === 'out-of-bounds',
  'gate passed': of('gate.passed'),
  'gate sent back': of('gate.failed'),
  'held by a check-in': of('signal.held'),
  'question of an agent': opened(({ cause }) => cause === 'agent'),
  'question superseded': of('decision.superseded'),
  'question lapsed': (event, { what }) =>
    event.type === 'question.closed' && event.reason === 'expired' && what === 'time: expire',
  'question withdrawn by an answer': (event, { what }) =>
    event.type === 'question.closed' && event.reason === 'withdrawn' && what === 'answer while it waits',
  'question reminded of': of('question.reminded'),
  proposal: opened(({ cause }) => cause === 'proposal'),
  'unrouted answer': opened(({ cause }) => cause === 'unrouted'),
  'confirmed by a person': (event, { what }) =>
    event.type === 'visit.left' && what === 'person answers: proposal',
  'answered in the stead of an agent': (event, { what }) =>
    event.type === 'visit.left' && what === 'person answers: fault',
  'retried by a person': left(({ outcome }) => outcome === '@retry'),
  'stopped by a person': left(({ outcome }) => outcome === '@stop'),
  'settled round': left(({ settled }) => settled),
  'round that goes on': left(({ settled, findings, arm }) => !settled && findings !== null && arm === 0),
  'round that settles though a budget is left': left(
    ({ settled, paid }) => settled && paid.counted === null && paid.spent !== null,
  ),
  'shared counter counted': left(({ paid }) => paid.counted !== null && isShared(paid.counted)),
  'shared counter used up': (event, _, program) => {
    if (event.type !== 'visit.left' || event.settled) return false
    const { bound } = program.steps[event.step]!.routes[event.outcome]!.arms[0]!
    return event.arm > 0 && bound?.kind === 'max' && isShared(bound.counter)
  },
  'counter started again by an entry': (event, _, _program, before) =>
    event.type === 'visit.left' &&
    (event.paid.restarted ?? []).some((counter) => (before.counters[counter] ?? 0) > 0),
  'pass forgotten': left(({ paid }) => paid.forgets !== undefined),
  'findings forgotten': (event, _, _program, before) =>
    event.type === 'visit.left' &&
    event.paid.forgets !== undefined &&
    Object.keys(before.findings).some((step) => step.startsWith(event.paid.forgets!)),
  'variable left out': (event, _, program) =>
    event.type === 'visit.left' &&
    event.answer !== null &&
    program.steps[event.step]!.contract.variables.some(
      ({ name, optional }) => optional === true && !(name in event.answer!.choices),
    ),
  'routed field left out': (event, _, program) =>
    event.type === 'visit.left' &&
    event.answer !== null &&
    program.steps[event.step]!.contract.fields.some(
      ({ name }) =>
        isNamed(program.steps[event.step]!.contract.rows, name) && !(name in event.answer!.fields),
    ),
  'routed handoff left out': (event, _, program) => {
    if (event.type !== 'visit.left' || event.answer === null) return false
    const { rows, handoff } = program.steps[event.step]!.contract
    const { quality } = event.answer.handoff ?? {}
    return names(rows, handoff?.fields ?? []) && (quality === 'partial' || quality === 'fallback')
  },
  'setup done': left(({ step, outcome }) => step === 'setup' && outcome === 'done'),
  'setup failed': (event, { what }) =>
    what.startsWith('check') &&
    ((event.type === 'visit.left' && event.step === 'setup' && event.outcome !== 'done') ||
      (event.type === 'question.opened' && event.question.startsWith('setup#'))),
  'trial as expected': left(({ outcome }) => outcome === 'expected'),
  'trial not as expected': opened(({ route }) => route?.outcome === 'unexpected'),
  'trial that the flow routes': left(({ outcome }) => outcome === 'unexpected'),
  'gone on all the same': left(({ outcome, by }) => outcome === 'expected' && by.kind === 'person'),
  'agent that never began for lack of means': (event, _, _program, _before, history) =>
    event.type === 'member.faulted' && event.fault === 'over_budget' && history.begun[event.member] === false,
  'pass begun': left(({ paid }) => paid.pass !== null),
  'bound used up': left(({ arm }) => arm > 0),
  'full handoff': given('full'),
  'partial handoff': given('partial'),
  'fallback of a handoff': given('fallback'),
  'usage limit': of('attempt.parked'),
  'way out of a flow': left(({ to }) => to.includes(':')),
}
