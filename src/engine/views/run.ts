/** A run at a glance, and why it went where it went. */
import { actorText } from '../../model/answer.ts'
import type { EventOf, RunEvent } from '../../model/event.ts'
import type { RunState } from '../state.ts'

export interface RunView {
  readonly run: string
  /** Waiting for a person is not failing, and neither is being parked. */
  readonly status: 'new' | 'working' | 'waiting' | 'parked' | 'ended'
  readonly step: string | null
  readonly visit: number | null
  readonly end: string | null
  readonly totals: RunState['totals']
  readonly budgets: RunState['budgets']
  readonly usage: RunState['usage']
  readonly extended: boolean
}

export function runView(state: RunState): RunView {
  const { run, current, end, totals, budgets, usage, extended } = state
  return {
    run,
    status: statusOf(state),
    step: current?.step ?? null,
    visit: current?.number ?? null,
    end,
    totals,
    budgets,
    usage,
    extended,
  }
}

function statusOf({ status, current }: RunState): RunView['status'] {
  if (status !== 'running' || current === null) return status === 'new' ? 'new' : 'ended'
  if (current.question !== null) return 'waiting'
  const busy = current.members.filter(
    (member) => member.status === 'working' || member.status === 'gating' || member.status === 'parked',
  )
  if (busy.length === 0) return 'working'
  if (busy.every((member) => member.question !== null)) return 'waiting'
  return busy.every((member) => member.status === 'parked') ? 'parked' : 'working'
}

/** The turns of a run, one line each: `review: reject → develop (max 3, by check)`. */
export function turnsOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case 'visit.left':
        return [
          `${event.step}: ${event.outcome}${event.settled ? ' (settled)' : ''} → ${event.to}, by ${actorText(event.by)}${costText(event.paid)}`,
        ]
      case 'run.moved':
        return [
          `${event.from}: moved to ${event.to} by ${actorText(event.by)}${event.reason === '' ? '' : `: ${event.reason}`}`,
        ]
      case 'run.ended':
        return [`ended as ${event.end}`]
      default:
        return []
    }
  })
}

const costText = ({ counted, spent }: EventOf<'visit.left'>['paid']): string =>
  spent !== null ? `, spending ${spent}` : counted !== null ? ', within its bound' : ''
