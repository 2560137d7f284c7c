/** Waits for the end of an open turn, and looks now and then whether there will be one. */
import type { TurnEnd } from '../../drivers/index.ts'
import type { Clock } from '../machine/clock.ts'
import type { ClockJump } from '../machine/clock-jump.ts'
import type { Next } from './conversation.ts'
import type { Session } from './session.ts'

export interface OpenTurn {
  readonly session: Pick<Session, 'take' | 'forgets'>
  readonly turn: Promise<TurnEnd>
  readonly stallMs: number | null
  /** Fires when the duty is gone. */
  readonly signal: AbortSignal
  /** Told of time in which nobody was awake: it is neither silence nor work. */
  readonly onJump: (jump: ClockJump) => void
}

/** It never will end by itself; why, and what is done about it. */
export type Stuck = Extract<Next, { act: 'break-off' | 'interrupt' }>

export async function watchTurn(clock: Clock, open: OpenTurn): Promise<TurnEnd | Stuck | 'lost'> {
  const { session, turn, stallMs, signal } = open
  const remembers = !session.forgets()
  let callOff = (): void => {}
  let stopListening = (): void => {}
  const stuck = new Promise<Stuck>((resolve) => {
    const look = (): void => {
      clock.noticeJumps()
      // By its clock as it was, the last look may be asked for only in an hour.
      callOff()
      const [next] = session.take({ kind: 'clock', at: clock.now(), stallMs, remembers })
      if (next?.act === 'break-off' || next?.act === 'interrupt') resolve(next)
      else if (next?.act === 'look-again') callOff = clock.alarm(next.at, look)
    }
    stopListening = clock.onJump((jump) => {
      session.take({ kind: 'jumped', byMs: jump.to - jump.from })
      open.onJump(jump)
      look()
    })
    look()
  })
  const lost = new Promise<'lost'>((resolve) => {
    if (signal.aborted) resolve('lost')
    signal.addEventListener('abort', () => resolve('lost'), { once: true })
  })
  return Promise.race([turn, stuck, lost]).finally(() => {
    stopListening()
    callOff()
  })
}
