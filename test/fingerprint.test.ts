/**
 * The property that makes the rehearsal's "all there are" true: states with one fingerprint have the same moves, and
 * each move leads to one fingerprint. Every state that is met again is held against the one that was gone on from.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileFile } from '../src/cli/runbooks/sources.ts'
import type { RunState } from '../src/engine/state.ts'
import type { Program } from '../src/model/program.ts'
import { actText } from '../src/rehearsal/act.ts'
import { createFingerprint } from '../src/rehearsal/fingerprint.ts'
import type { FaultWalks } from '../src/rehearsal/move.ts'
import { movesOf } from '../src/rehearsal/moves.ts'
import { play, startWith } from '../src/rehearsal/play.ts'
import { compileSource } from '../src/runbook/compile.ts'
import { compiledRunbook } from './runbooks.fixture.ts'

interface Lived {
  readonly state: RunState
  readonly now: number
}

/** What can be done in a state, each with the fingerprint it leads to. */
type Futures = readonly string[]

const MOST_STATES = 2000
/** Of one fingerprint: the first few twins are as different from each other as any. */
const MOST_TWINS = 4

/** How many states were met again and compared; throws where two with one fingerprint differ. */
function compareTwins(program: Program, faults: FaultWalks): number {
  const fingerprint = createFingerprint(program)
  const keyOf = ({ state, now }: Lived): string => textOf(fingerprint.of(state, now))
  const nextOf = ({ state, now }: Lived): { act: string; key: string; lived: Lived }[] =>
    movesOf(program, state, now, faults).map((move) => {
      const result = play(program, state, move)
      if (typeof result === 'string') throw new Error(`${actText(move.act)}: ${result}`)
      const after = { state: result.state, now: move.at }
      return { act: actText(move.act), key: keyOf(after), lived: after }
    })
  const begun = startWith(program, Object.fromEntries(Object.keys(program.vars).map((name) => [name, name])))
  if (typeof begun === 'string') throw new Error(begun)
  const known = new Map<string, { futures: Futures; twins: number }>()
  const open: Lived[] = [{ state: begun.state, now: 0 }]
  let compared = 0
  for (let at = 0; at < open.length && known.size < MOST_STATES; at++) {
    const here = open[at]!
    const key = keyOf(here)
    const first = known.get(key)
    if (first !== undefined && first.twins === MOST_TWINS) continue
    const next = nextOf(here)
    const futures = next.map((one) => `${one.act} → ${one.key}`)
    // Twins are gone on from, too: what tells them apart may show only later.
    open.push(...next.map(({ lived }) => lived))
    if (first === undefined) known.set(key, { futures, twins: 0 })
    else {
      first.twins++
      compared++
      // Thousands of these are equal: only one that is not is worth a report.
      if (futures.join() !== first.futures.join()) expect(futures).toEqual(first.futures)
    }
  }
  return compared
}

const textOf = ({ buffer, byteOffset, byteLength }: Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

describe('a fingerprint', () => {
  it('[T8] is one for states that can do the same, and each of their moves leads to one', () => {
    let compared = 0
    fc.assert(
      fc.property(compiledRunbook, fc.constantFrom<FaultWalks>('each', 'by-route'), (program, faults) => {
        compared += compareTwins(program, faults)
      }),
      { numRuns: 150 },
    )
    expect(compared).toBeGreaterThan(1000)
  }, 240_000)

  it.each(['04-review-loop', '06-rework-budget', '07-handoffs', '08-flow-in-flow'])(
    '[T8] in %s',
    async (name) => {
      const { program } = await compileFile(`examples/${name}.yaml`)
      expect(compareTwins(program!, 'by-route')).toBeGreaterThan(50)
    },
  )

  it('[T8] tells severities apart: what is major keeps a loop open, what is minor does not', () => {
    const program = compiled(`
      agents: { dev: { questions: 0, nudges: 0 } }
      on: { else: abandoned }
      steps:
        a:
          agent: dev
          gate: { run: make, max: 0, expect: none }
          fields: { found: findings }
          settle_on: found
          options: { good: done, bad: { to: a, max: 1, then: given_up } }
      ends: { given_up: Enough }
    `)
    const begun = startWith(program, {})
    if (typeof begun === 'string') throw new Error(begun)
    const fingerprint = createFingerprint(program)
    const keys = movesOf(program, begun.state, 0)
      .filter(({ act }) => act.kind === 'answer' && act.outcome === 'bad')
      .map((move) => play(program, begun.state, move))
      .map((result) => (typeof result === 'string' ? result : textOf(fingerprint.of(result.state, 0))))
    expect(new Set(keys).size).toBe(2)
  })
})

function compiled(text: string): Program {
  const { program, diagnostics } = compileSource(
    { file: 'a.yaml', text: `runbook: 1\n${text.replaceAll(/^ {6}/gm, '')}` },
    () => ({ kind: 'unreadable', why: 'does not exist' }),
  )
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}
