/** Holds every stream's chain against its head, and looks for events that belong to none. */
import { setImmediate } from 'node:timers/promises'
import { brokenLinks, goneStream } from '../chain.ts'
import type { KnownHashes, Tombstones } from '../erasure.ts'
import type { Tampering } from '../journal.ts'
import type { Database } from './database.ts'
import type { StreamEvents } from './stream-events.ts'
import type { StreamHead } from './stream-heads.ts'

const NOTHING_KNOWN: ReadonlyMap<number, string> = new Map()

/** Streams looked at before others get a turn. */
const AT_ONCE = 64

export function preparedVerify(
  db: Database,
  events: StreamEvents,
  tombstones: () => Tombstones,
): (known?: KnownHashes) => Promise<Tampering[]> {
  const streams = db.prepare(
    'SELECT id, name, version, hash, last FROM streams WHERE id > ? ORDER BY id LIMIT ?',
  )
  const strays = db.prepare(
    'SELECT e.stream AS id, s.name, e.version FROM events e LEFT JOIN streams s ON s.id = e.stream ' +
      'WHERE s.id IS NULL OR e.version > s.version ORDER BY e.position',
  )
  const doubles = db.prepare(
    'SELECT e.stream AS id, s.name, e.version FROM events e JOIN streams s ON s.id = e.stream ' +
      'GROUP BY e.stream, e.version HAVING count(*) > 1',
  )
  return async (known = new Map()) => {
    const broken: Tampering[] = []
    const stones = tombstones()
    const met = new Set<string>()
    let heads = streams.all(0, AT_ONCE) as StreamHead[]
    while (heads.length > 0) {
      for (const head of heads) {
        const { name } = head
        met.add(name)
        broken.push(
          ...brokenLinks({
            stream: name,
            head,
            ...events.remaining(head),
            edited: (version) => stones.edited(name, version),
            known: known.get(name) ?? NOTHING_KNOWN,
          }),
        )
      }
      await setImmediate()
      heads = streams.all(heads.at(-1)!.id, AT_ONCE) as StreamHead[]
    }
    for (const { id, name, version } of [...strays.all(), ...doubles.all()] as {
      id: number
      name: string | null
      version: number
    }[]) {
      broken.push({ stream: name ?? `#${id}`, version, problem: 'The event was not written by the journal.' })
    }
    for (const [stream, hashes] of known)
      if (!met.has(stream)) broken.push(...goneStream(stream, hashes, stones))
    return broken
  }
}
