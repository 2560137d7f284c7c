/** Server-sent events over `fetch`: the browser's own `EventSource` sends no header, and so could not prove the page's key. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { fetchAsPage } from './page-key.ts'

export interface EventsOrder {
  /** Asked before each connection, so that the next one goes on where the last one was cut. */
  readonly path: () => string
  readonly onEvent: (event: ReceivedEvent) => void
  readonly onLost?: () => void
}

export interface ReceivedEvent {
  /** `message` where the host gave it no name. */
  readonly kind: string
  readonly data: string
  readonly id: string
}

const AGAIN_MS = 2_000

/** Connects again for as long as it is not closed. */
export function openEvents({ path, onEvent, onLost }: EventsOrder): { close(): void } {
  const leave = new AbortController()
  let again: ReturnType<typeof setTimeout> | undefined
  const read = async (): Promise<void> => {
    const response = await fetchAsPage(path(), { signal: leave.signal, cache: 'no-store' })
    if (!response.ok || response.body === null) throw new Error(`no stream: ${response.status}`)
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    const reader = events.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { event = 'message', data, id = '' } = next.value
      onEvent({ kind: event, data, id })
    }
  }
  const keepReading = async (): Promise<void> => {
    await read().catch(() => undefined)
    if (leave.signal.aborted) return
    onLost?.()
    again = setTimeout(() => void keepReading(), AGAIN_MS)
  }
  void keepReading()
  return {
    close: () => {
      leave.abort()
      clearTimeout(again)
    },
  }
}
