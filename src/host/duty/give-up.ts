/**
 * A duty that fails with a bug, again and again: what is wrong there is told to the run, which knows where that leads,
 * instead of being tried every few seconds for ever.
 */
import { FailureError } from '../../model/failure.ts'
import { type DutyNeeds, settle, type Work } from './duty.ts'

/** Long enough for a disk that is full, or a network that is gone, to come back. */
export const MOST_FAILURES = 5

export async function giveUp(
  { runs, clock }: Pick<DutyNeeds, 'runs' | 'clock'>,
  work: Work,
  error: unknown,
): Promise<void> {
  const { duty } = work
  const at = clock.now()
  const detail =
    error instanceof FailureError
      ? error.message
      : `Signalbox failed ${MOST_FAILURES} times in the middle of this. ${String(error)}`
  if (duty.kind === 'prompt-agent' || duty.kind === 'run-gate') {
    const { step, visit, member, attempt } = duty
    const address = { step, visit, member, attempt }
    await settle({ runs }, work, { type: 'attempt.fault', at, ...address, fault: 'failed', detail })
  } else if (duty.kind === 'run-check') {
    const { step, visit } = duty
    const report = { step, visit, exitCode: null, output: detail, timedOut: false }
    await settle({ runs }, work, { type: 'check.report', at, ...report })
  }
}
