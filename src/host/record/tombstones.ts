/** What was taken out of the record, as people are told of it. */
import type { Journal, StoredTombstone } from '../../journal/index.ts'
import type { Tombstone } from '../../model/api/record.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { TombstoneNote } from './take-away.ts'

export async function listTombstones(journal: Pick<Journal, 'tombstones'>): Promise<Tombstone[]> {
  return (await journal.tombstones()).map((stone) => {
    const { at, events, bytes, streams } = stone
    const { by: _, ...rest } = noteOf(stone)
    return {
      ...rest,
      at,
      by: signedBy(stone),
      events: events.length,
      bytes: bytes.length,
      streams: streams.map(({ stream }) => stream),
    }
  })
}

export function signedBy(stone: StoredTombstone): string {
  const { by } = noteOf(stone)
  return by.kind === 'person' ? by.name : by.kind
}

/** One that somebody put there may say nothing, or anything. */
function noteOf({ note }: StoredTombstone): TombstoneNote {
  const { what, by, reason, runs, files, changedReplay } = (note ?? {}) as Partial<TombstoneNote>
  return {
    what: what ?? 'text',
    by: by?.kind === undefined ? { kind: 'person', name: '' } : by,
    reason: reason ?? '',
    runs: Array.isArray(runs) ? runs : [],
    files: files ?? 0,
    changedReplay: Array.isArray(changedReplay) ? changedReplay : [],
  }
}

/** A run that was there: who asks for it by its id is told what became of it. */
export async function takenAway(
  journal: Pick<Journal, 'tombstones'>,
  prefix: string,
): Promise<Rejection | null> {
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
