/**
 * The events of a stream, found from the last one back: each knows the position of the one before. An index would do
 * the same, but every stream in a commit would then dirty a page of it, and pages are what a commit costs.
 */
import type { ChainLink } from '../chain.ts'
import type { Database } from './database.ts'
import type { StreamHead } from './stream-heads.ts'

export interface StreamEvents {
  /** In order; throws when an event is missing. */
  after(stream: string, version: number): ChainLink[]
  /** Where the stream ends; null where there is none. */
  head(stream: string): StreamHead | null
  /** Whatever is there up to the head, gaps and all. */
  remaining(head: StreamHead): ChainLink[]
}

type LinkRow = Omit<ChainLink, 'stream'> & { readonly previous: number }

export function createStreamEvents(db: Database): StreamEvents {
  const columns = 'position, version, type, at, data AS text, hash, previous'
  const find = db.prepare('SELECT id, version, hash, last FROM streams WHERE name = ?')
  const at = db.prepare(`SELECT ${columns} FROM events WHERE position = ? AND stream = ? AND version = ?`)
  const scan = db.prepare(`SELECT ${columns} FROM events WHERE stream = ? AND version <= ? ORDER BY version`)

  /** Null when the way back is broken. */
  function walk(head: StreamHead, afterVersion: number): ChainLink[] | null {
    const links: ChainLink[] = []
    let position = head.last
    for (let version = head.version; version > afterVersion; version--) {
      const row = at.get(position, head.id, version) as LinkRow | undefined
      if (row === undefined) return null
      links.push(linkOf(head.name, row))
      position = row.previous
    }
    return links.reverse()
  }

  function headOf(name: string): StreamHead | null {
    const found = find.get(name) as Omit<StreamHead, 'name'> | undefined
    return found === undefined ? null : { ...found, name }
  }

  return {
    head: headOf,
    after(stream, version) {
      const head = headOf(stream)
      if (head === null) return []
      const links = walk(head, version)
      if (links !== null) return links
      throw new Error(`Events of ${stream} are missing from the journal. Verify it to see which.`)
    },
    remaining: (head) =>
      walk(head, 0) ?? (scan.all(head.id, head.version) as LinkRow[]).map((row) => linkOf(head.name, row)),
  }
}

function linkOf(stream: string, { position, version, type, at, text, hash }: LinkRow): ChainLink {
  return { position, stream, version, type, at, text, hash }
}
