import { describe, expect, it } from 'vitest'
import { deepFlows } from '../../../bench/deep-flows.ts'
import { longRunbook } from '../../../bench/long-runbook.ts'
import { nestedLoops } from '../../../bench/nested-loops.ts'
import { isCounted } from '../../model/certificate.ts'
import { compileSource } from '../compile.ts'
import { certify } from './certificate.ts'

const certified = (files: Readonly<Record<string, string>>) => {
  const [file, text] = Object.entries(files)[0]!
  const { program } = compileSource({ file, text }, (path) =>
    files[path] === undefined
      ? { kind: 'unreadable', why: 'does not exist' }
      : { kind: 'text', text: files[path], file: path },
  )
  return certify(program!)
}

describe('the worst case', () => {
  it('[C6] of four loops around each other is exact', () => {
    const { exact, worst, steps, longestPath } = certified({ 'loops.yaml': nestedLoops(4, 10) })
    expect(exact).toBe(true)
    // Each of the forty ways back begins again, and so do three retries; after them the way goes on to the end.
    const develops = 1 + 4 * 10 + 3
    expect(steps[0]!.visits).toBe(develops)
    expect(longestPath).toHaveLength(worst.visits)
  })

  it('[C6] of flows in flows is exact however deep they stand', () => {
    // Each level goes into the next at most twice and is then tested; three more tests are retries by a person.
    const visits = (depth: number): number => (depth === 1 ? 1 : 2 * (1 + visits(depth - 1) + 1))
    for (const depth of [2, 3, 12, 30]) {
      const { exact, worst, steps } = certified(deepFlows(depth))
      expect({ depth, exact, visits: worst.visits }).toEqual({
        depth,
        exact: true,
        visits: visits(depth) + 3,
      })
      expect(steps.every((step) => step.visits > 0)).toBe(true)
    }
  })

  it('[C6] grows by as much with every stage of a long runbook', () => {
    const visits = [48, 96, 144].map((steps) => certified({ 'long.yaml': longRunbook(steps) }).worst.visits)
    expect(visits[1]! - visits[0]!).toBe(visits[2]! - visits[1]!)
  })

  it('[C14] that is beyond exact numbers is told as that, and the others stay exact', () => {
    const { exact, worst, steps, longestPath } = certified(deepFlows(60))
    expect(exact).toBe(true)
    expect(isCounted(worst.visits)).toBe(false)
    expect(worst.visits).toBe(Number.MAX_SAFE_INTEGER)
    expect(steps.find(({ step }) => step === 'inside')!.visits).toBe(2)
    expect(longestPath).toEqual([])
  })

  it('[C14] that is only bounded is never told as a smaller number either', () => {
    const loops = Array.from({ length: 5 }, (_, n) => `o${n}: { to: part, max: 1000, then: done }`).join(', ')
    const flowText = (depth: number) => `runbook: 1
steps:
  part: ${depth === 5 ? '{ check: make, options: { pass: asks, fail: asks } }' : `{ flow: f${depth + 1}.yaml, options: { done: asks } }`}
  asks: { decide: Again?, options: { ${loops}, stop: done } }
`
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`f${n}.yaml`, flowText(n)]))
    const { exact, worst, steps } = certified(files)
    expect(exact).toBe(false)
    expect(worst.visits).toBe(Number.MAX_SAFE_INTEGER)
    expect(steps.find(({ step }) => step === 'part')!.visits).toBe(5001)
  })
})
