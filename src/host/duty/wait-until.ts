/** A timer has come: the run is told what time it is, and knows itself what that means. */
import type { Edges } from '../session/edges.ts'
import type { Sessions } from '../session/sessions.ts'
import { unworked } from '../session/working-time.ts'
import { type DutyOf, settle, type Work } from './duty.ts'

export interface WaitingNeeds extends Pick<Edges, 'runs' | 'clock' | 'upSince'> {
  readonly sessions: Pick<Sessions, 'isAtWork' | 'concluded'>
}

export async function waitUntil(needs: WaitingNeeds, work: Work<DutyOf<'wait-until'>>): Promise<void> {
  const { timer } = work.duty
  const { isAtWork } = needs.sessions
  // Before anybody is late: a machine that slept wakes up with timers that are due.
  needs.clock.noticeJumps()
  if (timer.kind === 'time-limit') await endedInTime(needs, work)
  const at = Math.max(needs.clock.now(), timer.at)
  await settle(needs, work, ...(await unworked({ ...needs, isAtWork }, work.run, at)), {
    type: 'time.pass',
    at,
  })
}

/** An agent that has ended its turn is not late because its work is still being taken in. */
async function endedInTime(
  { runs, sessions }: WaitingNeeds,
  { run, duty }: Work<DutyOf<'wait-until'>>,
): Promise<void> {
  const current = (await runs.load(run))?.state.current
  const { member } = duty.timer
  if (current == null || member === null) return
  await sessions.concluded({ run, step: current.step, visit: current.number, member })
}
