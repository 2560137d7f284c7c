/**
 * What agents say they used is their word. What no turn can use is not believed: of the run's own limit it takes as much as a
 * turn could, and of what all runs may use in a day nothing, for one agent's word is nobody else's matter.
 */

export interface ToldUsage {
  /** Null: the agent gives no price. */
  readonly costUsd: number | null
  readonly tokens: number
}

/** What is not believed of it. */
export interface DoubtedUsage {
  /** What was said beyond what counts; 0 for what is no amount at all. */
  readonly costUsd: number
  readonly tokens: number
  /** In the agent's numbers; left out where as much was said of this turn before. */
  readonly said?: string
}

/** What a turn was told to have used so far, as far as it counts. */
export interface TurnUsage {
  readonly costUsd: number
  readonly tokens: number
  readonly isDoubted: boolean
}

export const NOTHING_USED: TurnUsage = { costUsd: 0, tokens: 0, isDoubted: false }

/** Many times what a long turn with a dear model takes. */
export const MOST_OF_A_TURN = { costUsd: 1000, tokens: 1_000_000_000 } as const

/** A run whose own limit is beyond that is meant to use so much. */
export const mostOfATurn = ({
  costUsd,
  tokens,
}: {
  readonly costUsd: number | null
  readonly tokens: number | null
}): MostUsed => ({
  costUsd: Math.max(MOST_OF_A_TURN.costUsd, 2 * (costUsd ?? 0)),
  tokens: Math.max(MOST_OF_A_TURN.tokens, 2 * (tokens ?? 0)),
})

export interface MostUsed {
  readonly costUsd: number
  readonly tokens: number
}

export interface JudgedUsage extends ToldUsage {
  readonly doubted?: DoubtedUsage
}

/** Null: nothing of it counts, and it was said before that such a thing is not believed. */
export function judgeUsage(
  told: ToldUsage,
  { before, most }: { readonly before: TurnUsage; readonly most: MostUsed },
): JudgedUsage | null {
  const cost = split(told.costUsd ?? 0, most.costUsd - before.costUsd)
  const tokens = split(told.tokens, most.tokens - before.tokens)
  const costUsd = told.costUsd === null || !cost.isAmount ? null : cost.counted
  const isBelieved = cost.isAmount && tokens.isAmount && cost.beyond === 0 && tokens.beyond === 0
  if (isBelieved) return { costUsd, tokens: tokens.counted }
  if (before.isDoubted && (costUsd ?? 0) === 0 && tokens.counted === 0 && cost.beyond + tokens.beyond === 0)
    return null
  const beyond = { costUsd: cost.beyond, tokens: tokens.beyond }
  const doubted = before.isDoubted ? beyond : { ...beyond, said: saidOf(told) }
  return { costUsd, tokens: tokens.counted, doubted }
}

export const turnUsageAfter = (before: TurnUsage, { costUsd, tokens, doubted }: JudgedUsage): TurnUsage => ({
  costUsd: before.costUsd + (costUsd ?? 0),
  tokens: before.tokens + tokens,
  isDoubted: before.isDoubted || doubted !== undefined,
})

/** For whoever reads the record. */
export const doubtText = ({ costUsd, tokens, said = '' }: DoubtedUsage): string =>
  costUsd + tokens > 0
    ? `it says that it used ${said}: no turn uses so much, so the sum of the day leaves it out`
    : `it says that it used ${said}: that cannot be, and counts for nothing`

export const isAmount = (value: number): boolean => Number.isFinite(value) && value >= 0

/** The sum of anything with an infinite or negative amount would be wrong from then on, and does not survive the journal. */
function split(
  said: number,
  room: number,
): { readonly isAmount: boolean; readonly counted: number; readonly beyond: number } {
  if (!isAmount(said)) return { isAmount: false, counted: 0, beyond: 0 }
  const counted = Math.min(said, Math.max(0, room))
  return { isAmount: true, counted, beyond: said - counted }
}

const saidOf = ({ costUsd, tokens }: ToldUsage): string =>
  [costUsd === null || costUsd === 0 ? null : `$${costUsd}`, tokens === 0 ? null : `${tokens} tokens`]
    .filter((part) => part !== null)
    .join(' and ')
