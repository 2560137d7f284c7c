/**
 * The one connection: everything that happens, from a cursor on. It connects again from the cursor on; so whoever
 * follows hears each event once. Only where nothing was heard yet must a follower look for itself after a cut.
 */
import type { Onlooker } from '../../model/api/entrance.ts'
import type { SentEvent } from '../../model/api/events.ts'
import { openEvents } from './event-source.ts'
import { createStore, type Store } from './store.ts'

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly since: number }

export interface Stream {
  readonly connection: Store<Connection>
  readonly others: Store<readonly Onlooker[]>
  /** This page's own word. */
  readonly page: string
  /** Null: something may have been missed; look again. */
  follow(listener: (event: SentEvent | null) => void): () => void
  close(): void
}

export function openStream(): Stream {
  const page = crypto.randomUUID()
  const connection = createStore<Connection>({ kind: 'connecting' })
  const others = createStore<readonly Onlooker[]>([])
  const listeners = new Set<(event: SentEvent | null) => void>()
  let cursor: number | null = null
  const tell = (event: SentEvent | null): void => {
    for (const listener of listeners) listener(event)
  }
  const events = openEvents({
    path: () => `/api/v1/stream?page=${page}${cursor === null ? '' : `&after=${cursor}`}`,
    onEvent: ({ kind, data }) => {
      switch (kind) {
        case 'ready':
          connection.set({ kind: 'live' })
          if (cursor === null) tell(null)
          return
        case 'presence':
          others.set(JSON.parse(data) as readonly Onlooker[])
          return
        case 'message': {
          const event = JSON.parse(data) as SentEvent
          if (cursor !== null && event.position <= cursor) return
          cursor = event.position
          tell(event)
        }
      }
    },
    onLost: () => {
      const now = connection.get()
      if (now.kind !== 'lost') connection.set({ kind: 'lost', since: Date.now() })
      others.set([])
    },
  })
  return {
    connection,
    others,
    page,
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => events.close(),
  }
}
