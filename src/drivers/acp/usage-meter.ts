/**
 * Turns what agents report into what was used since the last report. They report totals: the cost of the session so
 * far, the tokens in the context now (a lower bound of what the turn has used), and some, with the answer to a prompt,
 * the tokens of the whole turn. Others tell beside a message what one call of the model took.
 */
import type { Update } from '../driver.ts'

type Usage = Extract<Update, { kind: 'usage' }>

export interface UsageMeter {
  /** Null: nothing was used since. */
  report(totals: { readonly used: number | null; readonly costUsd: number | null }): Usage | null
  /** What one call of the model took. */
  spend(tokens: number): Usage | null
  /** Totals of an earlier life of the session, which were counted then. */
  baseline(totals: { readonly used: number | null; readonly costUsd: number | null }): void
  /** What was told of the session in an earlier life, by our own books. */
  earlier(counted: { readonly costUsd: number; readonly tokens: number }): void
  beginTurn(): void
  endTurn(turnTokens: number): Usage | null
}

export function createUsageMeter(): UsageMeter {
  let cost = 0
  let used = 0
  let told = 0
  let resumed = false
  let priced = false
  let itemised = false
  const tell = (costUsd: number | null, tokens: number): Usage | null => {
    told += tokens
    return tokens > 0 || (costUsd ?? 0) > 0 ? { kind: 'usage', costUsd, tokens } : null
  }
  return {
    report: (totals) => {
      if (totals.costUsd !== null) {
        // Some agents begin to count anew with each process: then the whole of it is new.
        if (resumed && totals.costUsd < cost * ROUNDED) cost = 0
        resumed = false
        priced = true
      }
      const costUsd = totals.costUsd === null ? null : Math.max(0, totals.costUsd - cost)
      const grown = totals.used === null ? 0 : Math.max(0, totals.used - used)
      const tokens = itemised ? 0 : grown
      cost = totals.costUsd ?? cost
      // A compacted context is smaller than before, and grows again at a price.
      used = totals.used ?? used
      return tell(costUsd, tokens)
    },
    spend: (tokens) => {
      itemised = true
      return tell(priced ? 0 : null, tokens)
    },
    baseline: (totals) => {
      cost = totals.costUsd ?? cost
      used = totals.used ?? used
    },
    earlier: (counted) => {
      cost = Math.max(cost, counted.costUsd)
      // What a replay told of the context is nearer to what the agent will report.
      if (used === 0) used = counted.tokens
      resumed = true
    },
    beginTurn: () => {
      told = 0
    },
    // Where there is a price, it is the price of these too.
    endTurn: (turnTokens) => tell(priced ? 0 : null, Math.max(0, turnTokens - told)),
  }
}

/** A total that is less than what was counted by no more than this is the same one, rounded. */
const ROUNDED = 0.99
