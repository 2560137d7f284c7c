/** The first runbook of a sample about which something is untrue. */
import { judge } from './compare.ts'
import { compileWritten, writeRunbook } from './write-runbook.ts'

export interface Difference {
  readonly seed: number
  readonly differences: readonly string[]
}

export function firstDifference(seed: number, runbooks: number, mostPlaces: number): Difference | null {
  let played = 0
  for (let next = seed; played < runbooks; next++) {
    const { program } = compileWritten(writeRunbook(next))
    if (program === null) continue
    const { tooLarge, differences } = judge(program, mostPlaces)
    if (differences.length > 0) return { seed: next, differences }
    if (!tooLarge) played++
  }
  return null
}
