/** Waits for the end of an open turn, and looks now and then whether there will be one. */
import type { TurnEnd } from '../../drivers/index.ts'
import type { ClockJump } from '../machine/clock-jump.ts'
import type { WorktreeSeen } from '../workspace/worktree-seen.ts'
import type { Next } from './conversation.ts'
import type { Edges } from './edges.ts'
import type { Prompting } from './prompting.ts'
import type { Session } from './session.ts'
import { worktreeNow } from './worktree-now.ts'

export interface OpenTurn {
  readonly session: Pick<Session, 'take' | 'forgets'>
  readonly work: Prompting
  readonly turn: Promise<TurnEnd>
  readonly stallMs: number | null
  /** Told of time in which nobody was awake: it is neither silence nor work. */
  readonly onJump: (jump: ClockJump) => void
}

/** It never will end by itself; why, and what is done about it. */
export type Stuck = Extract<Next, { act: 'break-off' | 'interrupt' }>

export async function watchTurn(edges: Edges, open: OpenTurn): Promise<TurnEnd | Stuck | 'lost'> {
  const { clock } = edges
  const { session, turn, stallMs, work } = open
  const { signal } = work
  const remembers = !session.forgets()
  let callOff = (): void => {}
  let stopListening = (): void => {}
  let isOver = false
  const stuck = new Promise<Stuck>((resolve, reject) => {
    let isLooking = false
    const lookWith = (worktree: WorktreeSeen | null): void => {
      // What is under way looks again when it is done.
      if (isOver || isLooking) return
      clock.noticeJumps()
      // By its clock as it was, the last look may be asked for only in an hour.
      callOff()
      const [next] = session.take({ kind: 'clock', at: clock.now(), stallMs, remembers, worktree })
      if (next?.act === 'break-off' || next?.act === 'interrupt') resolve(next)
      else if (next?.act === 'look-again') callOff = clock.alarm(next.at, look)
      else if (next?.act === 'look-at-worktree') {
        isLooking = true
        worktreeNow(edges, work).then((seen) => {
          isLooking = false
          lookWith(seen)
        }, reject)
      }
    }
    const look = (): void => lookWith(null)
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
    isOver = true
    stopListening()
    callOff()
  })
}
