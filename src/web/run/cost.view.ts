/** What a run used, in words, and by whom. */
import type { RunRow } from '../../model/api/runs.ts'
import type { TimedEvent } from './axis.view.ts'

export function costText({ costUsd, tokens, unpriced }: RunRow['usage']): string {
  if (costUsd === 0 && tokens === 0) return 'nothing used yet'
  const price = costUsd === 0 && unpriced > 0 ? 'no price told' : `${costUsd.toFixed(2)} USD`
  return `${price}, ${tokens.toLocaleString('en')} tokens`
}

export interface StepCost {
  readonly step: string
  readonly visit: number
  readonly costUsd: number
  readonly tokens: number
  readonly isPriced: boolean
}

/** One entry for each visit in which something was used, in order. */
export function costByVisit(events: readonly TimedEvent[]): readonly StepCost[] {
  const costs: StepCost[] = []
  let current: { step: string; visit: number } | null = null
  for (const { event } of events) {
    if (event.type === 'visit.entered') current = { step: event.step, visit: event.visit }
    if (event.type !== 'usage.recorded' || current === null) continue
    const { step, visit } = current
    const last = costs.at(-1)
    const known = last?.step === step && last.visit === visit ? last : null
    const next = {
      ...current,
      costUsd: (known?.costUsd ?? 0) + (event.costUsd ?? 0),
      tokens: (known?.tokens ?? 0) + event.tokens,
      isPriced: (known?.isPriced ?? true) && event.costUsd !== null,
    }
    if (known === null) costs.push(next)
    else costs[costs.length - 1] = next
  }
  return costs
}
