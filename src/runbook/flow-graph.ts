/**
 * The routing graph of a program: for each step a node where work goes on, one where its question lies with a
 * person (if it can), and one for each way out of an inlined flow. Checks, certificate and rehearsal all look at
 * this one graph, so none of them has its own idea of where an outcome leads.
 */
import {
  type Contract,
  choicesFor,
  needsConfirmation,
  outcomesOf,
  possibleOutcomes,
  type Variable,
} from '../model/contract.ts'
import type { Program, Step } from '../model/program.ts'
import { asks, type Bound, RETRY, type Route, STOP, type Target } from '../model/route.ts'

export interface GraphArm {
  readonly to: number
  readonly bound: Bound | null
}

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
  readonly choices: readonly Choice[]
}

export interface FlowGraph {
  readonly program: Program
  readonly nodes: readonly GraphNode[]
  readonly start: number
  readonly work: ReadonlyMap<string, number>
  readonly asked: ReadonlyMap<string, number>
}

export function flowGraph(program: Program): FlowGraph {
  const names: Pick<GraphNode, 'kind' | 'name'>[] = []
  const ids = new Map<string, number>()
  const idOf = (kind: GraphNode['kind'], name: string): number => {
    const key = `${kind} ${name}`
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, names.length)
    names.push({ kind, name })
    return names.length - 1
  }
  const nodeOf = (step: Step, to: Target): number => {
    switch (to.kind) {
      case 'step':
        return idOf('work', to.step)
      case 'end':
        return idOf('end', to.end)
      case 'leave':
        return idOf('exit', `${to.flow}:${to.end}`)
      case 'ask':
        return idOf('asked', step.name)
    }
  }
  const choices = (step: Step, outcome: string, kind: Choice['kind'], settles: boolean): Choice[] => {
    const route = step.routes[outcome]
    if (route === undefined) return []
    const arms = route.arms.map(({ to, bound }) => ({ to: nodeOf(step, to), bound }))
    const choice: Choice = { outcome, kind, route, arms, settled: false }
    return settles && arms.length > 1 ? [choice, { ...choice, settled: true }] : [choice]
  }

  const steps = Object.values(program.steps)
  const made = new Map<number, readonly Choice[]>()
  for (const step of steps) {
    const id = idOf('work', step.name)
    if (step.kind === 'flow') {
      const entry = { to: idOf('work', step.entry), bound: null }
      made.set(id, [{ outcome: 'enter', kind: 'enter', route: null, arms: [entry], settled: false }])
      for (const end of outcomesOf(step.contract))
        made.set(idOf('exit', `${step.name}:${end}`), choices(step, end, 'answer', false))
      continue
    }
    const settles = step.settleOn !== null
    const answers = possibleOutcomes(step.contract)
    const { direct, proposes } = possibleAnswers(step)
    made.set(id, [
      ...direct.flatMap((outcome) => choices(step, outcome, 'answer', settles)),
      ...(proposes ? [proposal(idOf('asked', step.name))] : []),
      ...step.faults.flatMap((fault) => choices(step, fault, 'fault', false)),
    ])
    if (step.routes[STOP] === undefined) continue
    made.set(idOf('asked', step.name), [
      ...answers.flatMap((outcome) => {
        const route = step.routes[outcome]
        // What a person chooses is taken as it is, settled or not.
        return route === undefined || asks(route) ? [] : choices(step, outcome, 'answer', false)
      }),
      ...choices(step, RETRY, 'person', false),
      ...choices(step, STOP, 'person', false),
    ])
  }
  return {
    program,
    nodes: names.map((node, id) => ({ id, ...node, choices: made.get(id) ?? [] })),
    start: idOf('work', program.start),
    work: new Map(steps.map((step) => [step.name, idOf('work', step.name)])),
    asked: new Map(names.flatMap(({ kind, name }, id) => (kind === 'asked' ? [[name, id] as const] : []))),
  }
}

const proposal = (to: number): Choice => ({
  outcome: 'proposal',
  kind: 'person',
  route: null,
  arms: [{ to, bound: null }],
  settled: false,
})

/** The outcomes that whoever works at the step can bring about, and whether it can put one to a person. */
function possibleAnswers(step: Step): {
  readonly direct: readonly string[]
  readonly proposes: boolean
} {
  const all = possibleOutcomes(step.contract)
  if (step.kind !== 'agent' && step.kind !== 'panel') return { direct: all, proposes: false }
  const blocking = step.members.filter((member) => !member.advisory)
  // Advice alone decides nothing, so the best answer stands.
  if (blocking.length === 0) {
    const proposes = needsConfirmation(step.contract, choicesFor(step.contract, all[0]!) ?? {})
    return { direct: proposes ? [] : all.slice(0, 1), proposes }
  }
  const { variables } = step.contract
  const free = { ...step.contract, variables: variables.map(withoutConfirmed) }
  const confirms = variables.some((variable) => variable.options.some((option) => option.confirm))
  const unconfirmed = confirms ? all.filter((outcome) => reachesFreely(free, outcome)) : all
  const failing = blocking.filter((member) => member.signal === 'fail')
  if (failing.length === blocking.length) return { direct: [], proposes: false }
  // One that always fails leaves only the worst answer of the others, which nothing could make worse.
  const given = failing.length === 0 ? all : all.slice(1).slice(-1)
  if (blocking.some((member) => member.signal === 'escalate')) return { direct: [], proposes: true }
  return {
    direct: given.filter((outcome) => unconfirmed.includes(outcome)),
    proposes: confirms && given.some((outcome) => failing.length === 0 || !unconfirmed.includes(outcome)),
  }
}

const withoutConfirmed = (variable: Variable): Variable => ({
  ...variable,
  options: variable.options.filter((option) => !option.confirm),
})

const reachesFreely = (free: Contract, outcome: string): boolean => {
  const choices = choicesFor(free, outcome)
  return choices !== null && free.variables.every((v) => v.options.some((o) => o.value === choices[v.name]))
}

/** The nodes one can go to from here, whatever it costs. */
export const successors = (node: GraphNode): number[] =>
  node.choices.flatMap((choice) => choice.arms.map((arm) => arm.to))
