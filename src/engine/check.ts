/** A check step: a command answers, by its exit code or by the JSON it prints last. */
import type { RawAnswer } from '../model/answer.ts'
import { lastCharacters } from '../model/characters.ts'
import { choicesFor } from '../model/combinations.ts'
import type { RunCommand } from '../model/command.ts'
import { readJson } from '../model/json-text.ts'
import { type CheckStep, stepOf } from '../model/program.ts'
import { cannotRunLine } from '../model/telling-line.ts'
import { validateAnswer } from './answer.ts'
import { leave, type ReachedOutcome, SIGNALBOX } from './routing.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'

const TAIL = 4000

type Report = Extract<RunCommand, { type: 'check.report' }>

export function reportCheck(turn: Turn, command: Report): Judged {
  const visit = visitOf(turn)
  if (visit.step !== command.step || visit.number !== command.visit)
    return refused(
      'stale',
      `This speaks of visit ${command.visit} of "${command.step}", and the run has moved on since.`,
    )
  const step = stepOf(turn.program, visit.step)
  if (step.kind !== 'check' || visit.phase !== 'working')
    return refused('not-waiting', `No check of "${command.step}" is running.`)
  const { at, exitCode, commit = null, beside, redefined } = command
  const evidence = {
    exitCode,
    output: lastCharacters(command.output, TAIL),
    commit,
    diffstat: '',
    ...(beside === undefined ? {} : { beside }),
    ...(redefined === undefined ? {} : { redefined }),
  }
  happen(turn, { type: 'check.reported', at, evidence })
  leave(turn, at, checkOutcome(step, command))
  return null
}

/** What its end means: an answer, or a fault with what happened. */
export function checkOutcome(
  step: CheckStep,
  { exitCode, output, timedOut }: Pick<Report, 'exitCode' | 'output' | 'timedOut'>,
): ReachedOutcome {
  const by = SIGNALBOX
  const fault = (outcome: string, detail: string): ReachedOutcome => ({ outcome, answer: null, detail, by })
  if (timedOut && step.faults.includes('timed_out')) return fault('timed_out', lastCharacters(output, TAIL))
  if (exitCode === null)
    return fault('failed', `It did not run to its end.\n\n${lastCharacters(output, TAIL)}`)
  if (step.answers === 'json') {
    if (exitCode !== 0)
      return fault('failed', `It ended with exit code ${exitCode}.\n\n${lastCharacters(output, TAIL)}`)
    const expected = { contract: step.contract, known: [], settleOn: null, looping: [], lenient: false }
    const result = validateAnswer(expected, lastJson(output))
    if ('message' in result) return fault('invalid', result.message)
    return { outcome: result.answer.outcome, answer: result.answer, detail: '', by }
  }
  const outcome = outcomeBy(step, exitCode, output)
  if (outcome === undefined)
    return fault('failed', `Exit code ${exitCode} means nothing here.\n\n${lastCharacters(output, TAIL)}`)
  const choices = choicesFor(step.contract, outcome) ?? {}
  return {
    outcome,
    answer: { outcome, choices, fields: {}, notes: lastCharacters(output, TAIL), handoff: null },
    detail: '',
    by,
  }
}

function outcomeBy({ exits, prepares }: CheckStep, exitCode: number, output: string): string | undefined {
  const names = Object.keys(exits)
  const named = names.find((option) => exits[option]?.includes(exitCode))
  const other = names.find((option) => exits[option] === null)
  // A trial's: with a code of its own a starter may say, too, that there is nothing to start.
  const isVain = prepares === true && exitCode !== 0 && cannotRunLine(output) !== null
  return named === undefined || isVain ? (other ?? named) : named
}

/** The last JSON object that begins on a line of its own and goes on to the end of the output or of its line. */
function lastJson(output: string): RawAnswer {
  const text = output.trim()
  if (text === '') return { kind: 'nothing' }
  const lines = text.split('\n')
  const starts = lines.flatMap((line, index) => (line.trimStart().startsWith('{') ? [index] : []))
  for (const start of starts.slice(-MOST_STARTS).reverse())
    for (const candidate of [lines.slice(start).join('\n'), lines[start]!]) {
      const read = readJson(candidate)
      if (read.kind === 'value') return read
    }
  return { kind: 'malformed', text: lastCharacters(text, TAIL) }
}

const MOST_STARTS = 100
