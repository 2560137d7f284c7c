/**
 * What a turn without an answer amounts to. The end of a turn is not success: a failed model ends it in the same way, and so
 * does an agent that asks a person in prose. Where the end of the work is the answer, it counts as finished only with a sign
 * of that: the agent says so, or its files changed. Without one the agent is asked once. Pure.
 */
import { isModelError, type TurnEnd } from '../../drivers/index.ts'
import { lastCharacters } from '../../model/characters.ts'
import { endsWithQuestion, readEndWord, saysFinished } from './end-words.ts'

export type EndedTurn = Extract<TurnEnd, { readonly kind: 'ended' }>

export type TurnVerdict =
  /**
   * The end of its work, or of a turn whose answer is missing: the run's rules say what follows. `ifUnchanged`: only if it
   * changed a file.
   */
  | { readonly kind: 'ended'; readonly ifUnchanged: Unfinished | null }
  /** It ended with a question for a person. */
  | { readonly kind: 'question' }
  | Unfinished

export type Unfinished =
  /** Finished, or waiting for a person: it is asked which. */
  { readonly kind: 'unclear' } | { readonly kind: 'failed'; readonly detail: string }

/** A turn of the same attempt after which the agent was asked whether it had finished. */
export interface UnclearEnd {
  readonly attempt: number
  readonly said: string
}

export interface WhatWasAsked {
  /** Nothing but the work: the end of it is the answer. */
  readonly endIsAnswer: boolean
  /** Words that this agent's last message holds where its model failed. */
  readonly failures: readonly string[]
  /** Null: it was not asked yet. */
  readonly unclear: UnclearEnd | null
  /** It asked a person by a form, and got no answer. */
  readonly hasAskedInVain: boolean
}

export function verdictOnTurn(end: EndedTurn, asked: WhatWasAsked): TurnVerdict {
  const { reason, text, toolCalls } = end
  const { endIsAnswer, failures } = asked
  const said = text.trim()
  if (reason === 'refusal') return failed(`The model refused to go on. ${lastCharacters(text, 1000)}`)
  if (endIsAnswer && reason !== 'end_turn')
    return failed(`Its turn was cut off (${reason}) before it was done. ${lastCharacters(text, 1000)}`)
  if (isKnownFailure(said, failures)) return failed(`The model could not be reached: ${cut(said)}`)
  if (said === '' && toolCalls === 0)
    return failed('It ended its turn without a word and without a tool call.')
  // An agent that has worked may speak of errors. Where the end is the answer, a message that begins with one is no end.
  if ((toolCalls === 0 || endIsAnswer) && isModelError(said, { within: toolCalls === 0 }))
    return failed(`The model could not be reached: ${said}`)
  return endIsAnswer ? verdictOnEnd(said, asked) : ENDED
}

function verdictOnEnd(said: string, { unclear, hasAskedInVain }: WhatWasAsked): TurnVerdict {
  const word = readEndWord(said)
  if (word === 'finished') return ENDED
  if (word === 'question') return { kind: 'question' }
  if (unclear === null) {
    const isUnclear = said === '' || hasAskedInVain || endsWithQuestion(said)
    return isUnclear ? UNCLEAR : { kind: 'ended', ifUnchanged: UNCLEAR }
  }
  if (said === '') return failed(STAYED_SILENT)
  if (endsWithQuestion(said)) return { kind: 'question' }
  if (saysFinished(said)) return ENDED
  return { kind: 'ended', ifUnchanged: failed(`${STAYED_UNCLEAR} It said: ${cut(said)}`) }
}

const failed = (detail: string): Extract<TurnVerdict, { kind: 'failed' }> => ({ kind: 'failed', detail })
const UNCLEAR = { kind: 'unclear' } as const
export const ENDED: TurnVerdict = { kind: 'ended', ifUnchanged: null }

const STAYED_SILENT =
  'It worked, and ended its turn without a word; asked whether it is done, it did so again. Its model may have failed.'

const STAYED_UNCLEAR =
  'Nothing changed, and it was asked whether its work is finished or is a question for a person: it answered neither.'

const LONGEST_ERROR = 1500

/** Joined without line breaks, and after words of its own: so within the text, where it is near its end. */
function isKnownFailure(said: string, failures: readonly string[]): boolean {
  const end = said.slice(-LONGEST_ERROR)
  return failures.some((failure) => {
    let at = 0
    return failure.split('*').every((part) => {
      const found = end.indexOf(part, at)
      at = found + part.length
      return found !== -1
    })
  })
}

const cut = (said: string): string => lastCharacters(said, LONGEST_ERROR)
