/**
 * Policies that history speaks for: where people gave the same answer to questions that were alike, in the pattern of their
 * headline, their kind, their asker and whether what was recommended was taken. A policy says all of that, so it
 * answers nothing else. Each comes with its back-test: every answer that people ever gave, held against what it would have said.
 */
import type { DecisionRow } from '../model/decision-record.ts'
import { headlinePattern } from './headline-pattern.ts'
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
  const taken = new Set(inForce.map(({ name }) => name))
  const recent = byPeople.filter(({ answeredAt }) => (answeredAt ?? 0) >= sinceAt)
  return groupsOf(recent)
    .map(strokesOf)
    .filter((rows) => rows.length >= least && policyFor(inForce, rows[0]!, now) === null)
    .flatMap((rows) => {
      const usual = usualAnswer(rows)
      if (usual === null) return []
      const when = { ...scopeOf(rows[0]!), takes: usual.takes }
      const name = freeName(nameFor(when, usual.answer), taken)
      const policy: Policy = { name, when, answer: usual.answer, confidence: null, note: '', ...until }
      const tested = backTest(policy, byPeople)
      // None of them may be answered by a policy at all.
      if (tested.answered === 0) return []
      taken.add(name)
      return [{ policy, same: usual.same, of: rows.length, example: rows[0]!.id, backTest: tested }]
    })
    .sort((a, b) => b.of - a.of)
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
    const key = JSON.stringify(scopeOf(row))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups.values()]
}

/** All that they are alike in: what a question has none of, it must have none of. */
function scopeOf({ kind, runbook, step, cause, asker, options, headline }: DecisionRow): PolicyScope {
  return {
    kind,
    ...(runbook === '' ? {} : { runbook }),
    ...(step === null ? {} : { step }),
    cause,
    ...(asker === null || asker.agent === '' ? {} : { agent: asker.agent }),
    like: headlinePattern(headline),
    options: optionKeys(options).sort(),
  }
}

interface UsualAnswer {
  readonly answer: string
  readonly takes: Taking
  readonly same: number
}

/** The answer that nearly all have; a key rather than the recommendation, which an agent could change. */
function usualAnswer(rows: readonly DecisionRow[]): UsualAnswer | null {
  const own = rows.filter(({ edited, pick }) => edited === null && pick !== '')
  const counted = new Map<string, UsualAnswer>()
  for (const { pick, recommended } of own) {
    const takes = takingOf(pick, recommended)
    for (const answer of takes === 'recommended' ? [pick, RECOMMENDED] : [pick]) {
      const key = JSON.stringify([answer, takes])
      counted.set(key, { answer, takes, same: (counted.get(key)?.same ?? 0) + 1 })
    }
  }
  const keysFirst = [...counted.values()].sort(
    (a, b) => b.same - a.same || Number(a.answer === RECOMMENDED) - Number(b.answer === RECOMMENDED),
  )
  const [best] = keysFirst
  return best !== undefined && best.same * 100 >= rows.length * LEAST_PERCENT ? best : null
}

const LONGEST_NAME = 60

function nameFor({ runbook, step, kind, agent, cause }: PolicyScope, answer: string): string {
  const parts = [runbook, step, kind || (cause === 'agent' || cause === 'step' ? undefined : cause), answer]
  const words = (step === undefined ? [agent, ...parts] : parts).filter((part) => part !== undefined)
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
