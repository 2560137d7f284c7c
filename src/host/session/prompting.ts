/** The duty to prompt an agent, and the ways it ends without an answer. */
import type { RunCommand } from '../../model/command.ts'
import type { Fact } from '../../model/fact.ts'
import type { Fault } from '../../model/fault.ts'
import { type AgentStep, stepOf } from '../../model/program.ts'
import { type DutyOf, settle, type Work } from '../duty/duty.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Edges } from './edges.ts'

export type Prompting = Work<DutyOf<'prompt-agent'>>

/** A limit whose end nobody told. */
const PARK_MS = 15 * 60_000
/** A limit that should be over already and is not must not be knocked at without a pause. */
const SOONEST_MS = 30_000

type Settling = Pick<Edges, 'runs' | 'clock'>

export async function failed(needs: Settling, work: Prompting, detail: string): Promise<void> {
  await faulted(needs, work, { fault: 'failed', detail, facts: [] })
}

export interface FaultReport {
  readonly fault: Exclude<Fault, 'expired' | 'invalid'>
  readonly detail: string
  /** What was taken in of its work all the same. */
  readonly facts: readonly Fact[]
}

export async function faulted(
  needs: Settling,
  work: Prompting,
  { fault, detail, facts }: FaultReport,
): Promise<void> {
  const { step, visit, member, attempt } = work.duty
  const at = needs.clock.now()
  const address = { step, visit, member, attempt }
  await settle(
    needs,
    work,
    { type: 'run.record', at, facts },
    { type: 'attempt.fault', at, ...address, fault, detail },
  )
}

export async function parked(
  needs: Settling,
  work: Prompting,
  {
    until,
    ...why
  }: Pick<Extract<RunCommand, { type: 'attempt.park' }>, 'reason'> & { readonly until: number | null },
): Promise<void> {
  const { step, visit, member, attempt } = work.duty
  const at = needs.clock.now()
  const limit = Math.max(until ?? at + PARK_MS, at + SOONEST_MS)
  await settle(needs, work, { type: 'attempt.park', at, step, visit, member, attempt, until: limit, ...why })
}

export const agentStepOf = (loaded: LoadedRun, step: string): AgentStep =>
  stepOf(loaded.program, step) as AgentStep
