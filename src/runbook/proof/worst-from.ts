/**
 * What is still possible at most from where a run is: the same graph and the same counting as the certificate, begun in the middle. Every
 * state that can follow is looked at once; where there are too many, the bound that needs no look at them is told, as one.
 */
import type { Worst } from '../../model/certificate.ts'
import { isLimited, type Program } from '../../model/program.ts'
import { firstPayable, type Purse } from '../../model/route.ts'
import { agentQuestionsPerVisit, dispatchesPerVisit } from '../../model/workload.ts'
import { boundedWorst } from './bounded-worst.ts'
import { type FlowGraph, flowGraph, type GraphNode } from './flow-graph.ts'
import { digitsOf } from './purse.ts'
import { exactly } from './static-bound.ts'
import { type Weights, weightsOf } from './weights.ts'

export interface RunPosition extends Purse {
  readonly step: string
  /** The flow itself asks a person: about a fault, or whether a proposal may stand. */
  readonly isAsked: boolean
  /** The run's limit in money or tokens is used up, and no agent is at work. */
  readonly isOverLimit: boolean
  /** In this visit, so far. */
  readonly dispatches: number
  readonly flowQuestions: number
  readonly agentQuestions: number
}

export interface WorstFrom {
  readonly worst: Worst
  /** Some run comes to these numbers; otherwise they are true bounds. */
  readonly exact: boolean
}

const MOST_MOVES = 200_000

/** What has happened does not count, and neither does the visit that goes on, but for what is left in it. */
export function worstFrom(program: Program, position: RunPosition, mostMoves = MOST_MOVES): WorstFrom | null {
  const here = { ...program, budgets: { ...program.budgets, ...position.budgets } }
  const graph = flowGraph(here)
  const node = nodeOf(graph, position)
  if (node === null) return null
  const most = heaviestFrom(graph, { node, position, mostMoves })
  // A whole run with what is left of the budgets has the rest of this one in it.
  if (most === null) return { worst: boundedWorst(graph).worst, exact: false }
  return { worst: totalOf(leftInVisit(here, position, graph.nodes[node]!.kind), most), exact: true }
}

function nodeOf(graph: FlowGraph, { step, isAsked, isOverLimit }: RunPosition): number | null {
  const places = isOverLimit && isLimited(graph.program) ? (graph.overLimit ?? graph) : graph
  return (isAsked ? places.asked.get(step) : undefined) ?? places.work.get(step) ?? null
}

type LeftInVisit = Pick<RunPosition, 'agentQuestions' | 'dispatches' | 'flowQuestions'>

/** Whoever is asked about a step that came to nothing has it done with. */
function leftInVisit(program: Program, position: RunPosition, kind: GraphNode['kind']): LeftInVisit {
  const step = program.steps[position.step]
  if (step === undefined || kind !== 'work') return { dispatches: 0, flowQuestions: 0, agentQuestions: 0 }
  return {
    dispatches: Math.max(0, dispatchesPerVisit(program, step) - position.dispatches),
    // What it shows is gathered first.
    flowQuestions: step.kind === 'decide' && position.flowQuestions === 0 ? 1 : 0,
    agentQuestions: Math.max(0, agentQuestionsPerVisit(step) - position.agentQuestions),
  }
}

function totalOf(
  left: LeftInVisit,
  [visits = 0, dispatches = 0, flow = 0, agent = 0, questions = 0]: Most,
): Worst {
  return {
    visits: exactly(visits),
    dispatches: exactly(left.dispatches + dispatches),
    questions: exactly(left.flowQuestions + left.agentQuestions + questions),
    flowQuestions: exactly(left.flowQuestions + flow),
    agentQuestions: exactly(left.agentQuestions + agent),
  }
}

/** Visits, dispatches, questions of the flow, of agents, of both: each by the way that is heaviest in it. */
type Most = readonly number[]

const measuresAt = ({ visits, dispatches, flowQuestions, agentQuestions }: Weights, node: number): Most => [
  visits[node]!,
  dispatches[node]!,
  flowQuestions[node]!,
  agentQuestions[node]!,
  flowQuestions[node]! + agentQuestions[node]!,
]

const NOTHING: Most = [0, 0, 0, 0, 0]

interface SearchFrom {
  readonly node: number
  readonly position: Purse
  readonly mostMoves: number
}

interface Visited {
  readonly node: number
  readonly code: number
  readonly targets: readonly (readonly [number, number])[]
  next: number
  most: Most
}

/** Of what comes after the state itself. Null where there are too many states, or one leads back to itself. */
function heaviestFrom(graph: FlowGraph, { node, position, mostMoves }: SearchFrom): Most | null {
  const digits = digitsOf(graph)
  if (digits.size >= Number.MAX_SAFE_INTEGER) return null
  const weights = weightsOf(graph)
  const weightOf = graph.nodes.map(({ id }) => measuresAt(weights, id))
  /** Null while it is on the way. */
  const known = new Map<number, Most | null>()
  let moves = 0
  const visit = (at: number, code: number): Visited => {
    known.set(digits.base[at]! + code, null)
    const targets = graph.nodes[at]!.choices.map((choice, index) => {
      const arm = firstPayable(choice.arms, choice.settled, (one) => digits.affordable(at, index, one, code))
      return [choice.arms[arm]!.to, digits.after(at, index, arm, code)] as const
    })
    moves += targets.length
    return { node: at, code, targets, next: 0, most: NOTHING }
  }
  const way = [visit(node, digits.codeOf(node, position))]
  for (;;) {
    const here = way.at(-1)!
    const target = here.targets[here.next]
    if (target === undefined) {
      if (way.length === 1) return here.most
      way.pop()
      known.set(digits.base[here.node]! + here.code, plus(here.most, weightOf[here.node]!))
      continue
    }
    const found = known.get(digits.base[target[0]]! + target[1])
    if (found === null || moves > mostMoves) return null
    if (found === undefined) {
      way.push(visit(...target))
      continue
    }
    here.next++
    here.most = here.most.map((weight, at) => Math.max(weight, found[at]!))
  }
}

const plus = (one: Most, other: Most): Most => one.map((weight, at) => weight + other[at]!)
