/** What every duty is done with, and how its result gets into the journal. */
import type { Driver, ProcessRegistry } from '../../drivers/index.ts'
import type { Duty } from '../../engine/index.ts'
import type { Claim, Journal } from '../../journal/index.ts'
import type { RunCommand } from '../../model/command.ts'
import type { AgentProgram } from '../agent-program.ts'
import type { Clock } from '../clock.ts'
import type { Surroundings } from '../confinement/surroundings.ts'
import type { Step as LedgerStep } from '../ledger.ts'
import type { LoadedRun } from '../loaded-run.ts'
import type { Log } from '../log.ts'
import type { Runs, Told } from '../runs.ts'
import type { Seat, Seats } from '../seat.ts'
import type { Standalones } from '../standalones.ts'
import type { Workplaces } from '../workplace.ts'

export interface Tools {
  readonly clock: Clock
  /** When this host began: what was at work before it is not any more. */
  readonly upSince: number
  /** The host is going: whoever waits for something need not wait longer. */
  readonly closing: AbortSignal
  readonly journal: Journal
  readonly runs: Runs
  readonly standalones: Standalones
  readonly seats: Seats
  readonly workplaces: Workplaces
  readonly log: Log
  readonly registry: ProcessRegistry
  readonly surroundings: Surroundings
  readonly programFor: (use: string, repo: string) => AgentProgram | null
  readonly driverFor: (program: AgentProgram) => Driver
  /** The MCP server's address; null while there is none. */
  readonly mcpUrl: () => string | null
  /** The command that serves the same over standard input and output. */
  readonly mcpBridge: readonly string[]
  /** Wire traffic of agents, for traces. */
  readonly trace: ((run: string, who: string, direction: 'in' | 'out', message: unknown) => void) | null
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
export const settle = (tools: Tools, work: Work, ...commands: RunCommand[]): Promise<Told> =>
  tools.runs.tell(work.run, commands, work.claim)

/** The run as it is, if the duty still stands in it. */
export async function standing(
  tools: Tools,
  work: Work<Duty & { step: string; visit: number }>,
): Promise<LoadedRun | null> {
  const loaded = await tools.runs.load(work.run)
  const current = loaded?.state.current
  return current?.step === work.duty.step && current.number === work.duty.visit ? loaded : null
}

/** A stage of the delivery of an answer: remembered at the seat, told to the run. */
export function ledgerStep(tools: Tools, seat: Seat, { following, facts }: LedgerStep): void {
  seat.following = following
  if (facts.length === 0) return
  const telling = tools.runs.tell(seat.run, [{ type: 'run.record', at: tools.clock.now(), facts }])
  seat.telling.add(telling)
  const told = (): boolean => seat.telling.delete(telling)
  telling.then(told, told)
}
