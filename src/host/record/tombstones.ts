/** What was taken out of the record, as people are told of it. */
import { ERASURES, type Erasure, type Journal } from '../../journal/index.ts'
import type { Tombstone } from '../../model/api/record.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { TombstoneNote } from './take-away.ts'

export async function listTombstones(journal: Pick<Journal, 'read'>): Promise<Tombstone[]> {
  return (await journal.read(ERASURES, 0)).map(({ at, data }) => {
    const { events, bytes, streams, note } = data as Erasure
    const { by, ...rest } = note as TombstoneNote
    return {
      ...rest,
      at,
      by: by.kind === 'person' ? by.name : by.kind,
      events: events.length,
      bytes: bytes.length,
      streams: streams.map(({ stream }) => stream),
    }
  })
}

/** A run that was there: who asks for it by its id is told what became of it. */
export async function takenAway(journal: Pick<Journal, 'read'>, prefix: string): Promise<Rejection | null> {
  if (prefix === '') return null
  for (const { at, what, by, runs } of await listTombstones(journal))
    for (const { run, name, end } of runs)
      if (run.startsWith(prefix)) {
        const how = what === 'prune' ? 'pruned' : 'erased'
        const problem = `Run ${run} (${name}) ended as ${end}, and was ${how} by ${by} on ${new Date(at).toISOString().slice(0, 10)}.`
        return { code: 'unknown-run', problem }
      }
  return null
}
