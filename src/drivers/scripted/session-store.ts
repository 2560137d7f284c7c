/**
 * What a scripted agent remembers of its sessions: a file each, written before acting, so that a killed agent's
 * sessions can be resumed. A turn counts when it has ended: an interrupted one is played again from its beginning.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface StoredSession {
  readonly id: string
  /** Which session of the script it plays; null before the first prompt. */
  readonly plays: number | null
  readonly turnsEnded: number
  /** In all its lives, as agents report it. */
  readonly used: { readonly costUsd: number; readonly tokens: number }
}

export interface SessionStore {
  create(): StoredSession
  find(id: string): StoredSession | null
  save(session: StoredSession): void
}

export function createSessionStore(directory: string): SessionStore {
  const fileOf = (id: string): string => join(directory, `${id}.json`)
  const save = (session: StoredSession): void => replaceFile(fileOf(session.id), JSON.stringify(session))
  return {
    create: () => {
      const session = { id: randomUUID(), plays: null, turnsEnded: 0, used: { costUsd: 0, tokens: 0 } }
      save(session)
      return session
    },
    find: (id) => {
      if (!/^[\w-]+$/.test(id)) return null
      try {
        return JSON.parse(readFileSync(fileOf(id), 'utf8'))
      } catch {
        // Not there, or no longer readable: either way this agent does not know it.
        return null
      }
    },
    save,
  }
}

/** Readers see the old file or the new one, never a half. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}.tmp`
  writeFileSync(draft, text)
  renameSync(draft, path)
}
