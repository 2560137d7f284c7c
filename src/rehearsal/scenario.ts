/**
 * A scenario: one scripted path through a runbook, with expectations, for a user's own CI. Each line names the step
 * where the run must stand and what happens there; it must be one of the moves the rehearsal itself would make, so
 * a scenario cannot pass on what a real run would refuse.
 */
import type { RunState } from '../engine/state.ts'
import type { RunCommand } from '../model/command.ts'
import { outcomesOf } from '../model/contract.ts'
import { type Diagnostic, hasErrors, type Position } from '../model/diagnostic.ts'
import { type Fault, isFault } from '../model/fault.ts'
import { orNear } from '../model/nearest.ts'
import { type Program, prepares, stepOf } from '../model/program.ts'
import { subjectsOf } from '../model/subjects.ts'
import { createReport, type Report } from '../runbook/report.ts'
import { booleanOf, childOf, entriesOf, numberOf, plainValue, type Tree, textOf } from '../runbook/tree.ts'
import { type Act, actText, answerAct, isExtra, sameAct } from './act.ts'
import type { Move } from './move.ts'
import { movesOf } from './moves.ts'
import { play, startWith } from './play.ts'
import { readScenarios, type Scenario } from './scenario-file.ts'

export interface Played {
  readonly name: string
  readonly passed: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** Steps in the order they were entered. */
  readonly path: readonly string[]
  readonly end: string | null
}

interface Stage {
  readonly program: Program
  readonly report: Report
  readonly path: string[]
  state: RunState
  now: number
}

/** The one of the file, or each of its `scenarios`. */
export function playScenarios(program: Program, text: string, file: string): Played[] {
  const read = readScenarios(text, file)
  if ('diagnostics' in read)
    return [{ name: file, passed: false, diagnostics: read.diagnostics, path: [], end: null }]
  return read.scenarios.map((scenario) => playOne(program, scenario, file))
}

function playOne(program: Program, { name, root, vars, play: lines }: Scenario, file: string): Played {
  const report = createReport(file)
  const failed = (path: string[]): Played => ({
    name,
    passed: false,
    diagnostics: report.diagnostics,
    path,
    end: null,
  })
  const begun = startWith(program, vars)
  if (typeof begun === 'string') {
    report.add({
      code: 'scenario',
      at: root.at,
      path: 'vars',
      message: begun,
      help: `The variables of a run stand under \`vars\`. ${program.name} has ${varsText(program)}.`,
    })
    return failed([])
  }
  const stage: Stage = { program, report, path: [], state: begun.state, now: 0 }
  for (const event of begun.events) if (event.type === 'visit.entered') stage.path.push(event.step)
  for (const item of lines) {
    const [entry] = entriesOf(item)
    if (entry === undefined || !happens(stage, entry.key, entry.at, entry.value)) return failed(stage.path)
  }
  settleGates(stage)
  passPreparations(stage, textOf(childOf(childOf(root, 'expect'), 'at')))
  expectations(stage, childOf(root, 'expect'))
  const passed = !hasErrors(report.diagnostics)
  return { name, passed, diagnostics: report.diagnostics, path: stage.path, end: stage.state.end }
}

/** One line. False where the run is elsewhere, or where this cannot happen. */
function happens(stage: Stage, step: string, at: Position, value: Tree): boolean {
  const wanted = wantedOf(stage.program, step, value)
  if (wanted?.act.kind !== 'gate') settleGates(stage)
  passPreparations(stage, step)
  const wrong = (message: string, help: string): false => {
    stage.report.add({ code: 'scenario', at, path: value.path, message, help })
    return false
  }
  const { current } = stage.state
  if (current?.step !== step)
    return wrong(
      current === null
        ? `The run has ended as ${stage.state.end}, before "${step}".`
        : `The run is at "${current.step}", not at "${step}".`,
      `It came by ${stage.path.join(', ')}.`,
    )
  if (wanted === null)
    return wrong(
      `Nobody can tell what should happen at "${step}".`,
      'Write an answer, a fault, or a map such as { person: retry }.',
    )
  const decides = subjectsOf(stepOf(stage.program, step).contract).find(
    ({ name, from }) => from !== 'handoff' && Object.hasOwn(wanted.fields, name),
  )
  if (decides !== undefined)
    return wrong(`\`${decides.name}\` is what is answered, not a field.`, 'Write it as `answer:`.')
  // Without a name it is what every busy member of the panel does, each once.
  const busy = current.members.filter(({ status }) => status !== 'answered' && status !== 'faulted').length
  const times = wanted.member === null && wanted.act.kind === 'answer' ? Math.max(1, busy) : 1
  for (let done = 0; done < times; done++) {
    if (done > 0) settleGates(stage)
    const moves = movesOf(stage.program, stage.state, stage.now)
    const move = moves.find(
      ({ act }) => sameAct(act, wanted.act) && (wanted.member === null || memberOf(act) === wanted.member),
    )
    if (move === undefined || stage.state.current?.number !== current.number)
      return done > 0 || wrong(`"${actText(wanted.act)}" cannot happen at "${step}" now.`, whatCan(moves))
    const commands = move.commands.map((command) => completed(command, wanted))
    const result = play(stage.program, stage.state, { commands })
    if (typeof result === 'string')
      return wrong(`The engine refuses it: ${result}`, 'See what this answer needs.')
    advance(stage, result, move)
    const refused = result.events.find((event) => event.type === 'answer.refused')
    if (refused !== undefined && wanted.act.kind === 'answer')
      return wrong(refused.message, 'Give the `fields` it asks for.')
    // Held back: that is what came of this line, whoever else is busy.
    if (result.events.some((event) => event.type === 'signal.held')) return true
  }
  return true
}

const whatCan = (moves: readonly Move[]): string =>
  `What can: ${moves.map(({ act }) => actText(act)).join(', ')}.`

function advance(
  stage: Stage,
  { state, events }: Exclude<ReturnType<typeof play>, string>,
  move: Move,
): void {
  stage.state = state
  stage.now = move.at
  for (const event of events) if (event.type === 'visit.entered') stage.path.push(event.step)
}

/** Gates pass and context is found unless the scenario says otherwise. */
function settleGates(stage: Stage): void {
  for (;;) {
    const move = movesOf(stage.program, stage.state, stage.now).find(
      ({ act }) => act.kind === 'context' || (act.kind === 'gate' && act.passes),
    )
    if (move === undefined) return
    const result = play(stage.program, stage.state, move)
    if (typeof result === 'string') return
    advance(stage, result, move)
  }
}

/** Setup and trials go well unless the scenario speaks of them. */
function passPreparations(stage: Stage, until: string | undefined): void {
  for (;;) {
    const { current } = stage.state
    if (current === null || current.step === until || current.question !== null) return
    const step = stepOf(stage.program, current.step)
    if (!prepares(step)) return
    const [well] = outcomesOf(step.contract)
    const move = movesOf(stage.program, stage.state, stage.now).find(
      ({ act }) => act.kind === 'answer' && act.outcome === well,
    )
    if (move === undefined) return
    const result = play(stage.program, stage.state, move)
    if (typeof result === 'string') return
    advance(stage, result, move)
  }
}

interface Wanted {
  readonly act: Act
  readonly member: string | null
  readonly fields: Readonly<Record<string, unknown>>
}

const memberOf = (act: Act): string | null => ('member' in act ? act.member : null)

function wantedOf(program: Program, step: string, value: Tree): Wanted | null {
  const word = textOf(value)
  const member = textOf(childOf(value, 'member')) ?? null
  const notes = textOf(childOf(value, 'notes'))
  const given = childOf(value, 'fields')
  const fields = {
    ...(given === undefined ? {} : (plainValue(given) as Record<string, unknown>)),
    ...(notes === undefined ? {} : { notes }),
  }
  const act = word === undefined ? actOf(value) : wordAct(program, step, word)
  return act === null ? null : { act, member, fields }
}

function actOf(value: Tree): Act | null {
  const answer = textOf(childOf(value, 'answer'))
  const fault = textOf(childOf(value, 'fault'))
  const wrong = childOf(value, 'wrong')
  const gate = textOf(childOf(value, 'gate'))
  const person = textOf(childOf(value, 'person'))
  const instead = textOf(childOf(value, 'instead'))
  const on = (key: string) => booleanOf(childOf(value, key)) ?? false
  if (answer !== undefined)
    return answerAct(answer, { settled: on('settled'), later: on('later'), proposed: on('proposed') })
  if (fault !== undefined)
    return {
      kind: 'fault',
      fault: fault as Fault,
      member: null,
      ...(on('together') ? { together: true } : {}),
    }
  if (wrong !== undefined && booleanOf(wrong) !== false)
    return { kind: 'wrong', member: null, handoff: textOf(wrong) === 'handoff' }
  if (gate !== undefined) return { kind: 'gate', passes: gate === 'pass', member: null }
  if (instead !== undefined) return { kind: 'person', picks: instead, stead: true }
  if (person !== undefined) return { kind: 'person', picks: person, stead: !isExtra(person) }
  return on('asks') ? { kind: 'asks', member: null } : null
}

function wordAct(program: Program, step: string, word: string): Act {
  const known = Object.hasOwn(program.steps, step) ? stepOf(program, step) : null
  if (word === 'wait') return { kind: 'wait' }
  if (word === 'context') return { kind: 'context' }
  if (isFault(word) && (known === null || known.faults.includes(word)))
    return { kind: 'fault', fault: word, member: null }
  return answerAct(word)
}

/** The command with the fields that the scenario gives. */
function completed(command: RunCommand, { fields }: Wanted): RunCommand {
  if (Object.keys(fields).length === 0) return command
  if (
    (command.type !== 'attempt.answer' && command.type !== 'question.answer') ||
    command.given.kind !== 'value'
  )
    return command
  return { ...command, given: { kind: 'value', value: { ...(command.given.value as object), ...fields } } }
}

function expectations({ program, state, report }: Stage, expected: Tree | undefined): void {
  const known = (key: keyof typeof NOUNS, names: readonly string[]): void => {
    for (const entry of entriesOf(childOf(expected, key)))
      if (!names.includes(entry.key))
        report.add({
          code: 'scenario',
          at: entry.at,
          path: entry.value.path,
          message: `There is no ${NOUNS[key]} "${entry.key}"${orNear(entry.key, names)}`,
        })
  }
  known('visits', Object.keys(program.steps))
  known('budgets', Object.keys(program.budgets))
  known('counters', countersOf(program))
  const compare = (tree: Tree | undefined, what: string, actual: string | number): void => {
    const wanted = textOf(tree) ?? numberOf(tree)
    if (tree === undefined || wanted === undefined || wanted === actual) return
    report.add({
      code: 'scenario',
      at: tree.at,
      path: tree.path,
      message: `Expected ${what} ${wanted}, but it is ${actual}.`,
    })
  }
  compare(childOf(expected, 'end'), 'the end', state.end ?? `still running, at ${state.current?.step}`)
  compare(childOf(expected, 'at'), 'the run to be at', state.current?.step ?? `ended as ${state.end}`)
  for (const { key, value } of entriesOf(childOf(expected, 'visits')))
    compare(value, `visits of ${key}`, state.visits[key] ?? 0)
  for (const { key, value } of entriesOf(childOf(expected, 'budgets')))
    compare(value, `what is left of ${key}`, state.budgets[key] ?? 0)
  for (const { key, value } of entriesOf(childOf(expected, 'counters')))
    compare(value, `the count of ${key}`, state.counters[key] ?? 0)
}

const NOUNS = { visits: 'step', budgets: 'budget', counters: 'counter' } as const

/** Those with a name of their own; what counts for one route alone is called after it, with dots. */
const countersOf = ({ steps }: Program): string[] => {
  const all = Object.values(steps).flatMap(({ routes }) =>
    Object.values(routes).flatMap(({ arms }) =>
      arms.flatMap(({ bound }) => (bound?.kind === 'max' ? [bound.counter] : [])),
    ),
  )
  return [...new Set(all)].filter((counter) => !counter.includes('.'))
}

const varsText = ({ vars }: Program): string => Object.keys(vars).join(', ') || 'none'
