/** What agents use, and what happens when a run has used up what it may. */
import type { RunCommand } from '../model/command.ts'
import { judgeUsage, mostOfATurn, NOTHING_USED } from '../model/plausible-usage.ts'
import { faulted, seatOf } from './attempt.ts'
import { type MemberState, type RunState, turnUsageOf } from './state.ts'
import { happen, type Judged, type Turn } from './turn.ts'

/** What was used is used, whether or not the run has moved on since. */
export function use(turn: Turn, command: Extract<RunCommand, { type: 'attempt.use' }>): Judged {
  const { at, member, costUsd, tokens } = command
  const seat = seatOf(turn, command)
  const judged = judgeUsage(
    { costUsd, tokens },
    {
      before: seat === null ? NOTHING_USED : turnUsageOf(seat.state),
      most: mostOfATurn(turn.state.limits),
    },
  )
  if (judged === null) return null
  happen(turn, {
    type: 'usage.recorded',
    at,
    member,
    ...judged,
    ...(seat === null ? { late: true } : {}),
  })
  const busy = seat !== null && seat.state.status !== 'answered' && seat.state.status !== 'faulted'
  if (busy && isOverBudget(turn.state))
    faulted(turn, { at, member, fault: 'over_budget', detail: usageText(turn.state) })
  return null
}

/** Agents that a run without means would begin with end as over_budget before they cost anything. */
export function stopUnaffordable(turn: Turn, at: number): void {
  while (isOverBudget(turn.state)) {
    const members = turn.state.current?.members ?? []
    const member = members.findIndex(isAboutToBePrompted)
    if (member === -1) return
    const about = { at, member, fault: 'over_budget', detail: usageText(turn.state) } as const
    // After a first turn of the attempt it was at work already.
    faulted(turn, members[member]!.turn === 1 ? { ...about, unprompted: true } : about)
  }
}

const isAboutToBePrompted = ({ status, runningSince, question }: MemberState): boolean =>
  status === 'working' && runningSince === null && question === null

export const isOverBudget = ({ limits, usage }: RunState): boolean =>
  (limits.costUsd !== null && usage.costUsd > limits.costUsd) ||
  (limits.tokens !== null && usage.tokens > limits.tokens)

const usageText = ({ limits, usage }: RunState): string =>
  [
    limits.costUsd === null ? null : `$${usage.costUsd.toFixed(2)} of $${limits.costUsd.toFixed(2)}`,
    limits.tokens === null ? null : `${usage.tokens} of ${limits.tokens} tokens`,
  ]
    .filter((part) => part !== null)
    .join(', ')
