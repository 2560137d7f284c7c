/**
 * A person takes a run over: nobody works at it meanwhile, no clock of its runs, and what it is asked waits. They give it
 * back to its agent, or take what they did as the step's work: then they answer what the step asks, and its gate has passed.
 */
import type { Actor, Answer, RawAnswer } from '../model/answer.ts'
import { actorText } from '../model/answer.ts'
import type { GateResult, RunCommand } from '../model/command.ts'
import { type AgentStep, type Program, type Step, stepOf } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { validateAnswer } from './answer.ts'
import { completedBy, notedIn } from './in-stead.ts'
import { leave } from './routing.ts'
import { withdrawQuestions } from './run.ts'
import type { RunState } from './state.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'

type Command<T extends RunCommand['type']> = Extract<RunCommand, { type: T }>

export function take(turn: Turn, { at, by, reason }: Command<'run.take'>): Judged {
  if (by.kind !== 'person') return refused('people-only', 'Only a person may take a run over.')
  happen(turn, { type: 'run.taken', at, by, reason })
  return null
}

/** What goes on all the same: what was used is used, and a person may end it, extend it or say something. */
const MEANWHILE: readonly RunCommand['type'][] = [
  'run.resume',
  'run.cancel',
  'run.extend',
  'run.say',
  'attempt.use',
  'time.pass',
]

export function whileTaken({ taken, run }: RunState, { type }: RunCommand): Judged {
  if (taken === null || MEANWHILE.includes(type)) return null
  return refused(
    'taken',
    `${actorText(taken.by)} has taken this run over. When they are done: signalbox resume ${run}`,
  )
}

export function resumeRun(turn: Turn, command: Command<'run.resume'>): Judged {
  const { at, by, how, note, changes, given, gates } = command
  if (by.kind !== 'person') return refused('people-only', 'Only a person may give a run back.')
  const { taken } = turn.state
  if (taken === null) return refused('not-taken', 'Nobody has taken this run over.')
  const step = stepOf(turn.program, visitOf(turn).step)
  if (how === 'back' || !isWorkedAt(step)) {
    if (how !== 'back' && given.kind !== 'nothing')
      return refused(
        'not-offered',
        `"${step.name}" is no agent's step, so there is nothing to answer in its stead.`,
      )
    happen(turn, { type: 'run.resumed', at, by, how: 'back' })
    tellChanges(turn, { at, by, note, changes })
    return null
  }
  const judged = answerInstead(turn.program, turn.state, { given, note })
  if ('refusal' in judged) return judged.refusal
  const passed = judged.gates.map((member) => gates.find((gate) => gate.member === member))
  if (passed.some((gate) => gate === undefined || gate.exitCode !== 0))
    return refused('gate-failed', `The gate of "${step.name}" has not passed on what was done.`)
  happen(turn, { type: 'run.resumed', at, by, how: 'answered' })
  for (const gate of passed) if (gate !== undefined) happen(turn, passedOf(at, gate))
  withdrawQuestions(turn, at)
  const { answer } = judged
  leave(turn, at, { outcome: answer.outcome, answer, detail: '', by })
  return null
}

const passedOf = (at: number, { member, ...evidence }: GateResult) =>
  ({ type: 'gate.passed', at, member, evidence }) as const

const isWorkedAt = (step: Step): step is AgentStep => step.kind === 'agent' || step.kind === 'panel'

/** Whoever goes on is told what was done in their place. */
function tellChanges(
  turn: Turn,
  { at, by, note, changes }: { at: number; by: Actor; note: string; changes: string },
): void {
  if (note === '' && changes === '') return
  const text = [
    'I took the work over for a while and hand it back. Go on with the files as they are now.',
    changes === '' ? '' : `What I changed:\n${changes.trimEnd()}`,
    note,
  ]
  const members = visitOf(turn).members.flatMap(({ status }, index) =>
    status === 'answered' || status === 'faulted' ? [] : [index],
  )
  const word = `w${turn.state.said + 1}`
  const said = text.filter((part) => part !== '').join('\n\n')
  happen(turn, { type: 'word.said', at, word, by, text: said, members })
}

/** What a person's answer at an agent's step comes to, and the members whose gate must pass for it. */
export function answerInstead(
  program: Program,
  state: RunState,
  { given, note }: { readonly given: RawAnswer; readonly note: string },
): { readonly answer: Answer; readonly gates: readonly number[] } | { readonly refusal: Refusal } {
  const visit = state.current
  const step = visit === null ? null : stepOf(program, visit.step)
  if (visit === null || step === null || !isWorkedAt(step))
    return { refusal: { code: 'not-offered', message: 'There is no agent to answer for.' } }
  const { contract, members } = step
  const expected = { contract, known: [], settleOn: null, looping: [], lenient: true }
  const completed = completedBy(contract, visit.question?.proposal ?? null, given)
  const noted = notedIn(completed, note)
  const result = validateAnswer(expected, noted)
  if ('message' in result) return { refusal: { code: 'invalid-answer', message: result.message } }
  const { answer } = result
  const gates = members.flatMap(({ gate, advisory }, index) =>
    !advisory && gate !== null && gate.guards.includes(answer.outcome) ? [index] : [],
  )
  return { answer: noted === completed && note !== '' ? { ...answer, notes: note } : answer, gates }
}
