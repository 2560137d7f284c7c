/** A check step: a command answers, by its exit code or by the JSON it prints last. */
import type { Given } from '../model/answer.ts'
import type { RunCommand } from '../model/command.ts'
import { choicesFor } from '../model/contract.ts'
import type { RunEvent } from '../model/event.ts'
import { type CheckStep, type Program, stepOf } from '../model/program.ts'
import { validateAnswer } from './answer.ts'
import { type Decided, happened, refused } from './decision.ts'
import { evolve } from './evolve.ts'
import { leave, type Outcome } from './routing.ts'
import type { RunState } from './state.ts'

const TAIL = 4000

type Report = Extract<RunCommand, { type: 'check.report' }>

export function reportCheck(program: Program, state: RunState, command: Report): Decided {
  const { current } = state
  if (current === null || current.step !== command.step || current.number !== command.visit)
    return refused('stale', `This speaks of visit ${command.visit} of "${command.step}", and the run has moved on since.`)
  const step = stepOf(program, current.step)
  if (step.kind !== 'check' || current.phase !== 'working')
    return refused('not-waiting', `No check of "${command.step}" is running.`)
  const output = command.output.slice(-TAIL)
  const reported: RunEvent = {
    type: 'check.reported',
    at: command.at,
    evidence: { exitCode: command.exitCode, output, commit: null },
  }
  return happened(reported, ...leave(program, evolve(state, reported), command.at, outcomeOf(step, command)))
}

function outcomeOf(step: CheckStep, { exitCode, output, timedOut }: Report): Outcome {
  const by = { kind: 'signalbox' } as const
  const fault = (outcome: string, detail: string): Outcome => ({ outcome, answer: null, detail, by })
  if (timedOut) return fault('timed_out', output.slice(-TAIL))
  if (exitCode === null) return fault('failed', `It did not run to its end.\n\n${output.slice(-TAIL)}`)
  if (step.answers === 'json') {
    if (exitCode !== 0) return fault('failed', `It ended with exit code ${exitCode}.\n\n${output.slice(-TAIL)}`)
    const expected = { contract: step.contract, known: [], settleOn: null, looping: [], lenient: false }
    const result = validateAnswer(expected, lastJson(output))
    if ('message' in result) return fault('invalid', result.message)
    return { outcome: result.answer.outcome, answer: result.answer, detail: '', by }
  }
  const outcome =
    Object.keys(step.exits).find((option) => step.exits[option]?.includes(exitCode)) ??
    Object.keys(step.exits).find((option) => step.exits[option] === null)
  if (outcome === undefined) return fault('failed', `Exit code ${exitCode} means nothing here.\n\n${output.slice(-TAIL)}`)
  const choices = choicesFor(step.contract, outcome) ?? {}
  return { outcome, answer: { outcome, choices, fields: {}, notes: output.slice(-TAIL), handoff: null }, detail: '', by }
}

/** The last line that is a JSON object, or the whole output where that is one. */
function lastJson(output: string): Given {
  const text = output.trim()
  if (text === '') return { kind: 'nothing' }
  for (const candidate of [text, ...text.split('\n').reverse()]) {
    if (!candidate.trimStart().startsWith('{')) continue
    const value = parsed(candidate)
    if (value !== undefined) return { kind: 'value', value }
  }
  return { kind: 'malformed', text: text.slice(-TAIL) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
