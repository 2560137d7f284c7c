import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leadingToAnEnd } from '../checks/reachability.ts'
import { type Exploration, explore, exploreProgram, restrictedTo } from './exploration.ts'
import { type Choice, type FlowGraph, flowGraph, type GraphArm } from './flow-graph.ts'
import { type StateSpace, stateSpaceOf } from './state-space.ts'
import { backwards } from './topological.ts'
import { wiredProgram, wrapped } from './wired-programs.fixture.ts'
import { worstOfEveryState } from './worst-case.fixture.ts'
import { worstCase } from './worst-case.ts'

describe('exploration', () => {
  it('[C2] [C3] [C6] finds what looking at every state finds', () => {
    const seen = { bounded: 0, unbounded: 0, deep: 0 }
    fc.assert(
      fc.property(wiredProgram, (program) => {
        const graph = flowGraph(program)
        const bounded = agree(graph)
        agree(restrictedTo(graph, ({ kind }) => kind !== 'fault'))
        seen[bounded ? 'bounded' : 'unbounded']++
        if (bounded && Object.keys(program.steps).some((name) => name.split('/').length > 2)) seen.deep++
      }),
      { numRuns: 500 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5)
  })

  it('[C2] [C3] [C6] does so where a flow is entered and left at several nodes', () => {
    fc.assert(
      fc.property(wiredProgram, (program) => {
        agree(doubled(flowGraph(program)))
      }),
      { numRuns: 200 },
    )
  })

  it('[C2] [C3] is the same where an inlined flow is known from another program', () => {
    fc.assert(
      fc.property(wiredProgram, (inner) => {
        // Each holds the one before it, so all but the outer levels of the later ones are known.
        for (let program = inner, depth = 0; depth < 4; program = wrapped(program), depth++) {
          const known = exploreProgram(program)
          const whole = explore(flowGraph(program))
          expect(known.summary === null).toBe(whole.summary === null)
          if (whole.summary === null) return
          expect(ownNodes(known.graph, known.reached)).toEqual(ownNodes(whole.graph, whole.reached))
          expect(ownArms(known)).toEqual(ownArms(whole))
        }
      }),
      { numRuns: 150 },
    )
  })

  it('[C2] [C3] is the same where of flows inside flows only the outlines are looked at', () => {
    let outlined = 0
    fc.assert(
      fc.property(wiredProgram, fc.boolean(), (innermost, isPaidAlike) => {
        exploreProgram(innermost)
        for (let inner = innermost, depth = 0; depth < 4; depth++) {
          const made = wrapped(inner)
          // With another budget the flows inside are entered in ways that were not met before.
          const { interventions = 0 } = isPaidAlike ? inner.budgets : made.budgets
          const program = { ...made, budgets: { ...made.budgets, interventions } }
          const known = exploreProgram(program, new Map([['w', inner]]))
          const whole = explore(flowGraph(program))
          expect(known.summary === null).toBe(whole.summary === null)
          if (known.isOutlined) outlined++
          expect(ownNodes(known.graph, leadingToAnEnd(known.graph))).toEqual(
            ownNodes(whole.graph, leadingToAnEnd(whole.graph)),
          )
          if (whole.summary === null) return
          expect(ownNodes(known.graph, known.reached)).toEqual(ownNodes(whole.graph, whole.reached))
          expect(ownArms(known)).toEqual(ownArms(whole))
          inner = program
        }
      }),
      { numRuns: 300 },
    )
    expect(outlined).toBeGreaterThan(100)
  })
})

function agree(graph: FlowGraph): boolean {
  const space = stateSpaceOf(graph)
  fc.pre(space.complete)
  const order = backwards(space)
  const { summary, reached, taken } = explore(graph)
  expect(summary === null).toBe(order === null)
  if (summary === null || order === null) return false
  const every = worstOfEveryState(space, order)
  const { worst, visits, longestPath } = worstCase(graph, summary)!
  expect(worst).toEqual(every.worst)
  for (const [step, times] of every.visits) expect([step, visits.get(step) ?? 0]).toEqual([step, times])
  expect([...reached].toSorted((a, b) => a - b)).toEqual([...new Set(space.nodes)].toSorted((a, b) => a - b))
  const arms = taken()
  expect(laterArms(graph, (arm) => arms.has(arm))).toEqual(laterArms(graph, takenIn(space)))
  const path = longestPath()
  expect(path).toHaveLength(worst.visits)
  expect(isRun(space, path)).toBe(true)
  return true
}

/** Every node but the ends twice; a fault leads from the first to the second, and nothing leads back. */
function doubled(graph: FlowGraph): FlowGraph {
  const { nodes } = graph
  const second = (node: number): number => (nodes[node]!.kind === 'end' ? node : node + nodes.length)
  const led = (choices: readonly Choice[], moves: (choice: Choice) => boolean): Choice[] =>
    choices.map((choice) =>
      moves(choice)
        ? { ...choice, arms: choice.arms.map((arm) => ({ ...arm, to: second(arm.to) })) }
        : choice,
    )
  return {
    ...graph,
    nodes: [
      ...nodes.map((node) => ({ ...node, choices: led(node.choices, ({ kind }) => kind === 'fault') })),
      ...nodes.map((node) => ({
        ...node,
        id: node.id + nodes.length,
        choices: led(node.choices, () => true),
      })),
    ],
  }
}

/** Those of the flow itself, whatever their numbers are. */
const ownNodes = ({ nodes }: FlowGraph, some: ReadonlySet<number>): string[] =>
  nodes
    .flatMap(({ id, kind, name }) => (some.has(id) && !name.includes('/') ? [`${kind} ${name}`] : []))
    .toSorted()

function ownArms({ graph, taken }: Exploration): string[] {
  const arms = taken()
  const own = graph.nodes.filter(({ name }) => !name.includes('/'))
  return laterArms({ nodes: own }, (arm) => arms.has(arm)).map((text) => text.slice(text.indexOf(' ')))
}

type Test = (arm: GraphArm) => boolean

/** The arms after the first of their route for which something holds. */
function laterArms({ nodes }: Pick<FlowGraph, 'nodes'>, holds: Test): string[] {
  const found = new Set<string>()
  for (const { id, name, choices } of nodes)
    for (const { outcome, arms } of choices)
      for (const [index, arm] of arms.entries())
        if (index > 0 && holds(arm)) found.add(`${id} ${name} ${outcome} ${index}`)
  return [...found].toSorted()
}

function takenIn({ graph, nodes, first, choices, arms }: StateSpace): Test {
  const taken = new Set<unknown>()
  nodes.forEach((node, state) => {
    for (let move = first[state]!; move < first[state + 1]!; move++)
      taken.add(graph.nodes[node]!.choices[choices[move]!]!.arms[arms[move]!])
  })
  return (arm) => taken.has(arm)
}

/** Whether some run visits exactly these nodes, in this order. */
function isRun({ graph, nodes, first, to }: StateSpace, path: readonly number[]): boolean {
  const isStay = (state: number) => graph.nodes[nodes[state]!]!.kind === 'work'
  const spread = (states: Set<number>): Set<number> => {
    for (const state of states)
      for (let move = first[state]!; move < first[state + 1]!; move++)
        if (!isStay(to[move]!)) states.add(to[move]!)
    return states
  }
  let at = new Set([0])
  for (const node of path.slice(1)) {
    const next = new Set<number>()
    for (const state of spread(at))
      for (let move = first[state]!; move < first[state + 1]!; move++)
        if (isStay(to[move]!) && nodes[to[move]!] === node) next.add(to[move]!)
    at = next
  }
  return [...spread(at)].some((state) => first[state] === first[state + 1])
}
