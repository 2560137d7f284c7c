/** What the answers here speak for, from the whole of what was ever put to people. */
import { type Policy, policyFor } from '../../attention/policy.ts'
import { type Suggestion, type Suggestions, suggestPolicies, withCards } from '../../attention/suggestion.ts'
import type { Operations } from '../../host/operations.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { orAltered } from '../../model/failure.ts'
import { readHistory } from './decision-history.ts'
import { endOfDay } from './policy-file.ts'

export interface SuggestionWish {
  /** How far back answers count, in milliseconds. */
  readonly since: number
  readonly min: number
  /** Also what would have answered something otherwise than people did. */
  readonly disagreeing?: boolean
  readonly now: number
  readonly inForce: readonly Policy[]
}

const IN_FORCE_DAYS = 90
const DAY_MS = 86_400_000

/** A list's lines lack the options' texts: those that speak for one are looked at as a whole. */
export async function readSuggestions(
  operations: Pick<Operations, 'decisions'>,
  { since, min, now, inForce, disagreeing = false }: SuggestionWish,
): Promise<FoundSuggestions> {
  const day = dayText(now + IN_FORCE_DAYS * DAY_MS)
  const until = { until: day, expiresAt: endOfDay(day)! }
  const history = await readHistory(operations, { status: 'closed', sinceAt: 0 })
  const request = { sinceAt: now - since, least: min, now, until, inForce, disagreeing }
  const altered = new Set<string>()
  for (;;) {
    // What somebody changed speaks for nothing: without it, the others may speak for something else.
    const { suggested, withheld } = suggestPolicies(
      history.filter(({ id }) => !altered.has(id)),
      request,
    )
    const before = altered.size
    const complete: Suggestion[] = []
    for (const suggestion of suggested) {
      const cards = await readCards(operations, suggestion.seen, altered)
      const whole = cards === null ? null : withCards(suggestion, { cards, inForce })
      // It may answer all that it was learnt from.
      const answers = (card: DecisionRecord): boolean =>
        whole !== null && policyFor([whole.policy], { ...card, stages: [] }, now) !== null
      if (whole !== null && cards?.every(answers)) complete.push(whole)
    }
    if (altered.size === before) return { suggested: complete, withheld, altered: [...altered] }
  }
}

export interface FoundSuggestions extends Suggestions {
  /** Decisions that were left out, because their record was changed in the store. */
  readonly altered: readonly string[]
}

async function readCards(
  { decisions }: Pick<Operations, 'decisions'>,
  ids: readonly string[],
  altered: Set<string>,
): Promise<DecisionRecord[] | null> {
  const found = await Promise.all(ids.map((id) => orAltered(() => decisions.show(id))))
  for (const [index, card] of found.entries())
    if ('problem' in card && card.code === 'altered') altered.add(ids[index]!)
  const cards = found.filter((card): card is DecisionRecord => !('problem' in card))
  return cards.length < found.length ? null : cards
}

/** The day as people write it, where they are. */
export function dayText(at: number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
