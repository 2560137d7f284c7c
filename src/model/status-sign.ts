/** How a status is told: always a shape and a word, wherever it stands. A screen adds the colour that bears its name. */
import type { RunRow } from './api/runs.ts'
import { type DecisionRecord, isPending } from './decision-record.ts'

export type StatusSign = 'asleep' | 'done' | 'fault' | 'idle' | 'waiting' | 'working'

export const STATUS_SIGNS: Readonly<Record<StatusSign, { readonly shape: string; readonly word: string }>> = {
  working: { shape: '●', word: 'at work' },
  waiting: { shape: '◆', word: 'waits for you' },
  done: { shape: '✓', word: 'done' },
  fault: { shape: '✗', word: 'fault' },
  idle: { shape: '○', word: 'not begun' },
  asleep: { shape: '◌', word: 'asleep' },
}

export function signOfRun({ status, success }: Pick<RunRow, 'status' | 'success'>): StatusSign {
  switch (status) {
    case 'new':
      return 'idle'
    case 'working':
      return 'working'
    case 'waiting':
    case 'taken':
      return 'waiting'
    case 'parked':
      return 'asleep'
    case 'ended':
      return success === true ? 'done' : 'fault'
  }
}

export function signOfDecision(
  decision: Pick<DecisionRecord, 'snoozedUntil' | 'status'>,
  now: number,
): StatusSign {
  const { status, snoozedUntil } = decision
  if (status === 'undeliverable') return 'fault'
  if (!isPending(decision)) return status === 'expired' || status === 'withdrawn' ? 'idle' : 'done'
  return snoozedUntil !== null && snoozedUntil > now ? 'asleep' : 'waiting'
}
