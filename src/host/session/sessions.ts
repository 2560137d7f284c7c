/** The sessions of a host: each found by its seat, or by the token that is its agent's alone. */
import type { RunEvent } from '../../model/event.ts'
import type { OtherSeats } from '../duty/leftovers.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { attend } from './attend.ts'
import type { Edges } from './edges.ts'
import type { Prompting } from './prompting.ts'
import type { Seat } from './seat.ts'
import { createSession, type Session } from './session.ts'

export interface Sessions extends OtherSeats {
  /** Does the duty to prompt an agent. */
  attend(work: Prompting): Promise<void>
  byToken(token: string): Session | undefined
  /** A person's word reaches the turn that waits for it. */
  hear(run: string, event: Extract<RunEvent, { type: 'question.answered' | 'question.closed' }>): void
  /** Ends those that the run has left. */
  leaveUnwanted(loaded: LoadedRun): Promise<void>
  /** A turn is open there, or its end is being taken in. */
  isAtWork(seat: Seat): boolean
  /** Resolves when nothing of an ended turn is left to be taken in there. */
  concluded(seat: Seat): Promise<void>
  leaveAll(): Promise<void>
}

const keyOf = ({ run, step, visit, member }: Seat): string => `${run}/${step}#${visit}.${member}`

export function createSessions(edges: Edges): Sessions {
  const bySeat = new Map<string, Session>()
  const byToken = new Map<string, Session>()
  const leaving = new Map<Promise<void>, string>()

  const onLeave = (session: Session, closing: Promise<void>): void => {
    const key = keyOf(session.seat)
    if (bySeat.get(key) === session) bySeat.delete(key)
    byToken.delete(session.token)
    leaving.set(closing, session.seat.run)
    const gone = (): boolean => leaving.delete(closing)
    closing.then(gone, gone)
  }

  /** The live one, or a new one. */
  async function seated(seat: Seat, agent: string): Promise<Session> {
    const live = bySeat.get(keyOf(seat))
    // Its program ended while nobody spoke with it: another goes on with the conversation.
    if (live?.now().phase === 'idle' && !live.isOpen()) await live.leave()
    else if (live !== undefined) return live
    const session = createSession({ edges, seat, agent, onLeave })
    bySeat.set(keyOf(seat), session)
    byToken.set(session.token, session)
    return session
  }

  const leaveThose = async (run: string, isUnwanted: (session: Session) => boolean): Promise<void> => {
    const unwanted = [...bySeat.values()].filter((session) => session.seat.run === run && isUnwanted(session))
    await Promise.all(unwanted.map((session) => session.leave()))
    await Promise.all([...leaving].flatMap(([closing, of]) => (of === run ? [closing] : [])))
  }

  const sessions: Sessions = {
    attend: async (work) => {
      const { step, visit, member, agent } = work.duty
      const session = await seated({ run: work.run, step, visit, member }, agent)
      await attend(edges, { session, work, others: sessions, handOn: (again) => sessions.attend(again) })
    },
    byToken: (token) => byToken.get(token),
    hear: (run, event) => {
      for (const session of bySeat.values()) if (session.seat.run === run) session.hear(event)
    },
    leaveUnwanted: ({ run, state }) =>
      leaveThose(run, ({ seat }) => state.taken !== null || !isSeated(state.current, seat)),
    leaveOthers: (run, visit) =>
      leaveThose(run, ({ seat }) => seat.step !== visit?.step || seat.visit !== visit.visit),
    isAtWork: (seat) => {
      const session = bySeat.get(keyOf(seat))
      return session !== undefined && (session.turn() !== null || session.now().phase === 'concluding')
    },
    concluded: async (seat) => {
      const session = bySeat.get(keyOf(seat))
      if (session?.now().phase === 'concluding') await session.inOrder(async () => {})
    },
    leaveAll: async () => {
      await Promise.all([...bySeat.values()].map((session) => session.leave()))
      await Promise.all(leaving.keys())
    },
  }
  return sessions
}

function isSeated(current: LoadedRun['state']['current'], seat: Seat): boolean {
  if (current?.step !== seat.step || current.number !== seat.visit) return false
  const status = current.members[seat.member]?.status
  return status === 'working' || status === 'gating' || status === 'parked'
}
