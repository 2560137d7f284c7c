/** What an event may have changed of what the page shows. */
import { decisionId } from '../../engine/decision-book.ts'
import type { SentEvent } from '../../model/api/events.ts'
import { EVENT_TRAITS } from '../../model/event-traits.ts'

export interface Concern {
  /** The run it happened in; null outside of any. */
  readonly run: string | null
  /** The one decision it speaks of; null for none in particular. */
  readonly decision: string | null
  /** Whether the others of its run may read differently, too. */
  readonly touchesAllInRun: boolean
}

export function concernOf({ stream, type, data }: Pick<SentEvent, 'data' | 'stream' | 'type'>): Concern {
  const [kind, id] = splitOnce(stream)
  if (kind === 'decision') return { run: null, decision: id, touchesAllInRun: false }
  if (kind !== 'run') return { run: null, decision: null, touchesAllInRun: false }
  const question = questionIn(data)
  const traits = Object.hasOwn(EVENT_TRAITS, type) ? EVENT_TRAITS[type as keyof typeof EVENT_TRAITS] : null
  return {
    run: id,
    decision: question === null ? null : decisionId(stream, question),
    touchesAllInRun:
      traits === null || traits.ends !== null || (traits.concernsDecisions && question === null),
  }
}

function splitOnce(stream: string): readonly [string, string] {
  const cut = stream.indexOf('/')
  return cut < 0 ? [stream, ''] : [stream.slice(0, cut), stream.slice(cut + 1)]
}

const questionIn = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'question' in data && typeof data.question === 'string'
    ? data.question
    : null
