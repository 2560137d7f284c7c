/** A timer has come: the run is told what time it is, and knows itself what that means. */
import { type DutyOf, settle, type Tools, type Work } from './duty.ts'
import { unworked } from './working-time.ts'

export async function waitUntil(tools: Tools, work: Work<DutyOf<'wait-until'>>): Promise<void> {
  const { timer } = work.duty
  if (timer.kind === 'time-limit') await endedInTime(tools, work)
  const at = Math.max(tools.clock.now(), timer.at)
  await settle(tools, work, ...(await unworked(tools, work.run, at)), { type: 'time.pass', at })
}

/** An agent that has ended its turn is not late because its work is still being taken in. */
async function endedInTime({ runs, seats }: Tools, { run, duty }: Work<DutyOf<'wait-until'>>): Promise<void> {
  const current = (await runs.load(run))?.state.current
  const { member } = duty.timer
  if (current == null || member === null) return
  await seats.find({ run, step: current.step, visit: current.number, member })?.concluding
}
