/** A timer has come: the run is told what time it is, and knows itself what that means. */
import { type DutyOf, settle, type Tools, type Work } from './duty.ts'

export async function waitUntil(tools: Tools, work: Work<DutyOf<'wait-until'>>): Promise<void> {
  const at = Math.max(tools.clock.now(), work.duty.timer.at)
  await settle(tools, work, { type: 'time.pass', at })
}
