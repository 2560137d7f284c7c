/**
 * What must be in a line of the lists for whoever reads it to go on from there. The lists are made from the events, but whoever has
 * the database can write anything in their place: what does not fit is left out, like what cannot be read at all.
 */
import type { Row } from '../../journal/index.ts'
import { ALIKE, BATCH, DECISIONS, SUPERSEDING } from '../inbox/rows.ts'
import { THREADS } from '../notices/outbox.ts'
import { SPENDING } from '../spending/spending-rows.ts'
import { RUNS } from './projection.ts'

type Kind = 'list' | 'number' | 'object' | 'string'

/** Only what every version has written. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  [RUNS]: { run: 'string', status: 'string', name: 'string', startedAt: 'number', changedAt: 'number' },
  [DECISIONS]: {
    id: 'string',
    status: 'string',
    stream: 'string',
    question: 'string',
    headline: 'string',
    openedAt: 'number',
    options: 'list',
  },
  [ALIKE]: { id: 'string' },
  [BATCH]: { id: 'string' },
  [SUPERSEDING]: { id: 'string', supersedes: 'string' },
  [SPENDING]: { spent: 'list' },
  [THREADS]: { channel: 'string', decision: 'string', trouble: 'string' },
}

export function fitsModel({ model, data }: Pick<Row, 'data' | 'model'>): boolean {
  const shape = SHAPES[model]
  if (shape === undefined) return true
  if (typeof data !== 'object' || data === null) return false
  for (const name in shape) if (kindOf((data as Record<string, unknown>)[name]) !== shape[name]) return false
  return true
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)
