/**
 * What an agent uses, told to its run: one report at a time, and whatever came meanwhile is the next. Some agents tell
 * of each token; the sum is the same.
 */
import type { Update } from '../../drivers/index.ts'
import type { Address, RunCommand } from '../../model/command.ts'

type Usage = Pick<Extract<Update, { kind: 'usage' }>, 'costUsd' | 'tokens'>

export interface UsageSum {
  /** Gives back what resolves when it is told. */
  add(usage: Usage): Promise<void>
}

export function createUsageSum(tell: (usages: readonly Usage[]) => Promise<unknown>): UsageSum {
  /** With a price, and without one. */
  let waiting: { priced: Usage | null; free: Usage | null } = NOTHING
  let telling: Promise<void> | null = null

  async function tellAll(): Promise<void> {
    try {
      while (waiting.priced !== null || waiting.free !== null) {
        const { priced, free } = waiting
        waiting = NOTHING
        await tell([priced, free].flatMap((usage) => usage ?? []))
      }
    } finally {
      telling = null
    }
  }

  return {
    add: ({ costUsd, tokens }) => {
      const { priced, free } = waiting
      waiting =
        costUsd === null
          ? { priced, free: { costUsd, tokens: (free?.tokens ?? 0) + tokens } }
          : {
              priced: { costUsd: (priced?.costUsd ?? 0) + costUsd, tokens: (priced?.tokens ?? 0) + tokens },
              free,
            }
      telling ??= tellAll()
      return telling
    },
  }
}

/** As the run is told it. */
export const usedCommands = (usages: readonly Usage[], at: number, address: Address): readonly RunCommand[] =>
  usages.map(({ costUsd, tokens }) => ({ type: 'attempt.use', at, ...address, costUsd, tokens }))

const NOTHING = { priced: null, free: null }
