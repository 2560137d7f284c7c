/** What agents use over all runs, by the time it was told. */
import type { DoubtedUsage } from './plausible-usage.ts'

export interface Spent {
  readonly costUsd: number
  readonly tokens: number
  /** Those of the tokens that were told without a price. */
  readonly unpriced: number
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
export const NOTHING_SPENT: Spent = { costUsd: 0, tokens: 0, unpriced: 0 }

/** What was used in a quarter of an hour: in every zone a day begins with one. */
export interface SpentQuarter extends Spent {
  readonly startAt: number
}

const QUARTER_MS = 15 * 60_000
/** Whoever asks about a day asks within the next. */
const KEPT_MS = 3 * 24 * 60 * 60_000

export function withSpent(
  quarters: readonly SpentQuarter[],
  used: { readonly at: number; readonly costUsd: number | null; readonly tokens: number },
): readonly SpentQuarter[] {
  const startAt = used.at - (used.at % QUARTER_MS)
  const before = quarters.find((each) => each.startAt === startAt) ?? NOTHING_SPENT
  const others = quarters.filter((each) => each.startAt !== startAt && each.startAt > used.at - KEPT_MS)
  return [...others, { startAt, ...plus(before, spentBy(used)) }]
}

/** What no turn can use is the word of one agent, and must not close the day for all. */
export const isSummedUp = ({ doubted }: { readonly doubted?: DoubtedUsage }): boolean => doubted === undefined

/** What has no price is added up apart: it is not free. */
export const spentBy = ({
  costUsd,
  tokens,
}: {
  readonly costUsd: number | null
  readonly tokens: number
}): Spent => ({ costUsd: costUsd ?? 0, tokens, unpriced: costUsd === null ? tokens : 0 })

// Rows of older hosts do not say what had no price.
export const plus = (one: Spent, other: Spent): Spent => ({
  costUsd: one.costUsd + other.costUsd,
  tokens: one.tokens + other.tokens,
  unpriced: (one.unpriced ?? 0) + (other.unpriced ?? 0),
})

export const spentSince = (quarters: readonly SpentQuarter[], at: number): Spent =>
  quarters.filter(({ startAt }) => startAt >= at).reduce<Spent>(plus, NOTHING_SPENT)

/** What is known of a span from the quarters that lie in it, and since when it is to be looked up; null: never. */
export function spentBetween(
  quarters: readonly SpentQuarter[],
  { since, until }: { readonly since: number; readonly until: number },
): { readonly spent: Spent; readonly unknownSince: number | null } {
  const within = quarters.filter(({ startAt }) => startAt >= since && startAt <= until)
  const cut = within.find(({ startAt }) => startAt + QUARTER_MS > until)
  return {
    spent: within.filter((each) => each !== cut).reduce<Spent>(plus, NOTHING_SPENT),
    unknownSince: cut?.startAt ?? null,
  }
}

/** As much again as the config allows, beyond what was used when a person said so: so it always opens the day. */
export const raised = ({ costUsd, tokens }: DayLimits, used: Spent): DayLimits => ({
  costUsd: costUsd === null ? null : used.costUsd + costUsd,
  tokens: tokens === null ? null : used.tokens + tokens,
})

export const isUsedUp = (limits: DayLimits, spent: Spent): boolean =>
  (limits.costUsd !== null && spent.costUsd >= limits.costUsd) ||
  (limits.tokens !== null && spent.tokens >= limits.tokens)

export const isLimitedByDay = ({ costUsd, tokens }: DayLimits): boolean => costUsd !== null || tokens !== null

/** `$12.40 of $20.00 (and 500 tokens without a price), 300 of 1000 tokens` */
export const daySpendingText = (limits: DayLimits, spent: Spent): string =>
  [
    limits.costUsd === null
      ? null
      : `$${spent.costUsd.toFixed(2)} of $${limits.costUsd.toFixed(2)}${unpricedText(spent)}`,
    limits.tokens === null ? null : `${spent.tokens} of ${limits.tokens} tokens`,
  ]
    .filter((part) => part !== null)
    .join(', ')

const unpricedText = ({ unpriced }: Spent): string =>
  unpriced === 0 ? '' : ` (and ${unpriced} tokens without a price)`

/** `$5.00 and 1000 tokens` */
export const limitsText = ({ costUsd, tokens }: DayLimits): string =>
  [costUsd === null ? null : `$${costUsd.toFixed(2)}`, tokens === null ? null : `${tokens} tokens`]
    .filter((part) => part !== null)
    .join(' and ')
