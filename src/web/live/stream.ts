/**
 * The one connection: everything that happens, from a cursor on. The browser connects again by itself and sends the cursor along; so whoever
 * follows hears each event once. Only where nothing was heard yet must a follower look for itself after a cut.
 */
import type { Onlooker } from '../../model/api/entrance.ts'
import type { SentEvent } from '../../model/api/events.ts'
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

const AGAIN_MS = 2_000

export function openStream(): Stream {
  const page = crypto.randomUUID()
  const connection = createStore<Connection>({ kind: 'connecting' })
  const others = createStore<readonly Onlooker[]>([])
  const listeners = new Set<(event: SentEvent | null) => void>()
  let cursor: number | null = null
  let source: EventSource | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  const tell = (event: SentEvent | null): void => {
    for (const listener of listeners) listener(event)
  }
  const open = (): void => {
    const after = cursor === null ? '' : `&after=${cursor}`
    source = new EventSource(`/api/v1/stream?page=${page}${after}`)
    source.addEventListener('ready', () => {
      connection.set({ kind: 'live' })
      if (cursor === null) tell(null)
    })
    source.addEventListener('presence', (event) => {
      others.set(JSON.parse(event.data as string) as readonly Onlooker[])
    })
    source.addEventListener('message', (message) => {
      const event = JSON.parse(message.data as string) as SentEvent
      if (cursor !== null && event.position <= cursor) return
      cursor = event.position
      tell(event)
    })
    source.addEventListener('error', () => {
      const now = connection.get()
      if (now.kind !== 'lost') connection.set({ kind: 'lost', since: Date.now() })
      others.set([])
      // It gives up where somebody answers, and not with a stream: a proxy, or a host that does not know us any more.
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(again)
      again = setTimeout(open, AGAIN_MS)
    })
  }
  open()
  return {
    connection,
    others,
    page,
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      clearTimeout(again)
      source?.close()
    },
  }
}
