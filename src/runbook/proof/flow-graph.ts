/**
 * The routing graph of a program: for each step a node where work goes on, one where its question lies with a
 * person (if it can), and one for each way out of an inlined flow. Checks, certificate and rehearsal all look at
 * this one graph, so none of them has its own idea of where an outcome leads.
 *
 * A run with a limit in money or tokens has each node twice: beyond the limit no agent begins, whoever leads to it.
 */
import { possibleOutcomes } from '../../model/combinations.ts'
import { outcomesOf } from '../../model/contract.ts'
import type { Fault } from '../../model/fault.ts'
import { possibleFaults } from '../../model/possible-faults.ts'
import {
  type AgentStep,
  isBounded,
  isLimited,
  type Program,
  prepares,
  restartedBy,
  type Step,
} from '../../model/program.ts'
import {
  type Arm,
  asks,
  type Bound,
  canSettle,
  RETRY,
  type Route,
  STOP,
  type Target,
} from '../../model/route.ts'
import { possibleAnswers } from './possible-answers.ts'

export interface GraphArm {
  readonly to: number
  readonly bound: Bound | null
  readonly restarts: Restarts
}

/** The counters that start again on the way: all of some scopes, and single ones. */
export interface Restarts {
  readonly scopes: readonly string[]
  readonly counters: readonly string[]
}

export const startsAgain = ({ scopes, counters }: Restarts, counter: string): boolean =>
  counters.includes(counter) || scopes.some((scope) => counter.startsWith(scope))

export interface Choice {
  readonly outcome: string
  readonly kind: 'answer' | 'fault' | 'person' | 'enter'
  readonly route: Route | null
  readonly arms: readonly GraphArm[]
  /** The loop has settled: the first arm is passed over. */
  readonly settled: boolean
}

export interface GraphNode {
  readonly id: number
  readonly kind: 'work' | 'asked' | 'exit' | 'end'
  /** The step, or the end. */
  readonly name: string
  /** The run's limit is used up. */
  readonly overLimit: boolean
  readonly choices: readonly Choice[]
}

/** Step → its node. */
export interface Places {
  readonly work: ReadonlyMap<string, number>
  readonly asked: ReadonlyMap<string, number>
}

export interface FlowGraph extends Places {
  readonly program: Program
  readonly nodes: readonly GraphNode[]
  readonly start: number
  /** The same beyond the run's limit; null where it has none. */
  readonly overLimit: Places | null
}

type Place = Pick<GraphNode, 'kind' | 'name' | 'overLimit'>

export function flowGraph(program: Program): FlowGraph {
  const places: Place[] = []
  const ids = new Map<string, Map<string, number>>()
  const idOf = (kind: GraphNode['kind'], name: string, overLimit: boolean): number => {
    // How a run ends is the same wherever it comes from.
    const isOver = overLimit && kind !== 'end'
    const named = ids.get(`${isOver ? 'over ' : ''}${kind}`) ?? new Map<string, number>()
    ids.set(`${isOver ? 'over ' : ''}${kind}`, named)
    const known = named.get(name)
    if (known !== undefined) return known
    named.set(name, places.length)
    places.push({ kind, name, overLimit: isOver })
    return places.length - 1
  }
  const steps = Object.values(program.steps)
  const made = new Map<number, readonly Choice[]>()
  for (const overLimit of isLimited(program) ? [false, true] : [false])
    for (const step of steps)
      for (const { kind, name, choices } of nodesOf(program, step, overLimit, idOf))
        made.set(idOf(kind, name, overLimit), choices)
  const start = idOf('work', program.start, false)
  const placesOf = (overLimit: boolean): Places => {
    const byStep = (kind: GraphNode['kind']) =>
      new Map(
        places.flatMap((place, id) =>
          place.kind === kind && place.overLimit === overLimit ? [[place.name, id] as const] : [],
        ),
      )
    return { work: byStep('work'), asked: byStep('asked') }
  }
  return {
    program,
    nodes: places.map((place, id) => ({ id, ...place, choices: made.get(id) ?? [] })),
    start,
    ...placesOf(false),
    overLimit: isLimited(program) ? placesOf(true) : null,
  }
}

/** A trial that does not do what is expected of it went wrong, though it answered. */
const kindOf = (step: Step, outcome: string): Choice['kind'] =>
  prepares(step) && outcome !== outcomesOf(step.contract)[0] ? 'fault' : 'answer'

type IdOf = (kind: GraphNode['kind'], name: string, overLimit: boolean) => number

/** The nodes of one step, on one side of the limit. */
function nodesOf(
  program: Program,
  step: Step,
  overLimit: boolean,
  idOf: IdOf,
): Pick<GraphNode, 'kind' | 'name' | 'choices'>[] {
  const nodeOf = (to: Target, over: boolean): number => {
    switch (to.kind) {
      case 'step':
        return idOf('work', to.step, over)
      case 'end':
        return idOf('end', to.end, over)
      case 'leave':
        return idOf('exit', `${to.flow}:${to.end}`, over)
      case 'ask':
        return idOf('asked', step.name, over)
    }
  }
  const choice = (outcome: string, kind: Choice['kind'], over = overLimit): Choice[] => {
    const route = step.routes[outcome]
    if (route === undefined) return []
    const arms = route.arms.map((arm) => ({
      to: nodeOf(arm.to, over),
      bound: arm.bound,
      restarts: restartsOf(program, step.name, arm),
    }))
    return [{ outcome, kind, route, arms, settled: false }]
  }

  if (step.kind === 'flow') {
    const entry = free(idOf('work', step.entry, overLimit))
    return [
      {
        kind: 'work',
        name: step.name,
        choices: [{ outcome: 'enter', kind: 'enter', route: null, arms: [entry], settled: false }],
      },
      ...outcomesOf(step.contract).map((end) => ({
        kind: 'exit' as const,
        name: `${step.name}:${end}`,
        choices: choice(end, 'answer'),
      })),
    ]
  }
  const isPanel = step.kind === 'panel' && step.members.length > 1
  // Of several members one can use up the limit, and another decide how the step ends.
  const sides = isPanel && isLimited(program) ? [false, true] : [overLimit]
  const proposal = (over: boolean): Choice => ({
    outcome: 'proposal',
    kind: 'person',
    route: null,
    arms: [free(idOf('asked', step.name, over))],
    settled: false,
  })
  const { direct, proposes } = possibleAnswers(step)
  const answered = (over: boolean): Choice[] => [
    ...direct.flatMap((outcome) => settling(step, choice(outcome, kindOf(step, outcome), over))),
    ...(proposes ? [proposal(over)] : []),
  ]
  // Some faults of a panel decide only where a graver one is kept away by the limit.
  const within = isPanel && isLimited(program) ? faultsWithin(program, step) : step.faults
  const faulted = (over: boolean): Choice[] =>
    step.faults.flatMap((fault) => {
      if (over || fault === 'over_budget') return choice(fault, 'fault', true)
      return within.includes(fault) ? choice(fault, 'fault', false) : []
    })
  const works =
    overLimit && beginsNobody(step)
      ? step.faults.length === 0
        ? answered(true)
        : choice('over_budget', 'fault')
      : sides.flatMap((over) => [...answered(over), ...faulted(over)])
  if (step.routes[STOP] === undefined) return [{ kind: 'work', name: step.name, choices: works }]
  // What a person chooses is taken as it is, settled or not.
  const offered = possibleOutcomes(step.contract).filter((outcome) => {
    const route = step.routes[outcome]
    return route !== undefined && !asks(route)
  })
  return [
    { kind: 'work', name: step.name, choices: works },
    {
      kind: 'asked',
      name: step.name,
      choices: [
        ...offered.flatMap((outcome) => choice(outcome, 'answer')),
        ...choice(RETRY, 'person'),
        ...choice(STOP, 'person'),
      ],
    },
  ]
}

const free = (to: number): GraphArm => ({ to, bound: null, restarts: NOTHING })
export const NOTHING: Restarts = { scopes: [], counters: [] }

/** Beyond the limit. */
const beginsNobody = (step: Step): step is AgentStep => step.kind === 'agent' || step.kind === 'panel'

/** As long as the limit is not used up. */
export const faultsWithin = (program: Program, { contract, members }: AgentStep): Fault[] =>
  possibleFaults({
    contract,
    blocking: members.filter(({ advisory }) => !advisory),
    isBounded: (agent) => isBounded(program, agent),
    limited: false,
  })

function settling(step: Step, choices: readonly Choice[]): Choice[] {
  return choices.flatMap((one) =>
    step.settleOn !== null && canSettle(one.arms) ? [one, { ...one, settled: true }] : [one],
  )
}

function restartsOf(program: Program, from: string, arm: Arm): Restarts {
  const { to, bound } = arm
  const counters = restartedBy(program, from, arm)
  const scopes: string[] = []
  if (bound?.kind === 'spend' && bound.pass !== null) scopes.push(bound.pass)
  if (to.kind === 'step' && program.steps[to.step]?.kind === 'flow') scopes.push(`${to.step}/`)
  return scopes.length === 0 && counters.length === 0 ? NOTHING : { scopes, counters }
}

/** Whether somebody wrote where it leads: that a person could stop the run is not so. */
export const isWritten = ({ route, kind }: Choice): boolean =>
  route?.origin !== 'built-in' || kind === 'answer'

/** The nodes one can go to from here, whatever it costs. */
export const successors = (node: GraphNode): number[] =>
  node.choices.flatMap((choice) => choice.arms.map((arm) => arm.to))

/** Where a step is at work, on both sides of the run's limit. */
export const workNodes = ({ work, overLimit }: FlowGraph, step: string): number[] =>
  [work.get(step), overLimit?.work.get(step)].filter((node) => node !== undefined)
