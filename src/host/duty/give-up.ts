/**
 * A duty that fails with a bug: what is wrong there is told to the run, which knows where that leads, instead of being
 * tried every few seconds for ever. At once where an agent was at work: to have it work again would be another attempt.
 */
import type { StandaloneDuty } from '../../engine/index.ts'
import type { Claim } from '../../journal/index.ts'
import { type Standalones, standaloneOf } from '../inbox/standalones.ts'
import type { Clock } from '../machine/clock.ts'
import { type DutyNeeds, settle, type Work } from './duty.ts'
import { errorReport } from './error-report.ts'

/** Long enough for a network that is gone to come back. */
export const MOST_FAILURES = 5

/** A bug, after an agent has worked: what it did came to nothing, and counts. */
export class LostWork extends Error {
  override readonly name = 'LostWork'

  constructor(cause: unknown) {
    super('An agent has worked, and what came of it could not be dealt with.', { cause })
  }
}

export interface GivenUp {
  readonly error: unknown
  readonly failures: number
}

export async function giveUp(
  { runs, clock }: Pick<DutyNeeds, 'runs' | 'clock'>,
  work: Work,
  { error, failures }: GivenUp,
): Promise<void> {
  const { duty } = work
  const at = clock.now()
  const detail = detailOf({ error, failures })
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

/** An answer for somebody outside: what was done about it counts as a delivery that failed, and there are not many of those. */
export async function giveUpDelivery(
  { standalones, clock }: { readonly standalones: Pick<Standalones, 'execute'>; readonly clock: Clock },
  claim: Claim,
  why: GivenUp,
): Promise<void> {
  const { stream, data } = claim.ticket
  if ((data as StandaloneDuty).kind !== 'deliver-answer') return
  const command = { type: 'decision.fail', at: clock.now(), detail: detailOf(why) } as const
  await standalones.execute(standaloneOf(stream), command, { settle: claim })
}

function detailOf({ error, failures }: GivenUp): string {
  const how =
    failures === 1
      ? 'in the middle of this, while an agent was at work'
      : `${failures} times in the middle of this`
  return `Signalbox failed ${how}. ${errorReport(error)}`
}
