/**
 * What an agent is told when it is dispatched: who it is, what to do, what came before, what is asked and where
 * each answer leads. Made from the state each time, so nothing that belongs in it can have been thrown away. What other
 * agents, commands and people wrote is in it as `Words`, which only a fence can show.
 */
import type { Finding } from '../../model/answer.ts'
import type { Option } from '../../model/contract.ts'
import { digestOf } from '../../model/digest.ts'
import { authorText, type Words, words } from '../../model/fence.ts'
import { type AgentStep, type Program, stepOf } from '../../model/program.ts'
import { routeText } from '../../model/route.ts'
import { type Lookup, renderText } from '../../model/template.ts'
import { demandsOf, exampleAnswer, saidBy } from '../contract-text.ts'
import { turnName } from '../names.ts'
import type { MemberState, RunState, StepRecord } from '../state.ts'
import { authorAt, fencedLookup } from './authors.ts'
import { unusableException, writesOf } from './boundary.ts'
import { lookupIn, valueText } from './lookup.ts'

export interface Brief {
  readonly agent: string
  readonly role: string
  readonly task: string
  /** Why it was sent back, or what its question was answered; empty on a first brief. */
  readonly message: string
  /** What people said to it in this visit. */
  readonly words: readonly BriefWord[]
  readonly prior: Prior | null
  /** How the visit before this one ended, where the step only begins again: what went wrong, and a person's note. */
  readonly again: { readonly outcome: string; readonly detail: Words } | null
  readonly handoffs: readonly PriorHandoff[]
  /** Earlier findings of this step, each to be marked fixed or not; null where there are none. */
  readonly findings: Words | null
  readonly demands: readonly string[]
  readonly options: readonly (Option & { readonly leadsTo: string })[]
  readonly example: Readonly<Record<string, unknown>>
  /** How many decisions it may raise in this visit. */
  readonly questions: number
  /** Globs it may write to; null: anywhere in the worktree. */
  readonly writes: readonly string[] | null
  /** The exception that could not be looked up, and so left it nothing to write to. */
  readonly unusable: string | null
}

export interface BriefWord {
  readonly said: Words
  /** It comes with this very prompt. */
  readonly isNew: boolean
}

/** The step that led here: its answer is this step's feedback. */
export interface Prior {
  readonly step: string
  readonly outcome: string
  readonly said: string
  /** Its fields and notes. */
  readonly left: Words
}

export interface PriorHandoff {
  readonly step: string
  readonly visit: number
  readonly name: string
  readonly version: number
  readonly quality: 'full' | 'partial' | 'fallback'
  readonly text: Words
  /** Its values as JSON; null where it is not full. */
  readonly json: Words | null
  /** Of the values, so that a reader can tell a stale copy. */
  readonly hash: string
}

export function briefOf(program: Program, state: RunState, member: number, world: Lookup): Brief {
  const visit = state.current!
  const step = stepOf(program, visit.step) as AgentStep
  const seat = step.members[member]!
  const agent = program.agents[seat.agent]
  const lookup = fencedLookup(program, state, lookupIn(state, world))
  const { variables, rows } = step.contract
  return {
    agent: seat.agent,
    role: renderText(agent?.prompt ?? [], lookup),
    task: renderText(seat.prompt ?? [], lookup),
    message: visit.members[member]!.message,
    words: wordsOf(visit.members[member]!),
    prior: priorOf(program, state),
    again: againOf(state, step.name),
    handoffs: handoffsOf(program, state),
    findings: findingsOf(state, step.name),
    demands: demandsOf(step.contract),
    options: (variables[0]?.options ?? []).map((option) => {
      // In a table no option leads anywhere by itself, though a row may bear its name.
      const route = rows.length === 0 ? step.routes[option.value] : undefined
      return { ...option, leadsTo: route === undefined ? '' : routeText(route, program) }
    }),
    example: exampleAnswer(step.contract),
    questions: seat.questions,
    writes: writesOf(program, state, seat.agent),
    unusable: unusableException(program, state, seat.agent),
  }
}

const wordsOf = (member: MemberState): BriefWord[] =>
  member.words.map(({ by, text, told }) => ({
    said: words(authorText(by), 'word', text),
    isNew: told === null || told === turnName(member),
  }))

function priorOf(program: Program, state: RunState): Prior | null {
  const { cameFrom } = state
  const record = cameFrom === null ? undefined : state.records[cameFrom]
  if (cameFrom === null || record === undefined) return null
  const notes = record.answer?.notes ?? record.detail
  const left = [
    ...Object.entries(record.answer?.fields ?? {}).map(([name, value]) => `${name}:\n${valueText(value)}`),
    notes === '' ? '' : `Notes:\n${notes}`,
  ].filter((text) => text !== '')
  return {
    step: cameFrom,
    outcome: record.outcome,
    said: saidBy(stepOf(program, cameFrom).contract, record.answer?.choices ?? {}),
    left: words(authorAt(program, cameFrom, record), 'answer', left.join('\n\n')),
  }
}

function againOf({ records, current }: RunState, step: string): Brief['again'] {
  const record = records[step]
  if (record === undefined || record.answer !== null || record.visit !== current!.number - 1) return null
  const { outcome, detail, by } = record
  return { outcome, detail: words(authorText(by), 'reason', detail) }
}

function findingsOf({ findings }: RunState, step: string): Words | null {
  const open = (findings[step] ?? []).filter(({ status }) => status === 'open')
  return open.length === 0 ? null : words(`agents at "${step}"`, 'findings', open.map(findingText).join('\n'))
}

const findingText = ({ id, severity, title, file, detail }: Finding): string =>
  `- ${id} [${severity}] ${title}${file === '' ? '' : ` (${file})`}${detail === '' ? '' : `: ${detail}`}`

function handoffsOf(program: Program, state: RunState): PriorHandoff[] {
  return Object.entries(state.records).flatMap(([step, record]) => {
    const handoff = record.answer?.handoff
    if (handoff === undefined || handoff === null) return []
    const { name, version, quality, values } = handoff
    const by = quality === 'fallback' ? 'the runbook' : authorAt(program, step, record)
    return [
      {
        step,
        visit: record.visit,
        name,
        version,
        quality,
        text: words(by, name, handoffText(program, step, record)),
        json: quality === 'full' ? words(by, `json ${name}`, JSON.stringify(values, null, 2)) : null,
        hash: digestOf(values),
      },
    ]
  })
}

/** A full handoff speaks by its fields, a partial one by its notes, and a missing one by what the flow says of that. */
function handoffText(program: Program, step: string, { answer }: StepRecord): string {
  const { contract } = stepOf(program, step)
  if (answer?.handoff?.quality === 'fallback') return contract.handoff?.fallback ?? ''
  const fields = Object.entries(answer?.handoff?.values ?? {}).map(
    ([name, value]) => `${name}: ${valueText(value)}`,
  )
  return [...fields, answer?.notes ?? ''].filter((line) => line !== '').join('\n')
}
