/** What a person's choice means to the run it is given to. */
import type { Given } from '../../model/answer.ts'
import { choicesFor } from '../../model/contract.ts'
import { RETRY, STOP } from '../../model/route.ts'
import type { QuestionCard } from './question.ts'

export interface Picked {
  readonly extra: typeof RETRY | typeof STOP | null
  readonly given: Given
}

/** A table takes the choices of its row; an agent's own question takes the key as it is. */
export function givenFor(
  card: Pick<QuestionCard, 'cause' | 'contract'>,
  pick: string,
  fields: Readonly<Record<string, unknown>>,
): Picked {
  if (pick === RETRY || pick === STOP) return { extra: pick, given: { kind: 'nothing' } }
  if (card.cause === 'agent')
    return { extra: null, given: pick === '' ? { kind: 'nothing' } : { kind: 'value', value: pick } }
  const choices = choicesFor(card.contract, pick) ?? {}
  return { extra: null, given: { kind: 'value', value: { ...choices, ...fields } } }
}
