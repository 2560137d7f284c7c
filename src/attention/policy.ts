/**
 * Policies: answers that a person wrote down beforehand. Scoped by conditions, in force for a time, and never for what
 * cannot be undone: whoever asks, whatever the file says. The first that fits, in the order of the file, answers.
 */

import { dangerIn } from '../model/danger.ts'
import { PERMISSION_KIND } from '../model/decision.ts'
import type { DecisionRecord, DecisionRow, ShownCommand, ShownOption } from '../model/decision-record.ts'
import { hasComputedWords } from '../model/plain-words.ts'
import { STOP } from '../model/route.ts'
import { saysOnly } from './card-words.ts'
import { patternFits } from './pattern.ts'

export interface Policy {
  readonly name: string
  /** All of them must hold; at least one is there. */
  readonly when: PolicyScope
  /** An option's key, `@retry`, or `recommended`. */
  readonly answer: string
  /** What the asker must say of that option, at least; null: nothing. */
  readonly confidence: number | null
  /** The last day it is in force, as it was written. */
  readonly until: string
  /** The instant at which it no longer is. */
  readonly expiresAt: number
  /** Told to whoever asked. */
  readonly note: string
}

export interface PolicyScope {
  readonly kind?: string
  readonly runbook?: string
  readonly step?: string
  readonly cause?: string
  readonly agent?: string
  /** This folder, or anything below it. */
  readonly repo?: string
  /** This very repository; empty: none. */
  readonly in?: string
  /** `*` stands for anything, `?` for one letter; capitals do not matter. */
  readonly headline?: string
  /** The headline's pattern: `Update lockfile {number 00}?` fits no other words. It needs `says`. */
  readonly like?: string
  /** All that the card says else, part by part: `label yes: Update it`. Anything more does not fit. */
  readonly says?: readonly string[]
  /** What is recommended must be one of these. */
  readonly recommends?: readonly string[]
  /** How its answer stands to what is recommended then. */
  readonly takes?: Taking
  /** Exactly these are offered, in any order; retry and stop aside. */
  readonly options?: readonly string[]
}

/** What is recommended; another option than that; or one where nothing is recommended. */
export const TAKINGS = ['recommended', 'other', 'none'] as const
export type Taking = (typeof TAKINGS)[number]

export const takingOf = (pick: string, recommended: string | null): Taking =>
  recommended === null ? 'none' : pick === recommended ? 'recommended' : 'other'

export const RECOMMENDED = 'recommended'

/** A headline alone does not say what is asked: a policy that knows no more than its pattern answers nothing. */
export const isIncomplete = ({ like, says }: PolicyScope): boolean => like !== undefined && says === undefined

export interface PolicyAnswer {
  readonly policy: Policy
  readonly pick: string
}

/** Null: it lies with a person. */
export function policyFor(
  policies: readonly Policy[],
  decision: DecisionRecord | DecisionRow,
  at: number,
): PolicyAnswer | null {
  const matter = matterOf(decision)
  if (matter.undone || matter.cause === 'proposal') return null
  // A person must have seen what runs with all that they may do.
  if (matter.runs?.some(({ held }) => held === 'none') === true) return null
  for (const policy of policies) {
    if (at >= policy.expiresAt || isIncomplete(policy.when) || !fits(policy.when, matter)) continue
    if (policy.when.says !== undefined && !saysOnly(decision, policy.when.says)) continue
    const option = optionFor(policy, matter)
    if (option === null) continue
    // The first that fits has the word, also where it may not give it: a later one is no way around that.
    const isSafe = mayBeTaken(option, matter) && isReadAsSafe(...matter.words)
    return isSafe ? { policy, pick: option.key } : null
  }
  return null
}

type Offered = Omit<ShownOption, 'body'> & { readonly body?: string }

interface Matter extends Pick<DecisionRecord, 'kind' | 'runbook' | 'step' | 'cause' | 'repo' | 'asker'> {
  readonly headline: string
  /** What it is about, whichever option is taken. */
  readonly words: readonly string[]
  readonly options: readonly Offered[]
  readonly recommended: string | null
  readonly fields: readonly { readonly requiredFor: readonly string[] }[]
  readonly runs?: readonly ShownCommand[]
  /** A person took an answer back: from then on it is theirs. */
  readonly undone: boolean
}

function matterOf(decision: DecisionRecord | DecisionRow): Matter {
  if (!('shown' in decision)) {
    const words = [decision.headline, decision.ask]
    return { ...decision, words, fields: [], undone: false }
  }
  const { headline, question, context, options, recommended, fields, runs } = decision.shown
  const input = decision.kind === PERMISSION_KIND ? Object.values(context) : []
  const undone = decision.stages.some(({ status }) => status === 'answered')
  return {
    ...decision,
    headline,
    options,
    recommended,
    fields,
    words: [headline, question, ...input],
    undone,
    ...(runs === undefined ? {} : { runs }),
  }
}

function fits(when: PolicyScope, { asker, options, ...matter }: Matter): boolean {
  const isOr = (wanted: string | undefined, found: string): boolean =>
    wanted === undefined || wanted === found
  return (
    isOr(when.kind, matter.kind) &&
    isOr(when.runbook, matter.runbook) &&
    isOr(when.step, matter.step ?? '') &&
    isOr(when.cause, matter.cause) &&
    isOr(when.agent, asker?.agent ?? '') &&
    isOr(when.in, matter.repo) &&
    (when.repo === undefined || isWithin(matter.repo, when.repo)) &&
    (when.headline === undefined || globFits(when.headline, matter.headline)) &&
    (when.like === undefined || patternFits(when.like, matter.headline)) &&
    (when.recommends === undefined || when.recommends.includes(matter.recommended ?? '')) &&
    (when.options === undefined || sameKeys(when.options, optionKeys(options)))
  )
}

/** What is offered, without what Signalbox itself adds. */
export const optionKeys = (options: readonly { readonly key: string }[]): string[] =>
  options.map(({ key }) => key).filter((key) => !key.startsWith('@'))

const sameKeys = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((key) => others.includes(key))

function isWithin(path: string, folder: string): boolean {
  const top = folder.replace(/\/+$/, '')
  return path !== '' && (path === top || path.startsWith(`${top}/`))
}

/** Null where the option is not offered, or the asker is not as sure of it as the policy wants. */
function optionFor({ when, answer, confidence }: Policy, { options, recommended }: Matter): Offered | null {
  const pick = answer === RECOMMENDED ? recommended : answer
  const option = options.find(({ key }) => key === pick)
  if (option !== undefined && when.takes !== undefined && takingOf(option.key, recommended) !== when.takes)
    return null
  if (option === undefined || confidence === null) return option ?? null
  return option.confidence !== null && option.confidence >= confidence ? option : null
}

function mayBeTaken({ key, label, body = '', reversible, confirm }: Offered, { fields }: Matter): boolean {
  if (key === STOP || !reversible || confirm === true || !isReadAsSafe(label, body)) return false
  // What an answer must say besides its choice, nobody has said beforehand.
  return !fields.some(({ requiredFor }) => requiredFor.includes(key))
}

/** What is not in the text cannot be judged, so a person judges it. */
const isReadAsSafe = (...texts: readonly string[]): boolean =>
  dangerIn(...texts) === null && !texts.some(hasComputedWords)

/** Without going back more than to the last star: no pattern takes long. */
export function globFits(glob: string, text: string): boolean {
  const [pattern, letters] = [Array.from(glob.toLowerCase()), Array.from(text.toLowerCase())]
  let [at, star, resume] = [0, -1, 0]
  for (let index = 0; index < letters.length; ) {
    if (pattern[at] === '*') {
      star = at++
      resume = index
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === letters[index])) {
      at++
      index++
    } else if (star >= 0) {
      at = star + 1
      index = ++resume
    } else return false
  }
  return pattern.slice(at).every((letter) => letter === '*')
}
