/**
 * What a turn came to that ended without an answer, judged by what was asked. The end of a turn is not success: a failed model
 * ends it in the same way, with the error as text, or with no word at all. Pure.
 */
import type { TurnEnd } from '../../drivers/index.ts'
import { lastCharacters } from '../../model/characters.ts'

export type EndedTurn = Extract<TurnEnd, { readonly kind: 'ended' }>

export type TurnVerdict =
  /** The end of its work, or of a turn whose answer is missing: the run says what follows. */
  | { readonly kind: 'ended' }
  /** It worked, and ended without a word where its end is the answer: done, or its model failed. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'failed'; readonly detail: string }

export interface WhatWasAsked {
  /** Nothing but the work: the end of it is the answer. */
  readonly endIsAnswer: boolean
  /** Words that this agent's last message holds where its model failed. */
  readonly failures: readonly string[]
}

export function verdictOnTurn(
  { reason, text, toolCalls }: EndedTurn,
  { endIsAnswer, failures }: WhatWasAsked,
): TurnVerdict {
  const said = text.trim()
  const failed = (detail: string): TurnVerdict => ({ kind: 'failed', detail })
  if (reason === 'refusal') return failed(`The model refused to go on. ${lastCharacters(text, 1000)}`)
  if (endIsAnswer && reason !== 'end_turn')
    return failed(`Its turn was cut off (${reason}) before it was done. ${lastCharacters(text, 1000)}`)
  if (isKnownFailure(said, failures)) return failed(`The model could not be reached: ${cut(said)}`)
  if (said === '' && toolCalls === 0)
    return failed('It ended its turn without a word and without a tool call.')
  if (said === '') return { kind: endIsAnswer ? 'silent' : 'ended' }
  // Who has worked may speak of errors; where the end is the answer, one that begins with an error is no end.
  if (toolCalls > 0 && !(endIsAnswer && MODEL_ERROR.exec(said)?.index === 0)) return { kind: 'ended' }
  if (MODEL_ERROR.test(said) && said.length < LONGEST_ERROR)
    return failed(`The model could not be reached: ${said}`)
  return { kind: 'ended' }
}

const MODEL_ERROR =
  /^\W{0,4}(?:API Error|Error:|(?:Internal|Server|Stream|Provider|Request|Network) error|Request failed|unexpected status \d{3}|Failed to (?:connect|authenticate|get response)|Invalid API key|Please run \/login|Ran into this error|The model returned an empty response)/im
const LONGEST_ERROR = 1500

/** Joined without line breaks, and after words of its own: so within the text, where it is near its end. */
function isKnownFailure(said: string, failures: readonly string[]): boolean {
  const end = said.slice(-LONGEST_ERROR)
  return failures.some((failure) => end.includes(failure))
}

const cut = (said: string): string => lastCharacters(said, LONGEST_ERROR)
