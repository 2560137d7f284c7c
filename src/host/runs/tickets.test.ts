import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compiledRunbook } from '../../../test/runbooks.fixture.ts'
import { decide, duties, NEW_RUN } from '../../engine/index.ts'
import type { Ticket } from '../../journal/index.ts'
import { movesOf } from '../../rehearsal/moves.ts'
import { play } from '../../rehearsal/play.ts'
import { ticketChange } from '../streams/ticket-change.ts'
import { ticketOf } from './tickets.ts'

const picks = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 40 })

describe('tickets', () => {
  it('are exactly those of the duties there are, whatever happens to a run', () => {
    fc.assert(
      fc.property(compiledRunbook, picks, (program, numbers) => {
        const begun = decide(program, NEW_RUN, { type: 'run.start', at: 0, run: 'r', vars: {}, facts: [] })
        if ('refusal' in begun) throw new Error(begun.refusal.message)
        const held = new Map<string, Ticket>()
        let state = begun.state
        const ticketsOf = (of: typeof state): Ticket[] =>
          duties(program, of).map((duty) => ticketOf('run/r', duty))
        let before = ticketsOf(NEW_RUN)
        let now = 0
        for (const number of [-1, ...numbers]) {
          if (number >= 0) {
            const moves = movesOf(program, state, now)
            const move = moves[number % moves.length]
            if (move === undefined) break
            const played = play(program, state, move)
            if (typeof played === 'string') throw new Error(played)
            state = played.state
            now = move.at
          }
          const after = ticketsOf(state)
          const { tickets, retire } = ticketChange(before, after)
          for (const id of retire) expect(held.delete(id)).toBe(true)
          for (const ticket of tickets) {
            expect(held.has(ticket.id)).toBe(false)
            held.set(ticket.id, ticket)
          }
          expect([...held.keys()].sort()).toEqual(after.map(({ id }) => id).sort())
          before = after
        }
        if (state.status === 'ended') expect(held.size).toBe(0)
      }),
      { numRuns: 150 },
    )
  })

  it('are due at once, but for timers', () => {
    const address = { step: 's', visit: 1 }
    expect(ticketOf('run/r', { kind: 'run-check', id: 'c', ...address })).toEqual({
      id: 'c',
      stream: 'run/r',
      kind: 'run-check',
      dueAt: 0,
      data: { kind: 'run-check', id: 'c', ...address },
    })
    const timer = { kind: 'expire', member: null, at: 77 } as const
    expect(ticketOf('run/r', { kind: 'wait-until', id: 't', timer } as never)).toMatchObject({ dueAt: 77 })
  })
})
