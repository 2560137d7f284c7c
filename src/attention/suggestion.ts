/**
 * Policies that history speaks for: where people gave the same answer to questions that were alike, in their words, their
 * kind, their asker, their repository and whether what was recommended was taken. A policy says all of that, so it
 * answers nothing else. Each comes with its back-test: every answer that people ever gave, held against what it would have said.
 * Lists lack what only a card says: `withCards` completes what was found in one.
 */
import type { DecisionRecord, DecisionRow } from '../model/decision-record.ts'
import { digestOf } from '../model/digest.ts'
import { cardWords, learntWords } from './card-words.ts'
import { outlineOf, patternOf } from './pattern.ts'
import {
  optionKeys,
  type Policy,
  type PolicyScope,
  policyFor,
  RECOMMENDED,
  type Taking,
  takingOf,
} from './policy.ts'

export interface Suggestion {
  readonly policy: Policy
  /** Answers that speak for it, of all that people gave to such questions; a stroke that answered several is one. */
  readonly same: number
  readonly of: number
  /** The latest of these questions. */
  readonly example: string
  /** Those that it was learnt from, the latest first. */
  readonly seen: readonly string[]
  readonly backTest: BackTest
}

export interface BackTest {
  /** How many it would have answered. */
  readonly answered: number
  readonly disagreed: readonly Disagreement[]
}

export interface Disagreement {
  readonly id: string
  readonly headline: string
  /** What the policy would have picked. */
  readonly would: string
  /** What a person did; empty where they only said something. */
  readonly picked: string
  /** They took the option, and made it mean something else. */
  readonly edited: boolean
}

export interface SuggestionRequest {
  /** Answers are counted from then on; the back-test takes all there are. */
  readonly sinceAt: number
  readonly least: number
  readonly now: number
  readonly until: Pick<Policy, 'until' | 'expiresAt'>
  /** What they answer already is not suggested again. */
  readonly inForce: readonly Policy[]
  /** Also those that would have answered something otherwise than people did. */
  readonly disagreeing: boolean
}

export interface Suggestions {
  readonly suggested: readonly Suggestion[]
  /** How many were left out because they would have disagreed. */
  readonly withheld: number
}

/** So many of a hundred must be the same. */
const LEAST_PERCENT = 90

export function suggestPolicies(
  history: readonly DecisionRow[],
  { disagreeing, ...request }: SuggestionRequest,
): Suggestions {
  const all = allSuggestions(history, request)
  const suggested = all.filter(({ backTest: { disagreed } }) => disagreeing || disagreed.length === 0)
  return { suggested, withheld: all.length - suggested.length }
}

function allSuggestions(
  history: readonly DecisionRow[],
  { sinceAt, least, now, until, inForce }: Omit<SuggestionRequest, 'disagreeing'>,
): Suggestion[] {
  const byPeople = history.filter(isByPerson)
  const recent = byPeople.filter(({ answeredAt }) => (answeredAt ?? 0) >= sinceAt)
  return groupsOf(recent)
    .map(strokesOf)
    .filter((rows) => rows.length >= least && policyFor(inForce, rows[0]!, now) === null)
    .flatMap((rows) => {
      const usual = usualAnswer(rows)
      const when = usual === null ? null : scopeOf(usual)
      if (usual === null || when === null) return []
      const policy: Policy = { name: '', when, answer: usual.answer, confidence: null, note: '', ...until }
      const tested = backTest(policy, byPeople)
      // None of them may be answered by a policy at all.
      if (tested.answered === 0) return []
      const [example] = rows
      const { same, rows: agreeing } = usual
      const seen = agreeing.map(({ id }) => id)
      return [named({ policy, same, of: rows.length, example: example!.id, seen, backTest: tested }, inForce)]
    })
    .sort((a, b) => b.of - a.of)
}

/** With what only the cards of those that were seen say; null where that was not alike. */
export function withCards(
  suggestion: Suggestion,
  { cards, inForce }: { readonly cards: readonly DecisionRecord[]; readonly inForce: readonly Policy[] },
): Suggestion | null {
  const says = cards.length === 0 ? null : learntWords(cards)
  if (says === null) return null
  const { policy } = suggestion
  return named({ ...suggestion, policy: { ...policy, when: { ...policy.when, says } } }, inForce)
}

/** What the policy would have made of everything that people answered. */
export function backTest(policy: Policy, history: readonly DecisionRow[]): BackTest {
  const answers = history.filter(isByPerson).flatMap((row) => {
    // As if it had been in force then.
    const answer = policyFor([{ ...policy, expiresAt: Number.POSITIVE_INFINITY }], row, row.openedAt)
    return answer === null ? [] : [{ row, would: answer.pick }]
  })
  return {
    answered: answers.length,
    disagreed: answers
      .filter(({ row, would }) => row.pick !== would || row.edited !== null)
      .map(({ row: { id, headline, pick, edited }, would }) => ({
        id,
        headline,
        would,
        picked: pick,
        edited: edited !== null,
      })),
  }
}

/** A policy's own answers prove nothing about it. */
const isByPerson = ({ by }: DecisionRow): boolean => by?.kind === 'person'

/** What was answered with one stroke was decided once. */
function strokesOf(rows: readonly DecisionRow[]): DecisionRow[] {
  const seen = new Set<string>()
  return rows.filter(({ batch }) => {
    const isNew = batch === null || !seen.has(batch)
    if (batch !== null) seen.add(batch)
    return isNew
  })
}

function groupsOf(rows: readonly DecisionRow[]): DecisionRow[][] {
  const groups = new Map<string, DecisionRow[]>()
  const latestFirst = [...rows].sort((a, b) => (b.answeredAt ?? 0) - (a.answeredAt ?? 0))
  for (const row of latestFirst) {
    const words = [...cardWords(row)].map(([name, text]) => [name, outlineOf(text)])
    const key = JSON.stringify([placeOf(row), outlineOf(row.headline), words])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups.values()]
}

/** What a question has none of, it must have none of. */
const placeOf = ({ kind, runbook, step, cause, asker, repo, options }: DecisionRow) => ({
  kind,
  runbook,
  step: step ?? '',
  cause,
  agent: asker?.agent ?? '',
  in: repo,
  options: optionKeys(options).sort(),
})

interface UsualAnswer {
  readonly answer: string
  readonly takes: Taking
  readonly same: number
  /** Those that were answered so, as many as are learnt from. */
  readonly rows: readonly DecisionRow[]
}

/** All that they are alike in; null where that cannot be said. */
function scopeOf({ answer, takes, rows }: UsualAnswer): PolicyScope | null {
  const like = patternOf(rows.map(({ headline }) => headline))
  const says = learntWords(rows)
  if (like === null || says === null) return null
  const recommends =
    answer === RECOMMENDED ? { recommends: [...new Set(rows.map(({ pick }) => pick))].sort() } : {}
  return { ...placeOf(rows[0]!), like, says, takes, ...recommends }
}

const MOST_SEEN = 50

/** The answer that nearly all have; the recommendation, which an agent could change, only where no key is. */
function usualAnswer(rows: readonly DecisionRow[]): UsualAnswer | null {
  const own = rows.filter(({ edited, pick }) => edited === null && pick !== '')
  const counted = new Map<string, UsualAnswer>()
  for (const row of own) {
    const takes = takingOf(row.pick, row.recommended)
    for (const answer of takes === 'recommended' ? [row.pick, RECOMMENDED] : [row.pick]) {
      const key = JSON.stringify([answer, takes])
      const { same = 0, rows: before = [] } = counted.get(key) ?? {}
      counted.set(key, { answer, takes, same: same + 1, rows: [...before, row].slice(0, MOST_SEEN) })
    }
  }
  const enough = [...counted.values()].filter(({ same }) => same * 100 >= rows.length * LEAST_PERCENT)
  return enough.find(({ answer }) => answer !== RECOMMENDED) ?? enough[0] ?? null
}

/**
 * By what it says and what speaks against it: whoever ratifies a name ratifies what they saw under it, and what has changed since has
 * another one.
 */
function named(suggestion: Suggestion, inForce: readonly Policy[]): Suggestion {
  const { policy, backTest: tested } = suggestion
  const { when, answer } = policy
  const digest = digestOf([when, answer, tested.disagreed.map(({ id }) => id)]).slice(0, DIGEST_LENGTH)
  const taken = new Set(inForce.map(({ name }) => name))
  return { ...suggestion, policy: { ...policy, name: freeName(`${slugFor(when, answer)}-${digest}`, taken) } }
}

const DIGEST_LENGTH = 8
const LONGEST_NAME = 50

function slugFor({ runbook, step, kind, agent, cause }: PolicyScope, answer: string): string {
  const parts = [runbook, step, kind || (cause === 'agent' || cause === 'step' ? undefined : cause), answer]
  const words = (step === '' ? [agent, ...parts] : parts).filter((part) => part !== undefined && part !== '')
  const slug = words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^[^a-z]+|-+$/g, '')
  return slug === '' ? 'policy' : slug
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}-${number}`)) number++
  return `${name}-${number}`
}
