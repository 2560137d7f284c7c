/**
 * Where each stream ends. Those lately used stay in memory, so that an append asks the file nothing; the others are
 * looked up. Only true while this process is the only writer, and to be forgotten when a transaction is undone.
 */
import { CHAIN_START } from '../chain.ts'
import type { Database } from './database.ts'
import { createRecent } from './recent.ts'

export interface StreamHead {
  readonly name: string
  /** 0 while the file does not know the stream. */
  id: number
  version: number
  hash: string
  /** The position of the last event; 0 for none. */
  last: number
}

export interface StreamHeads {
  of(name: string): StreamHead
  /** Writes the head as it now is. A stream new to the file gets its number here. */
  save(head: StreamHead): void
  forget(): void
}

const HEADS_KEPT = 2_048

export function createStreamHeads(db: Database): StreamHeads {
  const find = db.prepare('SELECT id, version, hash, last FROM streams WHERE name = ?')
  const insert = db.prepare('INSERT INTO streams (id, name, version, hash, last) VALUES (?, ?, ?, ?, ?)')
  const update = db.prepare('UPDATE streams SET version = ?, hash = ?, last = ? WHERE id = ?')
  const top = db.prepare('SELECT coalesce(max(id), 0) AS id FROM streams')
  const topId = () => (top.get() as { id: number }).id
  const recent = createRecent<StreamHead>(HEADS_KEPT)
  let lastId = topId()

  function lookUp(name: string): StreamHead {
    const found = find.get(name) as Omit<StreamHead, 'name'> | undefined
    if (found === undefined) return { name, id: 0, version: 0, hash: CHAIN_START, last: 0 }
    return { name, id: found.id, version: found.version, hash: found.hash, last: found.last }
  }

  return {
    of(name) {
      const known = recent.get(name)
      if (known !== undefined) return known
      const head = lookUp(name)
      recent.set(name, head)
      return head
    },
    save(head) {
      if (head.id !== 0) {
        update.get(head.version, head.hash, head.last, head.id)
        return
      }
      head.id = ++lastId
      insert.get(head.id, head.name, head.version, head.hash, head.last)
    },
    forget() {
      recent.clear()
      lastId = topId()
    },
  }
}
