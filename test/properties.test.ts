/** What is true of every runbook and every history. Seeds are printed by fast-check when something is not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../src/engine/decide.ts'
import { duties } from '../src/engine/duties.ts'
import { replay } from '../src/engine/evolve.ts'
import { NEW_RUN, type RunState } from '../src/engine/state.ts'
import type { RunEvent } from '../src/model/event.ts'
import type { Program } from '../src/model/program.ts'
import { movesOf } from '../src/rehearsal/moves.ts'
import { play } from '../src/rehearsal/play.ts'
import { rehearse } from '../src/rehearsal/rehearse.ts'
import { reportOf } from '../src/rehearsal/report.ts'
import { certify } from '../src/runbook/proof/certificate.ts'
import { worstFrom } from '../src/runbook/proof/worst-from.ts'
import { positionOf } from '../src/web/run/position.view.ts'
import { compiledRunbook } from './runbooks.fixture.ts'

const choices = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 60 })

interface Life {
  readonly events: RunEvent[]
  readonly states: RunState[]
}

/** A run in which each number picks one of the moves there are. */
function live(program: Program, picks: readonly number[]): Life {
  const begun = decide(program, NEW_RUN, { type: 'run.start', at: 0, run: 'r', vars: {}, facts: [] })
  if ('refusal' in begun) throw new Error(begun.refusal.message)
  const events = [...begun.events]
  const states = [begun.state]
  let now = 0
  for (const pick of picks) {
    const state = states[states.length - 1]!
    const moves = movesOf(program, state, now)
    if (moves.length === 0) break
    const move = moves[pick % moves.length]!
    const result = play(program, state, move)
    if (typeof result === 'string') throw new Error(result)
    events.push(...result.events)
    states.push(result.state)
    now = move.at
  }
  return { events, states }
}

describe('properties', () => {
  it('[E2] replaying the events gives the state that was lived, wherever they are cut', () => {
    fc.assert(
      fc.property(compiledRunbook, choices, fc.nat(), (program, picks, at) => {
        const { events, states } = live(program, picks)
        const cut = at % (events.length + 1)
        const resumed = replay(events.slice(cut), JSON.parse(JSON.stringify(replay(events.slice(0, cut)))))
        expect(replay(events)).toEqual(states[states.length - 1])
        expect(resumed).toEqual(states[states.length - 1])
      }),
      { numRuns: 300 },
    )
  })

  it('[E1] a refused command changes nothing, and [A5] an old address is always refused', () => {
    fc.assert(
      fc.property(compiledRunbook, choices, (program, picks) => {
        const { states } = live(program, picks)
        const state = states[states.length - 1]!
        const before = JSON.stringify(state)
        for (const earlier of states.slice(0, -1))
          for (const move of movesOf(program, earlier, 0)) {
            const [command] = move.commands
            if (command === undefined || !('attempt' in command)) continue
            const { current } = state
            const member = current?.members[command.member]
            const isPresent =
              current?.step === command.step &&
              current.number === command.visit &&
              member?.attempt === command.attempt
            if (!isPresent) expect(decide(program, state, command)).toHaveProperty('refusal')
          }
        expect(JSON.stringify(state)).toBe(before)
      }),
      { numRuns: 150 },
    )
  })

  it('[E3] every state has a duty, an open question, or is an end', () => {
    fc.assert(
      fc.property(compiledRunbook, choices, (program, picks) => {
        for (const state of live(program, picks).states) {
          const { current } = state
          const asks = current !== null && [current, ...current.members].some((one) => one.question !== null)
          const works = duties(program, state).length > 0
          expect(asks || works || state.status === 'ended').toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('[E4] no run exceeds its certificate', () => {
    fc.assert(
      fc.property(compiledRunbook, choices, (program, picks) => {
        const { worst, steps } = certify(program)
        const { states } = live(program, picks)
        const { totals, visits } = states[states.length - 1]!
        expect(totals.visits).toBeLessThanOrEqual(worst.visits)
        expect(totals.dispatches).toBeLessThanOrEqual(worst.dispatches)
        expect(totals.flowQuestions + totals.agentQuestions).toBeLessThanOrEqual(worst.questions)
        for (const bound of steps) expect(visits[bound.step] ?? 0).toBeLessThanOrEqual(bound.visits)
      }),
      { numRuns: 300 },
    )
  })

  it('[T3] [C6] the rehearsal of every path finds no stuck state, and reaches exactly what is certified', () => {
    fc.assert(
      fc.property(compiledRunbook, (program) => {
        const rehearsal = rehearse(program, { mostStates: 30_000 })
        fc.pre(rehearsal.stopped === null)
        const report = reportOf(rehearsal, certify(program))
        expect(report.problems).toEqual([])
        expect(report.disagreements).toEqual([])
      }),
      { numRuns: 120 },
    )
  }, 120_000)

  it('[C15] what is still possible at most holds from every moment of a run on, and is the certificate from its first', () => {
    fc.assert(
      fc.property(compiledRunbook, choices, (program, picks) => {
        const { states } = live(program, picks)
        const { worst, exact } = certify(program)
        const last = states[states.length - 1]!.totals
        for (const [index, state] of states.entries()) {
          const position = positionOf(state)
          if (position === null) continue
          for (const mostMoves of [200_000, 3]) {
            const from = worstFrom(program, position, mostMoves)!
            const { totals } = state
            expect(last.visits - totals.visits).toBeLessThanOrEqual(from.worst.visits)
            expect(last.dispatches - totals.dispatches).toBeLessThanOrEqual(from.worst.dispatches)
            expect(last.flowQuestions - totals.flowQuestions).toBeLessThanOrEqual(from.worst.flowQuestions)
            expect(last.agentQuestions - totals.agentQuestions).toBeLessThanOrEqual(from.worst.agentQuestions)
            if (index > 0 || !exact || !from.exact) continue
            expect({ ...from.worst, visits: from.worst.visits + totals.visits }).toMatchObject({
              visits: worst.visits,
              dispatches: worst.dispatches - totals.dispatches,
            })
          }
        }
      }),
      { numRuns: 120 },
    )
  })
})
