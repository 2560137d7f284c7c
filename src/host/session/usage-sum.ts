/**
 * What an agent uses, told to its run: one report at a time, and whatever came meanwhile is the next. Some agents tell
 * of each token; the sum is the same.
 */
import type { Update } from '../../drivers/index.ts'
import type { Address, RunCommand } from '../../model/command.ts'
import { isAmount } from '../../model/plausible-usage.ts'

type Usage = Pick<Extract<Update, { kind: 'usage' }>, 'costUsd' | 'tokens'>

export interface UsageSum {
  /** Gives back what resolves when it is told. */
  add(usage: Usage): Promise<void>
}

export function createUsageSum(tell: (usages: readonly Usage[]) => Promise<unknown>): UsageSum {
  /** With a price, without one, and what would spoil any sum. */
  let waiting: { priced: Usage | null; free: Usage | null; odd: Usage | null } = NOTHING
  let telling: Promise<void> | null = null

  async function tellAll(): Promise<void> {
    try {
      while (waiting !== NOTHING) {
        const { priced, free, odd } = waiting
        waiting = NOTHING
        await tell([priced, free, odd].flatMap((usage) => usage ?? []))
      }
    } finally {
      telling = null
    }
  }

  return {
    add: ({ costUsd, tokens }) => {
      const { priced, free } = waiting
      if (![costUsd ?? 0, tokens].every(isAmount)) waiting = { ...waiting, odd: { costUsd, tokens } }
      else
        waiting =
          costUsd === null
            ? { ...waiting, free: { costUsd, tokens: (free?.tokens ?? 0) + tokens } }
            : {
                ...waiting,
                priced: { costUsd: (priced?.costUsd ?? 0) + costUsd, tokens: (priced?.tokens ?? 0) + tokens },
              }
      telling ??= tellAll()
      return telling
    },
  }
}

/** As the run is told it. */
export const usedCommands = (usages: readonly Usage[], at: number, address: Address): readonly RunCommand[] =>
  usages.map(({ costUsd, tokens }) => ({ type: 'attempt.use', at, ...address, costUsd, tokens }))

const NOTHING = { priced: null, free: null, odd: null }
