/** A run at a glance. */
import { actorText } from '../../model/answer.ts'
import type { RunState } from '../state.ts'

export interface RunView {
  readonly run: string
  /** Waiting for a person is not failing, and neither is being parked. */
  readonly status: 'new' | 'working' | 'waiting' | 'parked' | 'taken' | 'ended'
  /** Who works at it by hand; left out where nobody does. */
  readonly takenBy?: string
  readonly step: string | null
  readonly visit: number | null
  readonly end: string | null
  readonly totals: RunState['totals']
  readonly budgets: RunState['budgets']
  readonly usage: RunState['usage']
  readonly extended: boolean
}

export function runView(state: RunState): RunView {
  const { run, current, taken, end, totals, budgets, usage, extended } = state
  return {
    run,
    status: statusOf(state),
    ...(taken === null ? {} : { takenBy: actorText(taken.by) }),
    step: current?.step ?? null,
    visit: current?.number ?? null,
    end,
    totals,
    budgets,
    usage,
    extended,
  }
}

function statusOf({ status, current, taken }: RunState): RunView['status'] {
  if (status !== 'running' || current === null) return status === 'new' ? 'new' : 'ended'
  if (taken !== null) return 'taken'
  if (current.question !== null) return 'waiting'
  const busy = current.members.filter(
    (member) => member.status === 'working' || member.status === 'gating' || member.status === 'parked',
  )
  if (busy.length === 0) return 'working'
  if (busy.every((member) => member.question !== null)) return 'waiting'
  return busy.every((member) => member.status === 'parked') ? 'parked' : 'working'
}
