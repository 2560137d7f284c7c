/**
 * The rules of routes, read off SPEC.md once more: which arm is taken (R1 to R4, S5), what following it costs, and what
 * starts again or is forgotten (R2, R3, R11 to R13, C4). Nothing of it is the engine's.
 */
import type { RunState } from '../../src/engine/state.ts'
import type { Finding } from '../../src/model/answer.ts'
import type { RunEvent } from '../../src/model/event.ts'
import { isFault } from '../../src/model/fault.ts'
import type { Program } from '../../src/model/program.ts'
import type { Arm } from '../../src/model/route.ts'
import { readRound } from './rounds.ts'

type Left = Extract<RunEvent, { type: 'visit.left' }>
type Opened = Extract<RunEvent, { type: 'question.opened' }>
type Findings = readonly Finding[]

interface Book {
  readonly program: Program
  readonly counters: Map<string, number>
  readonly budgets: Map<string, number>
  readonly findings: Map<string, Findings>
  readonly problems: string[]
}

/** What of these events is against a rule, one sentence each. */
export function followsRules(
  program: Program,
  before: RunState,
  events: readonly RunEvent[],
  after: RunState,
): string[] {
  if (!events.some(isRouted)) return []
  const book: Book = {
    program,
    counters: new Map(Object.entries(before.counters)),
    budgets: new Map(Object.entries(before.status === 'new' ? program.budgets : before.budgets)),
    findings: new Map(Object.entries(before.findings)),
    problems: [],
  }
  let at = before.current?.step ?? ''
  for (const [index, event] of events.entries())
    if (event.type === 'visit.entered') {
      at = event.step
      if (event.kind === 'flow') startAgain(book.counters, `${event.step}/`)
    } else if (event.type === 'visit.left') leftBy(book, event, events[index + 1])
    else if (event.type === 'question.opened' && event.route !== null) askedBy(book, at, event)
  const wrong = (what: string, mine: string, theirs: string): string[] =>
    mine === theirs ? [] : [`rules: ${what} ${theirs} after ${namesOf(events)}, and should be ${mine}`]
  return [
    ...book.problems,
    ...wrong('the counters are', textOf(book.counters), textOf(new Map(Object.entries(after.counters)))),
    ...wrong('the budgets are', textOf(book.budgets), textOf(new Map(Object.entries(after.budgets)))),
    ...wrong('findings are of', namesIn(book.findings), namesIn(new Map(Object.entries(after.findings)))),
    ...remembersTooMuch(program, before, events, after),
  ]
}

const isRouted = (event: RunEvent): boolean =>
  event.type === 'visit.left' ||
  event.type === 'visit.entered' ||
  (event.type === 'question.opened' && event.route !== null)

function leftBy(book: Book, event: Left, next: RunEvent | undefined): void {
  const { step, outcome, by, findings } = event
  const { settleOn, routes } = book.program.steps[step]!
  const arms = routes[outcome]!.arms
  const said = event.answer?.fields[settleOn ?? '']
  const settled =
    findings !== null && by.kind === 'agent' && isSettled(book, step, { outcome, said: said as Findings })
  if (settled !== event.settled) book.problems.push(`rules: ${step}: ${outcome} is wrongly told to settle`)
  if (findings !== null && by.kind === 'agent') {
    const mine = readRound(book.findings.get(step) ?? [], (said ?? []) as Findings).findings
    if (statuses(mine) !== statuses(findings)) book.problems.push(`rules: ${step}: what is found is misread`)
  }
  taken(book, { step, outcome, arm: event.arm, settled })
  if (findings !== null) book.findings.set(step, findings)
  pay(book, step, outcome, arms[event.arm]!)
  if (!leadsTo(arms[event.arm]!, next)) book.problems.push(`rules: ${step}: ${outcome} leads elsewhere`)
}

function askedBy(book: Book, step: string, { route, proposal }: Opened): void {
  const { outcome, arm } = route!
  const said = proposal?.fields[book.program.steps[step]!.settleOn ?? '']
  const settled = proposal !== null && isSettled(book, step, { outcome, said: said as Findings })
  taken(book, { step, outcome, arm, settled })
  const followed = book.program.steps[step]!.routes[outcome]!.arms[arm]!
  if (followed.to.kind !== 'ask')
    book.problems.push(`rules: ${step}: ${outcome} asks a person, and should not`)
  pay(book, step, outcome, followed)
}

/** [R4] [S3] [S5] Only a loop that counts its rounds, and only by what agents said. */
function isSettled(
  { program, findings }: Book,
  step: string,
  { outcome, said }: { outcome: string; said: Findings | undefined },
): boolean {
  const { settleOn, routes } = program.steps[step]!
  if (settleOn === null || isFault(outcome) || !counts(routes[outcome]!.arms)) return false
  const { news, material } = readRound(findings.get(step) ?? [], said ?? [])
  return !news || !material
}

const counts = (arms: readonly Arm[]): boolean => arms.length > 1 && arms[0]!.bound?.kind === 'max'

/** [R1] [R2] [R3] [R4] */
function taken(
  { program, counters, budgets, problems }: Book,
  { step, outcome, arm, settled }: { step: string; outcome: string; arm: number; settled: boolean },
): void {
  const { arms } = program.steps[step]!.routes[outcome]!
  const payable = arms.findIndex(({ bound }, index) => {
    if (index === 0 && settled && counts(arms)) return false
    if (bound === null) return true
    return bound.kind === 'max'
      ? (counters.get(bound.counter) ?? 0) < bound.times
      : (budgets.get(bound.budget) ?? 0) > 0
  })
  const mine = payable === -1 ? arms.length - 1 : payable
  if (mine !== arm) problems.push(`rules: ${step}: ${outcome} takes arm ${arm}, and should take ${mine}`)
}

/** [R2] [R3] [R11] [R12] [R13] [C4] */
function pay(
  { program, counters, budgets, findings }: Book,
  step: string,
  outcome: string,
  { to, bound }: Arm,
): void {
  const counted = bound?.kind === 'max' ? bound.counter : null
  if (to.kind === 'step' && to.step !== step)
    for (const counter of program.restarts?.[to.step] ?? []) if (counter !== counted) counters.delete(counter)
  if (counted !== null) counters.set(counted, (counters.get(counted) ?? 0) + 1)
  if (bound?.kind !== 'spend') return
  budgets.set(bound.budget, (budgets.get(bound.budget) ?? 0) - 1)
  // What a person retries begins no pass.
  if (outcome.startsWith('@')) return
  startAgain(counters, scopeAround(step))
  if (bound.forgets === true) startAgain(findings, scopeAround(step))
}

function startAgain(book: Map<string, unknown>, scope: string): void {
  for (const name of [...book.keys()]) if (name.startsWith(scope)) book.delete(name)
}

const scopeAround = (step: string): string => step.split('/').slice(0, -1).concat('').join('/')

function leadsTo({ to }: Arm, next: RunEvent | undefined): boolean {
  switch (to.kind) {
    case 'step':
      return next?.type === 'visit.entered' && next.step === to.step
    case 'end':
      return next?.type === 'run.ended' && next.end === to.end
    case 'leave':
      return (
        (next?.type === 'visit.left' && next.step === to.flow && next.outcome === to.end) ||
        (next?.type === 'question.opened' && next.route?.outcome === to.end)
      )
    case 'ask':
      return false
  }
}

/** [R13] A route that forgets leaves nothing that steps of its scope said, but for whoever sends the run back. */
function remembersTooMuch(
  program: Program,
  before: RunState,
  events: readonly RunEvent[],
  after: RunState,
): string[] {
  const lefts = events.filter((event) => event.type === 'visit.left')
  const sent = [...lefts.map(({ step }) => step), before.cameFrom]
  return lefts.flatMap(({ step, outcome, arm }) => {
    const { bound } = program.steps[step]!.routes[outcome]!.arms[arm]!
    if (bound?.kind !== 'spend' || bound.forgets !== true) {
      return after.records[step] === undefined ? [`rules: what ${step} said is forgotten`] : []
    }
    const kept = Object.keys(after.records).filter(
      (name) => name.startsWith(scopeAround(step)) && !sent.includes(name),
    )
    return kept.map((name) => `rules: what ${name} said is not forgotten`)
  })
}

const statuses = (findings: Findings): string =>
  findings.map(({ status, title }) => `${status} ${title}`).join()

const namesOf = (events: readonly RunEvent[]): string =>
  events
    .flatMap((event) => (event.type === 'visit.left' ? [`${event.step}: ${event.outcome}`] : []))
    .join(', ')

const namesIn = (findings: ReadonlyMap<string, Findings>): string => [...findings.keys()].sort().join()

const textOf = (numbers: ReadonlyMap<string, number>): string =>
  [...numbers]
    .filter(([, number]) => number !== 0)
    .map(([name, number]) => `${name} ${number}`)
    .sort()
    .join(', ')
