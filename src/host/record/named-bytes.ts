/** Which kept bytes an event names: told from its own fields, for whatever agents say may look like a digest. */
import type { StandaloneEvent } from '../../engine/index.ts'
import type { StoredEvent } from '../../journal/index.ts'
import { isDayQuestion } from '../../model/day-question.ts'
import type { RunEvent } from '../../model/event.ts'

export function bytesNamedIn({ data }: Pick<StoredEvent, 'data'>): readonly string[] {
  const event = data as RunEvent | StandaloneEvent
  switch (event.type) {
    case 'run.started':
      return [event.program]
    case 'answer.reported':
    case 'handoff.reported':
    case 'answer.received':
    case 'artifact.kept':
    case 'agent.prompted':
      return [event.digest]
    case 'boundary.held':
      return [event.patch]
    case 'decision.proven':
      return [event.proof.call, ...event.proof.prompts]
    case 'decision.created':
      // What Signalbox asks itself came by no call; by its name alone it is not known, for people may have that too.
      return isDayQuestion(event.opened.question) ? [] : [event.proof.call]
    default:
      return []
  }
}
