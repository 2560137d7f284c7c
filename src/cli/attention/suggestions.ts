/** What the answers here speak for, from the whole of what was ever put to people. */
import { type Policy, policyFor } from '../../attention/policy.ts'
import { type Suggestion, type Suggestions, suggestPolicies, withCards } from '../../attention/suggestion.ts'
import type { Operations } from '../../host/operations.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
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
): Promise<Suggestions> {
  const day = dayText(now + IN_FORCE_DAYS * DAY_MS)
  const until = { until: day, expiresAt: endOfDay(day)! }
  const history = await readHistory(operations, { status: 'closed', sinceAt: 0 })
  const request = { sinceAt: now - since, least: min, now, until, inForce, disagreeing }
  const { suggested, withheld } = suggestPolicies(history, request)
  const complete: Suggestion[] = []
  for (const suggestion of suggested) {
    const cards = await readCards(operations, suggestion.seen)
    const whole = cards === null ? null : withCards(suggestion, { cards, inForce })
    // It may answer all that it was learnt from.
    const answers = (card: DecisionRecord): boolean =>
      whole !== null && policyFor([whole.policy], { ...card, stages: [] }, now) !== null
    if (whole !== null && cards?.every(answers)) complete.push(whole)
  }
  return { suggested: complete, withheld }
}

async function readCards(
  { decisions }: Pick<Operations, 'decisions'>,
  ids: readonly string[],
): Promise<DecisionRecord[] | null> {
  const found = await Promise.all(ids.map((id) => decisions.show(id)))
  const cards = found.filter((card): card is DecisionRecord => !('problem' in card))
  return cards.length < found.length ? null : cards
}

/** The day as people write it, where they are. */
export function dayText(at: number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
