/** A decision that an agent raises: held against its template when it is made, told back as a whole when it is answered. */
import { type Actor, actorText, type FieldValue } from '../model/answer.ts'
import { dangerIn } from '../model/danger.ts'
import { type Decision, EXAMPLE_DECISION, PERMISSION_KIND, parseDecision } from '../model/decision.ts'
import { authorText, fencedBlock, words } from '../model/fence.ts'
import { list, orNear } from '../model/nearest.ts'
import type { DecisionTemplate, Program } from '../model/program.ts'
import { visibleLine } from '../model/visible-text.ts'
import { valueText } from './views/lookup.ts'

export type RaisedDecision = { readonly decision: Decision } | { readonly message: string }

export function readDecision({ templates }: Pick<Program, 'templates'>, payload: unknown): RaisedDecision {
  if (payload !== EXAMPLE_DECISION) return judged(templates, payload)
  const known = examplesRead.get(templates) ?? judged(templates, payload)
  examplesRead.set(templates, known)
  return known
}

/** The rehearsal raises this one in every state that allows it, and looking for danger in words takes its time. */
const examplesRead = new WeakMap<Program['templates'], RaisedDecision>()

function judged(templates: Program['templates'], payload: unknown): RaisedDecision {
  const kind = kindOf(payload)
  const template = Object.hasOwn(templates, kind) ? templates[kind] : undefined
  const example = template === undefined ? EXAMPLE_DECISION : exampleOf(kind, template)
  if (kind !== '' && kind !== PERMISSION_KIND && template === undefined) {
    const unknown = `There is no kind "${kind}"${orNear(kind, Object.keys(templates))} ${kindsText(templates)}`
    const others = parseDecision({ ...(payload as object), kind: '' })
    return rejected([unknown, ...('problems' in others ? others.problems : [])], { payload, example })
  }
  const parsed = parseDecision(template === undefined ? payload : withDefaults(payload, template))
  const missing = (template?.requiredContext ?? [])
    .filter((name) => lacksEvidence(payload, name))
    .map((name) => `\`evidence.${name}\` is missing: a decision of the kind "${kind}" must say it.`)
  if ('problems' in parsed) return rejected([...parsed.problems, ...missing], { payload, example })
  return missing.length > 0
    ? rejected(missing, { payload, example })
    : { decision: withDangers(parsed.decision) }
}

/** What is there and no text is told of as that. */
function lacksEvidence(payload: unknown, name: string): boolean {
  const { evidence } = payload as { readonly evidence?: unknown }
  if (typeof evidence !== 'object' || evidence === null || !Object.hasOwn(evidence, name)) return true
  return (evidence as Readonly<Record<string, unknown>>)[name] === ''
}

/** One that this template takes. */
const exampleOf = (kind: string, { requiredContext }: DecisionTemplate): object => ({
  ...EXAMPLE_DECISION,
  kind,
  evidence: Object.fromEntries(
    requiredContext.map((name) => [name, `In a few sentences: ${name.replaceAll('_', ' ')}.`]),
  ),
})

/** What an agent calls reversible is held against its own words. */
function withDangers(decision: Decision): Decision {
  const options = decision.options.map((option) => {
    const danger = dangerIn(option.label, option.body)
    return danger === null ? option : { ...option, reversible: false, danger }
  })
  return { ...decision, options }
}

const kindsText = (templates: Program['templates']): string =>
  `The kinds are ${list(Object.keys(templates))}; leave it out where none fits.`

function kindOf(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || !('kind' in payload)) return ''
  return typeof payload.kind === 'string' ? payload.kind : ''
}

/** A template's options stand in for an agent that names none. */
function withDefaults(payload: unknown, { options }: DecisionTemplate): unknown {
  if (typeof payload !== 'object' || payload === null || 'options' in payload || options.length < 2)
    return payload
  const recommended = options.find((option) => option.recommended)?.value ?? null
  return {
    recommended,
    ...payload,
    options: options.map(({ value, label, say, reversible }) => ({
      key: value,
      label,
      body: say,
      reversible,
    })),
  }
}

/** The contract, what was given, and what would be right. */
function rejected(
  problems: readonly string[],
  { payload, example }: { readonly payload: unknown; readonly example: object },
): { readonly message: string } {
  return {
    message: [
      'This decision cannot be put to a person as it is.',
      '',
      'What is wrong:',
      ...problems.map((problem) => `- ${problem}`),
      '',
      `What you gave: ${given(payload)}`,
      '',
      'A correct one:',
      '```json',
      JSON.stringify(example),
      '```',
    ].join('\n'),
  }
}

const LONGEST = 600

function given(payload: unknown): string {
  const text = JSON.stringify(payload) ?? 'nothing'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

export interface AnswerToTell {
  readonly question: string
  readonly decision: Pick<Decision, 'headline' | 'question'> & {
    readonly options: readonly Pick<Decision['options'][number], 'key' | 'label' | 'body'>[]
  }
  /** The key; empty where the person only said something. */
  readonly pick: string
  readonly note: string
  /** What the option shall mean instead; null: as the agent wrote it. */
  readonly edited: string | null
  /** What the person filled in of a form. */
  readonly fields?: Readonly<Record<string, FieldValue>>
  readonly by: Actor
}

/** Self-contained: whoever reads it needs to remember nothing. */
export function envelopeText(answer: AnswerToTell): string {
  const { question, decision, pick, note, edited, fields = {}, by } = answer
  const option = decision.options.find(({ key }) => key === pick)
  return [
    `${whoText(by)} has answered your decision ${question}.`,
    '',
    line('Headline', ASKER, decision.headline),
    line('Question', ASKER, decision.question),
    ...(option === undefined
      ? ['They picked none of your options, and said what stands in the note.']
      : [line('Picked', ASKER, `${option.key} (${option.label})`), ...meaning(option.body, { edited, by })]),
    ...Object.entries(fields).map(([name, value]) =>
      line(visibleLine(name), authorText(by), valueText(value)),
    ),
    ...(note === '' ? [] : [line('Note', authorText(by), note)]),
    '',
    option === undefined
      ? 'Do what the note says. Do not ask this again.'
      : 'Do this now. Do not ask this again, and do not take another of the options.',
  ].join('\n')
}

const whoText = (by: Actor): string =>
  by.kind === 'policy' ? `A policy that a person ratified (${by.name})` : `A person (${actorText(by)})`

function meaning(proposed: string, { edited, by }: Pick<AnswerToTell, 'edited' | 'by'>): string[] {
  if (edited === null) return proposed === '' ? [] : [line('It means', ASKER, proposed)]
  return [
    line('It means, as they changed it', authorText(by), edited),
    ...(proposed === '' ? [] : [line('And no longer', ASKER, proposed)]),
  ]
}

const ASKER = 'the agent that asked'

/** What has lines of its own could pass for one of ours. */
const line = (about: string, by: string, text: string): string =>
  /[\p{Cc}\u2028\u2029]/u.test(text)
    ? `${about}:\n${fencedBlock(words(by, about, text))}`
    : `${about}: ${visibleLine(text)}`

/** Silence is not an answer: the agent must not read one into it. */
export const lapsedText = (question: string, { headline, recommended }: Decision): string =>
  [
    line(`Nobody answered your decision ${question} in time`, ASKER, headline),
    'That is not an answer to it.',
    recommended === null
      ? 'Go on without what it was about, or finish with what you have.'
      : 'Take your own recommendation only if it can be undone; else finish with what you have.',
  ].join('\n')
