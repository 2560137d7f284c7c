/** What a question of a run shows to people at the moment it opens. */
import type { Answer } from '../../model/answer.ts'
import { type Field, handedName, optionsChosen } from '../../model/contract.ts'
import type { Decision, DecisionOption } from '../../model/decision.ts'
import type { Asker, Shown, ShownOption } from '../../model/decision-record.ts'
import type { Program } from '../../model/program.ts'
import { RETRY } from '../../model/route.ts'
import { conditionsText, subjectsOf } from '../../model/subjects.ts'
import type { Lookup } from '../../model/template.ts'
import type { OpenedDecision } from '../decision-book.ts'
import type { RunState } from '../state.ts'
import { valuesPicked } from './pick.ts'
import { type QuestionCard, questionsOf } from './question.ts'

export interface Around {
  readonly stream: string
  readonly repo: string
  readonly world: Lookup
  readonly askerAt: (member: number) => Asker | null
}

/** The question as it stands open in this state; null where it does not. */
export function openedIn(
  program: Program,
  state: RunState,
  { question, around }: { readonly question: string; readonly around: Around },
): OpenedDecision | null {
  const card = questionsOf(program, state, around.world).find(({ id }) => id === question)
  if (card === undefined) return null
  const member = state.current?.members.findIndex((seat) => seat.question?.id === question) ?? -1
  return {
    stream: around.stream,
    question,
    run: state.run,
    step: card.step,
    cause: card.cause,
    kind: card.decision?.kind ?? '',
    repo: around.repo,
    runbook: program.name,
    asker: member < 0 ? null : around.askerAt(member),
    expiresAt: card.expiresAt,
    urgency: card.decision?.urgency ?? 'normal',
    shown: shownOn(card),
  }
}

/** What somebody raised, as a person sees it. */
export function shownOf(decision: Decision): Shown {
  const { headline, question, context, evidence, options, recommended, form } = decision
  return {
    headline,
    question,
    detail: '',
    context: { ...(context === '' ? {} : { context }), ...evidence },
    options: options.map(optionOf),
    recommended,
    fields: form?.fields ?? [],
    proposed: form?.proposed ?? {},
  }
}

function shownOn(card: QuestionCard): Shown {
  const { decision, headline, detail, context, contract, proposal } = card
  if (decision !== null) return shownOf(decision)
  const options = choicesOf(card)
  const deciding = new Set(subjectsOf(contract).map(({ name }) => name))
  return {
    headline,
    question: headline,
    detail,
    context,
    options,
    recommended: proposal?.outcome ?? card.choices.find(({ option }) => option?.recommended)?.outcome ?? null,
    // Whoever picks has said what decides.
    fields: [...contract.fields.filter(({ name }) => !deciding.has(name)), ...handoffFields(card)],
    proposed: { ...proposal?.fields, ...handedBy(proposal) },
  }
}

/** A handoff is filled in as the answer's own fields are; where notes or a fallback would do, nothing of it is needed. */
function handoffFields({ contract, choices }: QuestionCard): Field[] {
  const { handoff } = contract
  if (handoff === null) return []
  const mayBeMissing = handoff.partial || handoff.fallback !== null
  const outcomes = choices.map(({ outcome }) => outcome)
  const deciding = subjectsOf(contract).flatMap(({ from, name }) => (from === 'handoff' ? [name] : []))
  return handoff.fields
    .filter(({ name }) => !deciding.includes(name))
    .map((field) => ({
      ...field,
      name: handedName(field.name),
      requiredFor: mayBeMissing || field.requiredFor.length === 0 ? [] : outcomes,
    }))
}

const handedBy = (proposal: Answer | null): Shown['proposed'] =>
  Object.fromEntries(
    Object.entries(proposal?.handoff?.values ?? {}).map(([name, value]) => [handedName(name), value]),
  )

const optionOf = ({ key, label, body, reversible, confidence }: DecisionOption): ShownOption => ({
  key,
  label,
  body,
  reversible,
  confidence,
  leadsTo: '',
})

function choicesOf(card: QuestionCard): ShownOption[] {
  const { choices, extras, contract } = card
  const runs = (outcome: string) => {
    const commands = card.runs[outcome] ?? []
    return commands.length === 0 ? {} : { runs: commands }
  }
  return [
    ...choices.map(({ outcome, option, leadsTo }) => {
      // A row is as grave as the options that are picked with it.
      const picked = optionsChosen(contract, valuesPicked(card, outcome))
      return {
        key: outcome,
        label: option?.label ?? outcome,
        body: option?.say ?? conditionsText(contract, outcome),
        reversible: picked.every(({ reversible }) => reversible),
        confidence: null,
        leadsTo,
        ...(picked.some(({ confirm }) => confirm) ? { confirm: true as const } : {}),
        ...runs(outcome),
      }
    }),
    ...extras.map((extra) => ({
      key: extra,
      label: extra === RETRY ? 'Try again' : 'Stop here',
      body: extra === RETRY ? 'Try the step again.' : 'End the run here.',
      reversible: extra === RETRY,
      confidence: null,
      leadsTo: '',
      ...runs(extra),
    })),
  ]
}
