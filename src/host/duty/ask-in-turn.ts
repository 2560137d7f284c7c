/** Questions that an agent's protocol asks in the middle of a turn: the turn stays open until a person has answered. */
import type { Elicitation, Elicited } from '../../drivers/index.ts'
import { firstCharacters } from '../../model/characters.ts'
import { CAPS } from '../../model/decision.ts'
import type { Proof } from '../../model/proof.ts'
import { raiseDecision } from '../proof.ts'
import { addressOf, type Picked, type Seat } from '../seat.ts'
import type { Tools } from './duty.ts'

export interface InTurn {
  readonly payload: unknown
  readonly door: Proof['door']
  /** The request as the agent sent it. */
  readonly received: unknown
}

/** Null: nobody will answer any more. */
export function askInTurn(
  tools: Tools,
  seat: Seat,
  { payload, door, received }: InTurn,
): Promise<Picked | { readonly rejected: string } | null> {
  return new Promise((resolve, reject) => {
    let expected = ''
    const refuse = (rejected: string): void => {
      seat.permissions.delete(expected)
      resolve({ rejected })
    }
    raiseDecision(tools, {
      run: seat.run,
      address: addressOf(seat),
      payload,
      door,
      call: JSON.stringify(received) ?? 'null',
      foresee: (question) => {
        expected = question
        seat.permissions.set(question, resolve)
      },
    }).then((raised) => {
      if (!('raised' in raised)) refuse('rejected' in raised ? raised.rejected : 'The run has moved on.')
    }, reject)
  })
}

/** A form that comes to one choice, filled in by a person. */
export async function decideForm(tools: Tools, seat: Seat, form: Elicitation): Promise<Elicited> {
  const payload = formDecision(seat.agent, form)
  const asked = await askInTurn(tools, seat, { payload, door: 'elicitation', received: form.received })
  if (asked === null) return { kind: 'cancelled' }
  if ('rejected' in asked) return { kind: 'declined', reason: asked.rejected }
  return asked.pick === '' ? { kind: 'declined', reason: asked.note } : { kind: 'picked', key: asked.pick }
}

/** A form in the words of a decision. */
function formDecision(agent: string, form: Elicitation): object {
  const { message, title, description, options, recommended } = form
  const headline = title.trim() || message.trim() || 'A form'
  return {
    headline: firstCharacters(headline, CAPS.headline),
    question: firstCharacters(message.trim() || `What shall ${agent} be told?`, CAPS.question),
    context: firstCharacters(
      [message, description].filter((text) => text.trim() !== '').join('\n\n'),
      CAPS.context,
    ),
    options: options.map(({ key, label, body }) => ({
      key,
      label: firstCharacters(label.trim() || key, CAPS.label),
      body: firstCharacters(body.trim() || label, CAPS.body),
    })),
    recommended,
  }
}
