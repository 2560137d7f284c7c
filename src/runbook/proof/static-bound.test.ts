import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compiledRunbook } from '../../../test/runbooks.fixture.ts'
import type { Program } from '../../model/program.ts'
import { compileSource } from '../compile.ts'
import { certify } from './certificate.ts'
import { explore } from './exploration.ts'
import { flowGraph, workNodes } from './flow-graph.ts'
import { freeCycle, visitBounds } from './static-bound.ts'
import { components } from './topological.ts'
import { wiredProgram } from './wired-programs.fixture.ts'
import { worstCase } from './worst-case.ts'

function compile(steps: string, files: Record<string, string> = {}) {
  const text = `runbook: 1\nbudgets: { rework: 2 }\nsteps:\n${steps}`
  return compileSource({ file: 'flow.yaml', text }, (path) =>
    files[path] === undefined
      ? { kind: 'unreadable', why: 'does not exist' }
      : { kind: 'text', text: files[path], file: path },
  )
}

function bounds(program: Program): Record<string, number> {
  const graph = flowGraph(program)
  expect(freeCycle(graph)).toBeNull()
  const visits = visitBounds(graph)
  return Object.fromEntries(
    [...graph.work.keys()].map((name) => [
      name,
      workNodes(graph, name).reduce((sum, node) => sum + visits.get(node)!, 0),
    ]),
  )
}

describe('a bound without exploration', () => {
  it('[C6] is never below what a run can reach', () => {
    fc.assert(
      fc.property(compiledRunbook, (program) => {
        const { exact, steps } = certify(program)
        fc.pre(exact)
        const bound = bounds(program)
        for (const { step, visits } of steps) expect(bound[step]).toBeGreaterThanOrEqual(visits)
      }),
      { numRuns: 200 },
    )
  })

  it('[C3] [C6] bounds every flow without a free cycle, with shared counters and several budgets too', () => {
    fc.assert(
      fc.property(wiredProgram, (program) => {
        const graph = flowGraph(program)
        fc.pre(freeCycle(graph) === null)
        const { summary } = explore(graph)
        expect(summary).not.toBeNull()
        const bound = visitBounds(graph)
        for (const [step, visits] of worstCase(graph, summary!)!.visits)
          expect(
            workNodes(graph, step).reduce((sum, node) => sum + bound.get(node)!, 0),
          ).toBeGreaterThanOrEqual(visits)
      }),
      { numRuns: 300 },
    )
  })

  it('[C4] counts each pass that a budget begins', () => {
    const { program } = compile(`
  work:
    decide: Again?
    options:
      again: { to: work, max: 3, then: done }
      anew: { to: work, spend: rework, then: abandoned }
      stop: done`)
    // Three times in each of three passes, twice for the budget, and once to begin with.
    expect(bounds(program!)).toEqual({ work: 3 * 3 + 2 + 1 })
    expect(certify(program!).steps[0]!.visits).toBe(12)
  })

  it('[C4] counts an inlined flow anew at each visit of its step', () => {
    const child = `runbook: 1
steps:
  try: { decide: Well?, options: { again: { to: retry, max: 2, then: abandoned }, good: done } }`
    const { program } = compile(
      `  part: { flow: child.yaml, options: { done: done, abandoned: { to: retry, max: 3, then: abandoned } } }`,
      { 'child.yaml': child },
    )
    expect(bounds(program!)).toEqual({ part: 4, 'part/try': 12 })
  })
})

describe('a free cycle', () => {
  const graphOf = (choices: Record<string, string[]>) =>
    flowGraph({
      budgets: {},
      limits: { costUsd: null, tokens: null },
      start: 'a',
      steps: Object.fromEntries(
        Object.entries(choices).map(([name, targets]) => [
          name,
          {
            kind: 'check',
            name,
            faults: [],
            settleOn: null,
            contract: {
              variables: [{ name: 'v', options: targets.map((value) => ({ value })) }],
              rows: [],
              fields: [],
              handoff: null,
            },
            routes: Object.fromEntries(
              targets.map((to) => [
                to,
                { origin: 'step', arms: [{ to: { kind: 'step', step: to }, bound: null }] },
              ]),
            ),
          },
        ]),
      ),
    } as unknown as Program)

  const cycleIn = (choices: Record<string, string[]>) => {
    const graph = graphOf(choices)
    return freeCycle(graph)?.map((node) => graph.nodes[node]!.name) ?? null
  }

  it('[C3] is found, and is a shortest one of its part', () => {
    expect(cycleIn({ a: ['b'], b: ['c'], c: [] })).toBeNull()
    expect(cycleIn({ a: ['a'] })).toEqual(['a'])
    expect(cycleIn({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['c'] })?.toSorted()).toEqual(['c', 'd'])
  })

  it('[C3] is told where the flow is too large to explore', () => {
    const loops = Array.from({ length: 8 }, (_, n) => `      o${n}: { to: work, max: 1000, then: done }`)
    const { diagnostics } = compile(`
  work:
    agent: a
    options:
${loops.join('\n')}
      go: rest
  rest:
    decide: Go on?
    options: { back: work, stop: done }`)
    expect(
      diagnostics.filter(({ code }) => code === 'unbounded-cycle').map(({ message }) => message),
    ).toEqual(['A cycle through "rest", "work" costs nothing, and could not be shown to end.'])
  })
})

describe('strongly connected parts', () => {
  it('hold exactly the nodes that lead to each other, each part after those it leads to', () => {
    const graph = fc
      .integer({ min: 1, max: 8 })
      .chain((size) => fc.array(fc.array(fc.nat({ max: size - 1 })), { minLength: size, maxLength: size }))
    fc.assert(
      fc.property(graph, (edges) => {
        const next = (node: number) => edges[node]!
        const reach = edges.map((_, start) => {
          const seen = new Set([start])
          for (const node of seen) for (const to of next(node)) seen.add(to)
          return seen
        })
        const parts = components([...edges.keys()], next)
        expect(parts.flat().toSorted((a, b) => a - b)).toEqual([...edges.keys()])
        const partOf = (node: number) => parts.findIndex((part) => part.includes(node))
        for (const a of edges.keys())
          for (const b of reach[a]!) {
            expect(partOf(b)).toBeLessThanOrEqual(partOf(a))
            expect(partOf(a) === partOf(b)).toBe(reach[b]!.has(a))
          }
      }),
    )
  })

  it('[L3] are found in a graph of a hundred thousand nodes', () => {
    const size = 100_000
    const nodes = Array.from({ length: size }, (_, node) => node)
    expect(components(nodes, (node) => [(node + 1) % size])).toHaveLength(1)
  })
})
