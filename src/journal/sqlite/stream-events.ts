/**
 * The events of a stream, found from the last one back: each knows the position of the one before. An index would do
 * the same, but every stream in a commit would then dirty a page of it, and pages are what a commit costs.
 */
import { AlteredStreamError, type ChainLink, wayBackLost } from '../chain.ts'
import type { Database } from './database.ts'
import type { StreamHead } from './stream-heads.ts'

export interface StreamEvents {
  /** In order; throws an `AlteredStreamError` where the way back to them is broken. */
  after(stream: string, version: number): readonly ChainLink[]
  /** Where the stream ends; null where there is none. */
  head(stream: string): StreamHead | null
  /** Whatever is there up to the head, gaps and all. */
  remaining(head: StreamHead): Remaining
}

export interface Remaining {
  readonly links: readonly ChainLink[]
  /** The event that is not where the one after it says; null where the way back is whole. */
  readonly lostAt: number | null
}

type LinkRow = Omit<ChainLink, 'stream'> & { readonly previous: number }

export function createStreamEvents(db: Database): StreamEvents {
  const columns = 'position, version, type, at, data AS text, hash, previous'
  const find = db.prepare('SELECT id, version, hash, last FROM streams WHERE name = ?')
  const at = db.prepare(`SELECT ${columns} FROM events WHERE position = ? AND stream = ? AND version = ?`)
  const scan = db.prepare(`SELECT ${columns} FROM events WHERE stream = ? AND version <= ? ORDER BY version`)

  function walk(head: StreamHead, afterVersion: number): Remaining {
    const links: ChainLink[] = []
    let position = head.last
    for (let version = head.version; version > afterVersion; version--) {
      const row = at.get(position, head.id, version) as LinkRow | undefined
      if (row === undefined) return { links: [], lostAt: version }
      links.push(linkOf(head.name, row))
      position = row.previous
    }
    return { links: links.reverse(), lostAt: null }
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
      const { links, lostAt } = walk(head, version)
      if (lostAt !== null) throw new AlteredStreamError(wayBackLost(stream, lostAt))
      return links
    },
    remaining(head) {
      const walked = walk(head, 0)
      if (walked.lostAt === null) return walked
      const links = (scan.all(head.id, head.version) as LinkRow[]).map((row) => linkOf(head.name, row))
      return { links, lostAt: walked.lostAt }
    },
  }
}

function linkOf(stream: string, { position, version, type, at, text, hash }: LinkRow): ChainLink {
  return { position, stream, version, type, at, text, hash }
}
