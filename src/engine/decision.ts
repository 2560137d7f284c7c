/** A decision that an agent raises: held against its template when it is made, told back as a whole when it is answered. */
import { type Decision, EXAMPLE_DECISION, parseDecision } from '../model/decision.ts'
import { orNear } from '../model/nearest.ts'
import type { DecisionTemplate, Program } from '../model/program.ts'

/** What Signalbox itself asks on an agent's behalf. */
export const PERMISSION_KIND = 'permission'

export type Raised = { readonly decision: Decision } | { readonly message: string }

export function readDecision({ templates }: Program, payload: unknown): Raised {
  const kind = kindOf(payload)
  const template = Object.hasOwn(templates, kind) ? templates[kind] : undefined
  if (kind !== '' && kind !== PERMISSION_KIND && template === undefined)
    return rejected([`There is no kind "${kind}"${orNear(kind, Object.keys(templates))}`], payload)
  const parsed = parseDecision(template === undefined ? payload : withDefaults(payload, template))
  if ('problems' in parsed) return rejected(parsed.problems, payload)
  const missing = (template?.requiredContext ?? []).filter(
    (name) => (parsed.decision.evidence[name] ?? '') === '',
  )
  if (missing.length > 0)
    return rejected(
      missing.map((name) => `\`evidence.${name}\` is missing: a decision of the kind "${kind}" must say it.`),
      payload,
    )
  return parsed
}

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
function rejected(problems: readonly string[], payload: unknown): { readonly message: string } {
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
      JSON.stringify(EXAMPLE_DECISION),
      '```',
    ].join('\n'),
  }
}

const LONGEST = 600

function given(payload: unknown): string {
  const text = JSON.stringify(payload) ?? 'nothing'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

export interface Verdict {
  readonly question: string
  readonly decision: Decision
  /** The key; empty where the person only said something. */
  readonly pick: string
  readonly note: string
  readonly by: string
}

/** Self-contained: whoever reads it needs to remember nothing. */
export function envelopeText({ question, decision, pick, note, by }: Verdict): string {
  const option = decision.options.find(({ key }) => key === pick)
  return [
    `A person (${by}) has answered your decision ${question}.`,
    '',
    `Headline: ${decision.headline}`,
    `Question: ${decision.question}`,
    ...(option === undefined
      ? ['They picked none of your options, and said what stands in the note.']
      : [
          `Picked: ${option.key} (${option.label})`,
          ...(option.body === '' ? [] : [`It means: ${option.body}`]),
        ]),
    ...(note === '' ? [] : [`Note: ${note}`]),
    '',
    option === undefined
      ? 'Do what the note says. Do not ask this again.'
      : 'Do this now. Do not ask this again, and do not take another of the options.',
  ].join('\n')
}

/** Silence is not an answer: the agent must not read one into it. */
export const lapsedText = (question: string, { headline, recommended }: Decision): string =>
  [
    `Nobody answered your decision ${question} in time: ${headline}`,
    'That is not an answer to it.',
    recommended === null
      ? 'Go on without what it was about, or finish with what you have.'
      : 'Take your own recommendation only if it can be undone; else finish with what you have.',
  ].join('\n')
