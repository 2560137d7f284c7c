/** A question put to whoever sits at the terminal. */
import { createInterface } from 'node:readline/promises'
import { decidingParts, type QuestionCard } from '../engine/index.ts'
import type { Action } from '../host/operations.ts'
import type { Holder } from '../model/fact.ts'
import { RETRY, STOP } from '../model/route.ts'
import { conditionsText, subjectsOf } from '../model/subjects.ts'
import { fieldValues } from './decision/field-values.ts'
import { harmless, type Terminal, visible } from './terminal.ts'
import { UNCONFINED } from './unconfined.ts'

type Answer = Extract<Action, { kind: 'answer' }>

interface Choice {
  readonly key: string
  readonly text: string
  readonly recommended: boolean
}

/** `held` is what held the agents of its run. */
export function questionText(card: QuestionCard, { paint }: Terminal, held?: Holder): string {
  const context = textLines(card.context, paint)
  return [
    '',
    `${paint('magenta', '?')} ${paint('bold', visible(card.headline))}`,
    ...(held === 'none' ? [`  ${paint('yellow', UNCONFINED)}`] : []),
    ...(card.detail === '' ? [] : clip(card.detail).map((line) => `  ${visible(line)}`)),
    ...context,
    ...decisionLines(card, paint),
    '',
    ...choicesOf(card).map(
      ({ key, text, recommended }, index) =>
        `  ${index + 1}  ${paint('bold', key)}${recommended ? paint('green', ' (recommended)') : ''}${text === '' ? '' : `  ${visible(text)}`}`,
    ),
  ].join('\n')
}

const MOST_LINES = 30

const clip = (text: string): string[] => {
  const all = text.trimEnd().split('\n')
  return all.length <= MOST_LINES
    ? all
    : [...all.slice(0, MOST_LINES), `… ${all.length - MOST_LINES} more lines`]
}

const decisionLines = ({ decision }: QuestionCard, paint: Terminal['paint']): string[] => {
  if (decision === null) return []
  return textLines({ context: decision.context, ...decision.evidence }, paint)
}

const textLines = (texts: Readonly<Record<string, string>>, paint: Terminal['paint']): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    text.trim() === ''
      ? []
      : [
          '',
          paint('dim', `  ${visible(name)}`),
          ...clip(text).map((line) => paint('dim', `  │ ${visible(line)}`)),
        ],
  )

function choicesOf({ choices, extras, decision, contract }: QuestionCard): Choice[] {
  return [
    ...(decision?.options ?? []).map(({ key, label, body, reversible }) => ({
      key,
      text: [label, body, reversible ? '' : '(cannot be undone)'].filter((text) => text !== '').join('  '),
      recommended: key === decision?.recommended,
    })),
    ...choices.map(({ outcome, option, leadsTo }) => ({
      key: outcome,
      text: [option?.say ?? conditionsText(contract, outcome), leadsTo === '' ? '' : `→ ${leadsTo}`]
        .filter((text) => text !== '')
        .join('  '),
      recommended: option?.recommended ?? false,
    })),
    ...extras.map((extra) => ({
      key: extra,
      text: extra === RETRY ? 'try the step again' : 'end the run here',
      recommended: false,
    })),
  ]
}

/** The answer a choice stands for. Only the first variable is asked in words; a table takes the choices of its row. */
export function answerFor(
  card: QuestionCard,
  key: string,
  { note, fields }: { readonly note: string; readonly fields: Readonly<Record<string, string>> },
): Answer | { readonly problem: string } {
  const { id: question } = card
  if (key === RETRY || key === STOP)
    return { kind: 'answer', question, extra: key, given: { kind: 'nothing' }, note }
  if (card.cause === 'agent')
    return {
      kind: 'answer',
      question,
      extra: null,
      given: key === '' ? { kind: 'nothing' } : { kind: 'value', value: key },
      note,
    }
  const known = choicesOf(card).map((choice) => choice.key)
  if (!known.includes(key)) return { problem: `"${key}" is not offered. Choose one of: ${known.join(', ')}.` }
  return {
    kind: 'answer',
    question,
    extra: null,
    given: {
      kind: 'value',
      value: { ...fieldValues(card.contract.fields, fields), ...decidingParts(card, key) },
    },
    note,
  }
}

export const recommendedOf = (card: QuestionCard): string | null =>
  choicesOf(card).find(({ recommended }) => recommended)?.key ?? null

export interface Sitting {
  readonly terminal: Terminal
  /** The question needs no answer from here any more. */
  readonly signal: AbortSignal
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Null when the person went away. */
export async function askAtTerminal(
  card: QuestionCard,
  { terminal, signal, input, output }: Sitting,
): Promise<Answer | null> {
  const choices = choicesOf(card)
  const reader = createInterface({ input, output })
  // Ctrl-C and Ctrl-D close the reader, and a question to a closed one is never answered.
  const gone = new AbortController()
  reader.once('close', () => gone.abort())
  const over = { signal: AbortSignal.any([signal, gone.signal]) }
  const ask = (text: string): Promise<string> => reader.question(harmless(text), over)
  try {
    for (;;) {
      const said = (await ask(terminal.paint('magenta', '  your choice: '))).trim()
      const byNumber = choices[Number(said) - 1]?.key
      const key = byNumber ?? (said === '' ? (recommendedOf(card) ?? '') : said)
      if (key === '' && card.cause !== 'agent') continue
      const offered = answerFor(card, key, { note: '', fields: {} })
      if ('problem' in offered) {
        terminal.write(`  ${offered.problem}`)
        continue
      }
      const fields: Record<string, string> = {}
      for (const field of card.contract.fields)
        if (
          field.requiredFor.includes(key) &&
          card.proposal?.fields[field.name] === undefined &&
          !subjectsOf(card.contract).some(({ name }) => name === field.name)
        )
          fields[field.name] = await ask(`  ${field.name}${field.say === '' ? '' : ` (${field.say})`}: `)
      const note = (await ask(terminal.paint('dim', '  note (Enter for none): '))).trim()
      const answer = answerFor(card, key, { note, fields })
      if (!('problem' in answer)) return answer
      terminal.write(`  ${answer.problem}`)
    }
  } catch {
    return null
  } finally {
    reader.close()
  }
}
