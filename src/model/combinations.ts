/**
 * Which values lead to which outcome. Values that no row and no rule can tell apart are looked at once, so that a
 * large question with a small table stays small; each contract is looked through once, and what was found is kept.
 */
import { type Contract, needsConfirmation, outcomesOf } from './contract.ts'
import { own } from './own.ts'
import { outcomeOf, partsOf, type Subject, type SubjectValues, subjectsOf } from './subjects.ts'

/** One of the ways to an outcome. */
export interface Combination {
  readonly values: SubjectValues
  /** Some option of it is for people only. */
  readonly confirm: boolean
  /** It leaves out what its handoff must hold, so it is taken only once the nudges are used up. */
  readonly lacksHandoff: boolean
}

/**
 * One combination for each way to the outcome that rules can tell apart: taken as it is, and as a proposal to a
 * person. Those that an answer with its whole handoff can take come first.
 */
export const combinationsFor = (contract: Contract, outcome: string): readonly Combination[] =>
  surveyOf(contract).ways.get(outcome) ?? []

/** The choices of a way to the outcome, or null where nothing leads there. */
export function choicesFor(contract: Contract, outcome: string): Readonly<Record<string, string>> | null {
  const [way] = combinationsFor(contract, outcome)
  return way === undefined ? null : partsOf(contract, way.values).choices
}

/** The outcomes that some answer leads to: not the rows that others take everything from. */
export const possibleOutcomes = (contract: Contract): readonly string[] => surveyOf(contract).outcomes

/** Whether an answer with this outcome may have left the subject out. */
export const mayLeaveOut = (contract: Contract, outcome: string, subject: string): boolean =>
  surveyOf(contract).leftOut.get(outcome)?.has(subject) ?? false

/** Combinations that are worth looking through; a table that tells more of them apart is refused. */
export const MOST_COMBINATIONS = 200_000

export interface Survey {
  /** How many combinations can be told apart. */
  readonly size: number
  /** One that no row fits. */
  readonly missing: SubjectValues | null
  readonly outcomes: readonly string[]
  readonly ways: ReadonlyMap<string, readonly Combination[]>
  /** Outcome → subjects that some way to it leaves out. */
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>
}

const surveys = new WeakMap<Contract, Survey>()

export function surveyOf(contract: Contract): Survey {
  const known = surveys.get(contract) ?? survey(contract)
  surveys.set(contract, known)
  return known
}

function survey(contract: Contract): Survey {
  const subjects = subjectsOf(contract).map(({ name }) => name)
  const choices = subjectsOf(contract).map((subject) => toldApart(contract, subject))
  const lacking = lackingIn(contract)
  const ways = new Map<string, Combination[]>()
  const leftOut = new Map<string, Set<string>>()
  let missing: SubjectValues | null = null
  let looked = 0
  const values: Record<string, string> = {}
  const look = (): void => {
    looked++
    const lacks = lacking(values)
    if (lacks === 'impossible') return
    const outcome = outcomeOf(contract, values)
    if (outcome === null) {
      missing ??= { ...values }
      return
    }
    if (!ways.has(outcome)) {
      ways.set(outcome, [])
      leftOut.set(outcome, new Set())
    }
    const way = { values, confirm: needsConfirmation(contract, values), lacksHandoff: lacks === 'handoff' }
    keep(ways.get(outcome)!, way)
    for (const name of subjects) if (values[name] === undefined) leftOut.get(outcome)!.add(name)
  }
  const visit = (index: number): void => {
    const name = subjects[index]
    if (name === undefined) {
      look()
      return
    }
    for (const value of choices[index]!) {
      if (looked >= MOST_COMBINATIONS) break
      if (value === null) delete values[name]
      else values[name] = value
      visit(index + 1)
    }
    delete values[name]
  }
  visit(0)
  return {
    size: choices.reduce((product, { length }) => product * length, 1),
    missing,
    outcomes: outcomesOf(contract).filter((outcome) => ways.has(outcome)),
    ways,
    leftOut,
  }
}

/** One value for each group of them that nothing tells apart; null for the absence of one. */
function toldApart(contract: Contract, subject: Subject): (string | null)[] {
  const { name, values, optional } = subject
  const groups = new Map<string, string>()
  for (const value of values) {
    const fits = contract.rows.map(({ when }) => own(when, name)?.includes(value) ?? true)
    const confirm = needsConfirmation(contract, { [name]: value })
    const group = contract.rows.length === 0 ? value : [...fits, confirm].join()
    if (!groups.has(group)) groups.set(group, value)
  }
  return [...groups.values(), ...(optional ? [null] : [])]
}

/** Whether values leave out what the handoff must hold, and whether an answer can do that at all. */
function lackingIn(contract: Contract): (values: SubjectValues) => 'nothing' | 'handoff' | 'impossible' {
  const handed = subjectsOf(contract).flatMap(({ name, from }) => (from === 'handoff' ? [name] : []))
  const { fields = [], partial = false } = contract.handoff ?? {}
  const needed = handed.filter((name) =>
    fields.some((field) => field.name === name && field.requiredFor.length > 0),
  )
  return (values) => {
    if (needed.every((name) => values[name] !== undefined)) return 'nothing'
    // With notes the rest of a handoff stands; a fallback stands for the whole of it.
    return partial || handed.every((name) => values[name] === undefined) ? 'handoff' : 'impossible'
  }
}

/** Without its handoff a way differs from the same with it by the nudges before it, and by nothing else. */
function keep(ways: Combination[], way: Combination): void {
  const same = ways.findIndex(({ confirm }) => confirm === way.confirm)
  if (same >= 0 && (way.lacksHandoff || !ways[same]!.lacksHandoff)) return
  if (same >= 0) ways.splice(same, 1)
  ways.push({ ...way, values: { ...way.values } })
  ways.sort((a, b) => rankOf(a) - rankOf(b))
}

const rankOf = ({ confirm, lacksHandoff }: Combination): number => (lacksHandoff ? 2 : 0) + (confirm ? 1 : 0)
