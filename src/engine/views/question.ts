/** The questions of a run that lie with people, as a card shows them. */
import type { Contract, Option } from '../../model/contract.ts'
import { type Program, type Step, stepOf } from '../../model/program.ts'
import type { QuestionCard } from '../../model/question-card.ts'
import { routeText } from '../../model/route.ts'
import { tellingLine } from '../../model/telling-line.ts'
import { type Lookup, renderText } from '../../model/template.ts'
import { timersOf } from '../clock.ts'
import { offeredExtras, offeredOutcomes } from '../question.ts'
import type { OpenQuestion, RunState } from '../state.ts'
import { quotedLookup } from './authors.ts'
import { commandsAfter } from './consequences.ts'
import { causeText } from './fault-cause.ts'
import { lookupIn } from './lookup.ts'

export type { QuestionCard }

export function questionsOf(program: Program, state: RunState, world: Lookup): QuestionCard[] {
  const visit = state.current
  if (visit === null) return []
  const step = stepOf(program, visit.step)
  const own = visit.question === null ? [] : [cardOf(program, state, step, visit.question, world)]
  const raised = visit.members.flatMap(({ question }, index) => {
    if (question === null || (step.kind !== 'agent' && step.kind !== 'panel')) return []
    const card = cardOf(program, state, step, question, world)
    const asker = step.members[index]!.agent
    const { decision } = question
    return [
      {
        ...card,
        headline: decision === null ? `${asker} asks at ${step.name}` : `${asker}: ${decision.headline}`,
        detail: decision?.question ?? '',
        expiresAt: expiryOf(program, state, index),
        choices: [],
        extras: [],
        runs: {},
      },
    ]
  })
  return [...own, ...raised]
}

const expiryOf = (program: Program, state: RunState, member: number | null): number | null =>
  timersOf(program, state).find((timer) => timer.kind === 'expire' && timer.member === member)?.at ?? null

function cardOf(
  program: Program,
  state: RunState,
  step: Step,
  question: OpenQuestion,
  world: Lookup,
): QuestionCard {
  const lookup = lookupIn(state, world)
  const texts =
    step.kind === 'decide'
      ? step.context.flatMap((item) =>
          item.kind === 'text' ? [[item.name, renderText(item.source, lookup)]] : [],
        )
      : []
  const [outcomes, extras] = [offeredOutcomes(step, question), offeredExtras(state, step, question)]
  return {
    id: question.id,
    step: step.name,
    cause: question.cause,
    headline: headlineOf(step, question, quotedLookup(program, state, lookup)),
    detail: detailOf(question),
    openedAt: question.openedAt,
    expiresAt: expiryOf(program, state, null),
    context: { ...Object.fromEntries(texts), ...state.current!.context },
    contract: step.contract,
    choices: outcomes.map((outcome) => ({
      outcome,
      option: optionOf(step.contract, outcome),
      leadsTo: routeText(step.routes[outcome]!, program),
    })),
    extras,
    runs: Object.fromEntries(
      [...outcomes, ...extras].map((outcome) => [outcome, commandsAfter(program, { step, outcome, lookup })]),
    ),
    proposal: question.proposal,
    decision: question.decision,
  }
}

/** A row may bear the name of an option, and is none. */
const optionOf = ({ variables, rows }: Contract, outcome: string): Option | null =>
  (rows.length === 0 ? variables[0]?.options.find(({ value }) => value === outcome) : undefined) ?? null

/** What a check printed is in its answer; a person who is asked what now wants to see it. */
const detailOf = ({ cause, detail, proposal }: OpenQuestion): string =>
  cause === 'unrouted' && detail === '' ? (proposal?.notes ?? '') : detail

function headlineOf(step: Step, question: OpenQuestion, lookup: Lookup): string {
  const { cause, proposal } = question
  switch (cause) {
    case 'step':
      return step.kind === 'decide' ? renderText(step.prompt, lookup) : step.name
    case 'fault':
      return `${step.name}: ${causeText(question)}`
    case 'proposal':
      return `${step.name} proposes "${proposal?.outcome}", which only a person may decide`
    case 'unrouted': {
      const option = step.contract.variables[0]?.options.find(({ value }) => value === proposal?.outcome)
      const meaning = option?.say ? `: ${option.say}` : ', and nobody wrote where that leads'
      const shown = step.kind === 'check' && proposal?.notes ? `: ${tellingLine(proposal.notes)}` : ''
      return `${step.name} came to "${proposal?.outcome}"${shown === '' ? meaning : `${meaning.replace(/\.$/, '')}${shown}`}`
    }
    case 'agent':
      return `An agent asks at ${step.name}`
  }
}
