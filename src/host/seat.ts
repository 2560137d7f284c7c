/**
 * A seat: one agent's live session for one visit. It outlives a single prompt, because an agent that is sent back, or
 * whose question was answered, goes on in the same conversation; it never outlives its visit. Everything here can be
 * lost in a crash: the session's id is in the journal, and the next prompt resumes it or begins afresh.
 */
import { randomBytes } from 'node:crypto'
import type { AgentSession, TurnEnd } from '../drivers/index.ts'
import type { Address } from '../model/command.ts'
import type { Holder } from '../model/fact.ts'
import type { SeatAddress } from './answers.ts'
import type { Following } from './ledger.ts'
import { NOTHING_SEEN, type Watched } from './watch.ts'

export interface Seat extends SeatAddress {
  readonly agent: string
  readonly token: string
  /** The attempt it is at now. */
  attempt: number
  session: AgentSession | null
  /** What holds the session it has. */
  confined: Holder
  /** A prompt whose turn has not ended. */
  turn: Promise<TurnEnd> | null
  /** Its turn has ended, and what came of it is on its way to the journal. */
  concluding: Promise<void> | null
  /** What it did in this turn, as far as loops are concerned. */
  watched: Watched
  /** It compacted its context, and has not been given what its prime says of that. */
  compacted: boolean
  /** Last sign of life. */
  aliveAt: number
  /** Requests for permission, and forms, that lie with a person, by question. */
  readonly permissions: Map<string, (picked: Picked | null) => void>
  /** Answers it has got already: it fetched them, was told of them, or they were permissions. */
  readonly heard: Set<string>
  /** The answer it was given last, until it has acted on it. */
  following: Following | null
  /** Usage on its way to the journal. */
  readonly telling: Set<Promise<unknown>>
  /** What its answer named and we did not find; told with the next prompt. */
  remarks: readonly string[]
  /** How far the agent has come with our MCP server. */
  tools: 'unseen' | 'greeted' | 'listed'
  onTools: (() => void) | null
}

/** What a person picked; empty where they only said something. */
export interface Picked {
  readonly pick: string
  readonly note: string
}

export interface Seats {
  find(address: SeatAddress): Seat | undefined
  byToken(token: string): Seat | undefined
  take(address: SeatAddress, agent: string): Seat
  /** Ends the agent and everything it started. */
  leave(seat: Seat): Promise<void>
  /** Leaves what `keep` does not want any more, and waits until that and whatever was leaving already is gone. */
  sweep(run: string, keep: (seat: Seat) => boolean): Promise<void>
  leaveAll(): Promise<void>
  readonly count: () => number
}

export const addressOf = ({ step, visit, member, attempt }: Seat): Address => ({
  step,
  visit,
  member,
  attempt,
})

/** As traces name it. */
export const seatName = ({ step, member }: SeatAddress): string => `${step}.${member}`

const keyOf = ({ run, step, visit, member }: SeatAddress): string => `${run}/${step}#${visit}.${member}`

export function createSeats(): Seats {
  const seats = new Map<string, Seat>()
  const tokens = new Map<string, Seat>()
  const leaving = new Map<Promise<void>, string>()

  const leave = async (seat: Seat): Promise<void> => {
    const key = keyOf(seat)
    if (seats.get(key) === seat) seats.delete(key)
    tokens.delete(seat.token)
    for (const answer of seat.permissions.values()) answer(null)
    seat.permissions.clear()
    const closing = seat.session?.close()
    if (closing === undefined) return
    leaving.set(closing, seat.run)
    await closing
    leaving.delete(closing)
  }

  return {
    find: (address) => seats.get(keyOf(address)),
    byToken: (token) => tokens.get(token),
    take: ({ run, step, visit, member }, agent) => {
      const seat: Seat = {
        run,
        step,
        visit,
        member,
        agent,
        token: randomBytes(32).toString('base64url'),
        attempt: 1,
        session: null,
        confined: 'none',
        turn: null,
        concluding: null,
        watched: NOTHING_SEEN,
        compacted: false,
        aliveAt: 0,
        permissions: new Map(),
        heard: new Set(),
        following: null,
        telling: new Set(),
        remarks: [],
        tools: 'unseen',
        onTools: null,
      }
      seats.set(keyOf(seat), seat)
      tokens.set(seat.token, seat)
      return seat
    },
    leave,
    sweep: async (run, keep) => {
      const unwanted = [...seats.values()].filter((seat) => seat.run === run && !keep(seat))
      await Promise.all(unwanted.map(leave))
      await Promise.all([...leaving].flatMap(([closing, of]) => (of === run ? [closing] : [])))
    },
    leaveAll: async () => {
      await Promise.all([...seats.values()].map(leave))
      await Promise.all(leaving.keys())
    },
    count: () => seats.size,
  }
}
