/** What a duty that came with a person's answer sees when the turn that was open meanwhile has ended. */
import { standing } from '../duty/duty.ts'
import type { TurnSeen } from './conversation.ts'
import type { Edges } from './edges.ts'
import { findAnswer } from './find-answer.ts'
import { decidedTo, isUnheard, latestLapsed } from './ledger.ts'
import type { Prompting } from './prompting.ts'
import type { Session } from './session.ts'

export async function successorSees(edges: Edges, session: Session, work: Prompting): Promise<TurnSeen> {
  const loaded = await standing(edges, work)
  if (loaded === null)
    return { by: 'successor', standing: false, unheard: false, latest: null, answered: false }
  const { given } = await findAnswer(edges, { loaded, seat: session.seat, message: '' })
  // Looked at only now: the duty may be here before the word on a permission is.
  const now = (await standing(edges, work)) ?? loaded
  const latest = latestLapsed(now, session.seat) ?? decidedTo(now.state, session.seat)
  return {
    by: 'successor',
    standing: true,
    unheard: isUnheard(now, session.seat),
    latest,
    answered: given.kind !== 'nothing',
  }
}
