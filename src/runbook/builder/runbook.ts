/**
 * `export default runbook({ … })`: a runbook in TypeScript, with the keys it has in YAML. The types know the names
 * it declares, so a reference to anything else does not compile; what comes out is the plain data of the YAML.
 */
import { withoutQuestions } from './question.ts'
import type { NoUnknownKeys } from './unknown-keys.ts'
import type { WrittenOf } from './written.ts'

/** What a TypeScript runbook exports. */
export interface Runbook {
  readonly runbook: 1
  readonly steps: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

// The condition never holds. It lets the compiler take R as it is written, and hold the literal against what it
// should be and nothing else: an intersection with R would tell every wrong name as `never`.
/** The runbook, checked by the compiler while it is written. `signalbox check` proves the rest. */
export function runbook<const R>(
  written: [R] extends [never] ? R : WrittenOf<R> & NoUnknownKeys<R, WrittenOf<R>>,
): Runbook {
  const plain = written as Pick<Runbook, 'steps'>
  return { runbook: 1, ...plain, steps: withoutQuestions(plain.steps) }
}
