/** The decision that an event speaks of: in a run, or outside any. */
import { decisionId } from '../../engine/index.ts'
import type { StoredEvent } from '../../journal/index.ts'
import { isStandalone, standaloneOf } from '../inbox/standalones.ts'
import { isRun } from '../runs/runs.ts'

/** Null for one that speaks of none. */
export function decisionOf({ stream, data }: StoredEvent): string | null {
  if (isStandalone(stream)) return standaloneOf(stream)
  const { question } = data as { readonly question?: unknown }
  return isRun(stream) && typeof question === 'string' ? decisionId(stream, question) : null
}
