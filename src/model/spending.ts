/** What agents use over all runs, by the time it was told. */

export interface Spent {
  readonly costUsd: number
  readonly tokens: number
}

/** Over all runs of a day; null: as much as they like. */
export interface DayLimits {
  readonly costUsd: number | null
  readonly tokens: number | null
}

/** The day as it stands: what may be used in it, with what people have allowed beyond, and what was. */
export interface DaySpending {
  readonly limits: DayLimits
  readonly spent: Spent
  /** Nothing is begun before then; null: something may be. */
  readonly closedUntil: number | null
}

export const NO_DAY_LIMITS: DayLimits = { costUsd: null, tokens: null }
export const NOTHING_SPENT: Spent = { costUsd: 0, tokens: 0 }

/** What was used in a quarter of an hour: in every zone a day begins with one. */
export interface SpentQuarter extends Spent {
  readonly startAt: number
}

const QUARTER_MS = 15 * 60_000
/** Whoever asks about a day asks within the next. */
const KEPT_MS = 3 * 24 * 60 * 60_000

export function withSpent(
  quarters: readonly SpentQuarter[],
  { at, costUsd, tokens }: { readonly at: number; readonly costUsd: number | null; readonly tokens: number },
): readonly SpentQuarter[] {
  const startAt = at - (at % QUARTER_MS)
  const before = quarters.find((each) => each.startAt === startAt) ?? { startAt, ...NOTHING_SPENT }
  const now = { startAt, costUsd: before.costUsd + (costUsd ?? 0), tokens: before.tokens + tokens }
  const others = quarters.filter((each) => each.startAt !== startAt && each.startAt > at - KEPT_MS)
  return [...others, now]
}

export const spentSince = (quarters: readonly SpentQuarter[], at: number): Spent =>
  quarters
    .filter(({ startAt }) => startAt >= at)
    .reduce<Spent>(
      (sum, { costUsd, tokens }) => ({ costUsd: sum.costUsd + costUsd, tokens: sum.tokens + tokens }),
      NOTHING_SPENT,
    )

/** Each time a person allows more, it is as much again. */
export const raised = ({ costUsd, tokens }: DayLimits, times: number): DayLimits => ({
  costUsd: costUsd === null ? null : costUsd * (times + 1),
  tokens: tokens === null ? null : tokens * (times + 1),
})

export const isUsedUp = (limits: DayLimits, spent: Spent): boolean =>
  (limits.costUsd !== null && spent.costUsd >= limits.costUsd) ||
  (limits.tokens !== null && spent.tokens >= limits.tokens)

export const isLimitedByDay = ({ costUsd, tokens }: DayLimits): boolean => costUsd !== null || tokens !== null

/** `$12.40 of $20.00, 300 of 1000 tokens` */
export const daySpendingText = (limits: DayLimits, spent: Spent): string =>
  [
    limits.costUsd === null ? null : `$${spent.costUsd.toFixed(2)} of $${limits.costUsd.toFixed(2)}`,
    limits.tokens === null ? null : `${spent.tokens} of ${limits.tokens} tokens`,
  ]
    .filter((part) => part !== null)
    .join(', ')
