/**
 * Questions that lie with a person. The flow's own question is always the step's contract, so an answer in an
 * agent's stead goes through the same validation and takes the same routes; beside it stand retry (while
 * interventions last) and stop.
 */
import { type Actor, actorText, type RawAnswer } from '../model/answer.ts'
import { possibleOutcomes } from '../model/combinations.ts'
import type { RunCommand } from '../model/command.ts'
import type { Option } from '../model/contract.ts'
import { dangerIn } from '../model/danger.ts'
import { overlong } from '../model/decision.ts'
import { fencedBlock, words } from '../model/fence.ts'
import { INTERVENTIONS, type Step, stepOf } from '../model/program.ts'
import { asks, RETRY, STOP } from '../model/route.ts'
import { validateAnswer } from './answer.ts'
import { heldIn } from './evolve-question.ts'
import { fillIn } from './fill-in.ts'
import { completedBy, notedIn, saysHandoff } from './in-stead.ts'
import { askPerson, leave, type ReachedOutcome, SIGNALBOX } from './routing.ts'
import type { AnsweredQuestion, OpenQuestion, RunState } from './state.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'

type Answering = Extract<RunCommand, { type: 'question.answer' }>

export function answerQuestion(turn: Turn, command: Answering): Judged {
  if (command.by.kind === 'agent')
    return refused('agents-do-not-answer', 'An agent can raise questions and never answer one.')
  const long = overlong(command)
  if (long !== null) return refused('invalid-answer', long)
  const held = heldIn(turn.state, command.question)
  if (held !== null) return answeredBefore({ by: held.by, pick: held.pick === '' ? held.note : held.pick })
  return (command.holdMs ?? 0) > 0 ? hold(turn, command) : take(turn, command)
}

/** Judged as it will be when it counts; until then nothing of it has happened. */
function hold(turn: Turn, command: Answering): Judged {
  const foreseen: Turn = { ...turn, events: [] }
  const refusal = take(foreseen, command)
  if (refusal !== null) return refusal
  const { at, question, by, note, extra, given, edited, batch, holdMs = 0 } = command
  const { pick } = foreseen.events.find((event) => event.type === 'question.answered')!
  const about = { at, question, until: at + holdMs, by, pick, note, extra, given }
  happen(turn, { type: 'answer.held', ...about, ...extrasOf({ edited, batch }) })
  return null
}

/** The time to take it back is over: now it counts. What no longer fits is as if it were taken back. */
export function releaseAnswer(turn: Turn, at: number, question: string): void {
  const { until: _, pick: __, ...held } = heldIn(turn.state, question)!
  const counts: Turn = { ...turn, events: [] }
  if (take(counts, { type: 'question.answer', at, question, ...held }) === null) {
    turn.events.push(...counts.events)
    turn.state = counts.state
  } else happen(turn, { type: 'question.undone', at, question, by: SIGNALBOX })
}

function take(turn: Turn, command: Answering): Judged {
  const { question, members } = visitOf(turn)
  if (members.some((member) => member.question?.id === command.question)) return answerAgent(turn, command)
  if (question?.id === command.question) return answerStep(turn, question, command)
  return refused('unknown-question', `No question ${command.question} is open in this run.`)
}

/** Who was first; also after the run has moved on or ended. */
export function alreadyAnswered(state: RunState, { question }: Answering): Judged {
  const earlier = answerTo(state, question)
  return earlier === null ? null : answeredBefore(earlier)
}

const answeredBefore = ({ by, pick }: Pick<AnsweredQuestion, 'by' | 'pick'>): Judged =>
  refused('already-answered', `${actorText(by)} already answered this with ${pick}.`)

export function answerTo(state: RunState, question: string): AnsweredQuestion | null {
  let answered = state.answered
  while (answered !== null && answered.question !== question) answered = answered.before
  return answered
}

/** Only what is still answered is delivered: it may have been taken back a moment ago. */
export function deliverAnswer(
  turn: Turn,
  command: Extract<RunCommand, { type: 'decision.deliver' }>,
): Judged {
  const { at, question, session, via } = command
  if (answerTo(turn.state, question) === null)
    return refused('not-waiting', `${question} has no answer that could be delivered.`)
  happen(turn, { type: 'decision.delivered', at, question, session, via })
  return null
}

/** An agent's own question: its answer is told to it in its next prompt. Words are never taken for an option. */
function answerAgent(turn: Turn, command: Answering): Judged {
  const { at, question, by, note, given, extra, edited, batch } = command
  if (extra !== null)
    return refused('not-offered', `${extra} is not offered here: the agent asked something of its own.`)
  const pick = pickOf(given)
  const { members } = visitOf(turn)
  const { decision } = members.find((member) => member.question?.id === question)!.question!
  const keys = decision?.options.map(({ key }) => key) ?? []
  if (pick === null || (pick === '' && note.trim() === ''))
    return refused(
      'invalid-answer',
      `An answer picks one of ${keys.join(', ')}, or says something in a note.`,
    )
  if (pick !== '' && !keys.includes(pick))
    return refused(
      'not-offered',
      `"${pick}" is not one of the options: ${keys.join(', ')}. Words go into the note.`,
    )
  const filled = fillIn(decision?.form, pick, given)
  if ('problem' in filled) return refused('invalid-answer', filled.problem)
  const option = decision?.options.find(({ key }) => key === pick)
  if (by.kind === 'policy' && option?.reversible !== true)
    return refused('people-only', `"${pick}" cannot be undone, so no policy may pick it.`)
  const about = { at, question, by, pick, note, ...filled }
  happen(turn, { type: 'question.answered', ...about, ...extrasOf({ edited, batch }) })
  return null
}

/** A key, as itself or as `{ pick: key }`; empty for none; null where it is neither. */
function pickOf(given: RawAnswer): string | null {
  if (given.kind === 'nothing') return ''
  if (given.kind === 'malformed') return null
  const { value } = given
  if (typeof value === 'string') return value
  const picked = typeof value === 'object' && value !== null && 'pick' in value ? value.pick : null
  return typeof picked === 'string' ? picked : null
}

/** Absent where there is none, as in older journals. */
const extrasOf = ({ edited, batch }: { edited?: string | undefined; batch?: string | undefined }) => ({
  ...(edited === undefined ? {} : { edited }),
  ...(batch === undefined ? {} : { batch }),
})

function answerStep(turn: Turn, question: OpenQuestion, command: Answering): Judged {
  const { at, by, note, extra, batch } = command
  const step = stepOf(turn.program, visitOf(turn).step)
  const follow = (outcome: ReachedOutcome): null => {
    const about = { at, question: question.id, by, pick: outcome.outcome, note }
    happen(turn, { type: 'question.answered', ...about, ...extrasOf({ batch }) })
    leave(turn, at, outcome)
    return null
  }

  if (extra !== null) {
    if (!offeredExtras(turn.state, step, question).includes(extra))
      return refused('not-offered', extra === RETRY ? NO_RETRY : `${extra} is not offered here.`)
    if (by.kind === 'policy' && extra === STOP)
      return refused('people-only', 'Only a person may end a run here.')
    const detail = extra === RETRY ? beforeRetry(question, { by, said: note }) : note
    return follow({ outcome: extra, answer: null, detail, by, proposal: question.proposal })
  }
  const expected = { contract: step.contract, known: [], settleOn: null, looping: [], lenient: true }
  const completed = completedBy(step.contract, question.proposal, command.given)
  const given = notedIn(completed, note)
  const lenient = validateAnswer(expected, given)
  // What a person says is never dropped for a fallback, which could lead elsewhere than they meant.
  const isDropped =
    'answer' in lenient && lenient.answer.handoff?.quality === 'fallback' && saysHandoff(given)
  const result = isDropped ? validateAnswer({ ...expected, lenient: false }, given) : lenient
  if ('message' in result) return refused('invalid-answer', result.message)
  const { answer } = result
  if (!offeredOutcomes(step, question).includes(answer.outcome))
    return refused(
      'not-offered',
      `"${answer.outcome}" leads to this very question, so it is not offered here.`,
    )
  if (by.kind === 'policy' && !isForPolicies(step, answer.choices))
    return refused('people-only', `"${answer.outcome}" is for a person to decide, not for a policy.`)
  return follow({
    outcome: answer.outcome,
    answer: given === completed && note !== '' ? { ...answer, notes: note } : answer,
    detail: '',
    by,
    proposal: question.proposal,
  })
}

/** Nothing that is a person's alone, that cannot be undone, or that speaks of danger. */
const isForPolicies = ({ contract }: Step, choices: Readonly<Record<string, string>>): boolean =>
  contract.variables.every(({ name, options }) => {
    const option = options.find(({ value }) => value === choices[name])
    return option === undefined || !(option.confirm || isIrreversible(option))
  })

const isIrreversible = ({ reversible, label, say }: Option): boolean =>
  !reversible || dangerIn(label, say) !== null

/** What went wrong before and what a person says to it: whoever tries again must know both. */
export const beforeRetry = (
  { fault, detail }: Pick<OpenQuestion, 'fault' | 'detail'>,
  { by, said }: { readonly by: Actor; readonly said: string },
): string =>
  [
    said === '' ? '' : `${actorText(by)} says: ${said}`,
    fault === null ? '' : `It ended as ${fault}${detail === '' ? '.' : reportText(detail)}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n')

/** The programs of a step may have written any of it. */
const reportText = (detail: string): string =>
  /^[\w ,.-]{1,80}$/.test(detail)
    ? `: ${detail}`
    : `:\n\n${fencedBlock(words('Signalbox and the programs it ran', 'report', detail))}`

const NO_RETRY =
  'There are no interventions left, so retry is no longer offered. Extend the budget first, or choose another way.'

/** The outcomes a person may choose: those that do not lead back to a person. */
export function offeredOutcomes(step: Step, question: OpenQuestion): readonly string[] {
  const all = possibleOutcomes(step.contract)
  return question.cause === 'step' ? all : all.filter((outcome) => !asks(step.routes[outcome]!))
}

export function offeredExtras(
  state: RunState,
  step: Step,
  question: OpenQuestion,
): (typeof RETRY | typeof STOP)[] {
  if (question.cause === 'step' || step.routes[STOP] === undefined) return []
  return (state.budgets[INTERVENTIONS] ?? 0) > 0 ? [RETRY, STOP] : [STOP]
}

/** What the commands of a decide step found: now the person can be asked. */
export function reportContext(turn: Turn, command: Extract<RunCommand, { type: 'context.report' }>): Judged {
  const visit = visitOf(turn)
  if (visit.step !== command.step || visit.number !== command.visit)
    return refused(
      'stale',
      `This speaks of visit ${command.visit} of "${command.step}", and the run has moved on since.`,
    )
  const isOpen = visit.question?.cause === 'step'
  if (visit.phase !== 'gathering' && !isOpen)
    return refused('not-waiting', `"${command.step}" waits for no context.`)
  const { at, items, seen } = command
  happen(turn, { type: 'context.gathered', at, items, ...(seen === undefined ? {} : { seen }) })
  // Looked at again: the question is the same, and what it shows is new.
  if (!isOpen) askPerson(turn, at)
  return null
}
