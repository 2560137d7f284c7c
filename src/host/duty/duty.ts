/** A duty that was claimed, and how its result gets into the journal. */
import type { Duty } from '../../engine/index.ts'
import type { Claim } from '../../journal/index.ts'
import type { RunCommand } from '../../model/command.ts'
import type { Clock } from '../machine/clock.ts'
import type { Storage } from '../machine/storage.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { ExecutedRun, Runs } from '../runs/runs.ts'
import type { CommandNeeds } from './command.ts'

/** What most duties are done with. */
export interface DutyNeeds extends CommandNeeds {
  readonly storage: Storage
  readonly runs: Runs
  readonly clock: Clock
}

/** One claimed duty. The signal fires when the claim is lost: the run has moved on, or this host is closing. */
export interface Work<D extends Duty = Duty> {
  readonly run: string
  readonly duty: D
  readonly claim: Claim
  readonly signal: AbortSignal
}

export type DutyOf<K extends Duty['kind']> = Among<Duty, K>
type Among<D, K> = D extends { readonly kind: infer Kind }
  ? K extends Kind
    ? D & { readonly kind: K }
    : never
  : never

/** Tells the run what came of a duty, and settles it with the same stroke. */
export const settle = (
  { runs }: { readonly runs: Runs },
  work: Work,
  ...commands: RunCommand[]
): Promise<ExecutedRun> => runs.execute(work.run, commands, { settle: work.claim })

/** The run as it is, if the duty still stands in it. */
export async function standing(
  { runs }: { readonly runs: Runs },
  work: Work<Duty & { step: string; visit: number }>,
): Promise<LoadedRun | null> {
  const loaded = await runs.load(work.run)
  const current = loaded?.state.current
  return current?.step === work.duty.step && current.number === work.duty.visit ? loaded : null
}
