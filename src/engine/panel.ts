/**
 * What the members of a step come to together. Options stand best first, so the last-listed answer that any
 * blocking member gave wins; a fault of a blocking member wins over all but the very worst answer, which nothing
 * could make worse. Advisory members are recorded and never decide.
 */
import type { Answer, FieldValue, Finding } from '../model/answer.ts'
import { combinationsFor, possibleOutcomes } from '../model/combinations.ts'
import { outcomesOf } from '../model/contract.ts'
import { FAULTS, type Fault } from '../model/fault.ts'
import type { AgentStep } from '../model/program.ts'
import { partsOf, subjectsOf } from '../model/subjects.ts'
import type { MemberState } from './state.ts'

export type PanelVerdict =
  /** `given`: the answers that were taken, as they came. */
  | {
      readonly kind: 'answer'
      readonly answer: Answer
      readonly given: readonly Answer[]
      readonly agents: readonly string[]
    }
  | {
      readonly kind: 'fault'
      readonly fault: Fault
      readonly detail: string
      readonly agents: readonly string[]
    }

/** Null while some member is still at work. */
export function verdictOf(step: AgentStep, members: readonly MemberState[]): PanelVerdict | null {
  for (const { status } of members) if (status !== 'answered' && status !== 'faulted') return null
  const blocking: Blocking[] = []
  for (const [index, { agent, advisory }] of step.members.entries())
    if (!advisory) blocking.push({ name: agent, state: members[index]! })
  const [first] = blocking
  if (first === undefined) {
    const answer = best(step, possibleOutcomes(step.contract)[0]!)
    return { kind: 'answer', answer, given: [answer], agents: [] }
  }
  if (blocking.length === 1) return alone(first)

  const outcomes = outcomesOf(step.contract)
  const worst = Math.max(...blocking.map(({ state }) => outcomes.indexOf(state.answer?.outcome ?? '')))
  const isWorst = outcomes.length > 1 && worst === outcomes.length - 1
  const faulted = blocking.filter(({ state }) => state.status === 'faulted')
  if (faulted.length > 0 && !isWorst) {
    const [gravest] = faulted.sort((a, b) => FAULTS.indexOf(a.state.fault!) - FAULTS.indexOf(b.state.fault!))
    const { fault, detail } = gravest!.state
    return { kind: 'fault', fault: fault!, detail, agents: faulted.map(({ name }) => name) }
  }
  const winners = blocking.filter(({ state }) => state.answer?.outcome === outcomes[worst])
  return {
    kind: 'answer',
    answer: merged(step, winners, blocking),
    given: winners.flatMap(({ state }) => state.answer ?? []),
    agents: winners.map(({ name }) => name),
  }
}

const alone = ({ name, state: { answer, fault, detail } }: Blocking): PanelVerdict =>
  answer !== null
    ? { kind: 'answer', answer, given: [answer], agents: [name] }
    : { kind: 'fault', fault: fault!, detail, agents: [name] }

interface Blocking {
  readonly name: string
  readonly state: MemberState
}

function best({ contract }: AgentStep, outcome: string): Answer {
  const [way] = combinationsFor(contract, outcome)
  const { choices, fields, handed } = partsOf(contract, way?.values ?? {})
  const { handoff } = contract
  return {
    outcome,
    choices,
    fields,
    notes: '',
    handoff:
      handoff === null || Object.keys(handed).length === 0
        ? null
        : { name: handoff.name, version: handoff.version, quality: 'partial', values: handed },
  }
}

/** The winners' words, each under its name; findings of everybody who blocks. */
function merged(step: AgentStep, winners: readonly Blocking[], blocking: readonly Blocking[]): Answer {
  const first = winners[0]!.state.answer!
  const fields: Record<string, FieldValue> = {}
  const deciding = new Set(subjectsOf(step.contract).map(({ name }) => name))
  for (const field of step.contract.fields) {
    // What decided stands as the first winner said it: a mixture could mean another outcome.
    const from =
      field.type === 'findings' ? blocking : deciding.has(field.name) ? winners.slice(0, 1) : winners
    const given = from.flatMap(({ name, state }) => {
      const value = state.answer?.fields[field.name]
      return value === undefined ? [] : [{ name, value }]
    })
    if (given.length === 0) continue
    if (field.type === 'findings')
      fields[field.name] = given.flatMap(({ value }) => value as readonly Finding[])
    else if (field.type === 'list')
      fields[field.name] = given.flatMap(({ value }) => value as readonly string[])
    else if (field.type === 'text')
      fields[field.name] = joined(given.map(({ name, value }) => [name, value as string]))
    else fields[field.name] = given[0]!.value
  }
  const notes = winners.flatMap(({ name, state }) => {
    const text = state.answer?.notes ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  return { ...first, fields, notes: joined(notes) }
}

const joined = (texts: readonly (readonly [name: string, text: string])[]): string =>
  texts.length === 1 ? texts[0]![1] : texts.map(([name, text]) => `${name}: ${text}`).join('\n\n')
