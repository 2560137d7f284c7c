/** A duty is withdrawn while a turn is open: the agent is stopped, or sleeps on, and its turn may end with nobody there. */
import type { TurnEnd } from '../../drivers/index.ts'
import { collectLeftovers } from '../duty/leftovers.ts'
import { answerFilesOf, clearAnswers } from './answer-files.ts'
import type { Edges } from './edges.ts'
import { findAnswer, receivedFact } from './find-answer.ts'
import type { Prompting } from './prompting.ts'
import type { Session } from './session.ts'

export interface Withdrawn {
  readonly session: Session
  readonly work: Prompting
  readonly turn: Promise<TurnEnd>
}

export async function letGo(edges: Edges, { session, work, turn }: Withdrawn): Promise<void> {
  const loaded = await edges.runs.load(work.run)
  const current = loaded?.state.current
  const { step, visit, member, attempt } = work.duty
  const mine = current?.step === step && current.number === visit ? current.members[member] : undefined
  // Already answered by the time this is looked at: the duty that came with the answer takes the turn over.
  const asked = mine?.attempt === attempt && mine.status === 'working' && mine.raised > 0
  const [next] = session.take({ kind: 'withdrawn', asked })
  if (next?.act === 'leave') {
    await session.leave()
    // Whoever comes next takes in what it left; here nobody does.
    if (loaded?.state.status === 'ended') await collectLeftovers(edges, work.run)
  } else
    turn
      .then((end) => session.inOrder(() => endedUnattended(edges, session, end)))
      .catch((error: unknown) =>
        // Nobody waits for it, and the duty that comes with the answer finds what was left undone.
        edges.log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text: String(error) }),
      )
}

async function endedUnattended(edges: Edges, session: Session, end: TurnEnd): Promise<void> {
  const { seat } = session
  const loaded = await edges.runs.load(seat.run)
  if (loaded === null || session.isOver() || session.turn() === null) return
  const current = loaded.state.current
  const isStanding = current?.step === seat.step && current.number === seat.visit
  const text = end.kind === 'ended' ? end.text : ''
  const found = await findAnswer(edges, { loaded, seat, message: text })
  const [next] = session.take({
    kind: 'turn-ended',
    end,
    by: 'nobody',
    standing: isStanding,
    // What a person has answered, it hears first, also where that does not count yet.
    asking: isStanding && current.members[seat.member]?.question?.held === null,
    answered: found.given.kind === 'value',
  })
  if (next?.act === 'leave') return session.leave()
  if (next?.act !== 'take-answer') return
  const facts = await receivedFact(edges, seat, found)
  const at = edges.clock.now()
  const executed = await edges.runs.execute(seat.run, [
    { type: 'run.record', at, facts },
    { type: 'attempt.answer', at, ...session.address(), given: found.given },
  ])
  if ('loaded' in executed)
    await edges.storage.patiently(() => clearAnswers(answerFilesOf(edges, loaded, session.seat)))
}
