/** What passes at the agents' door, overheard: each message on its own, the moment it passes, whatever carries it. */
import { messagesOf } from '../../drivers/event-stream.ts'

export interface FetchDoor {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

/** In: from the agent. */
export type Hear = (direction: 'in' | 'out', message: unknown) => void

/** `listenerFor`: who wants to hear of the holder of this token; null where nobody does. */
export function overheard(door: FetchDoor, listenerFor: (token: string) => Hear | null): FetchDoor {
  return {
    fetch: async (request) => {
      const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      const hear = token === '' ? null : listenerFor(token)
      if (hear === null) return door.fetch(request)
      const response = await door.fetch(await repeated(request, hear))
      return passedOn(response, hear)
    },
    close: () => door.close(),
  }
}

async function repeated(request: Request, hear: Hear): Promise<Request> {
  if (request.body === null) return request
  const body = await request.text()
  tell(body, (message) => hear('in', message))
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body })
}

async function passedOn(response: Response, hear: Hear): Promise<Response> {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const out = (message: unknown): void => hear('out', message)
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const text = await response.text()
    tell(text, out)
    return new Response(text, { status, statusText, headers })
  }
  return new Response(body.pipeThrough(eventListener(out)), { status, statusText, headers })
}

/** Bytes go on as they come; events are told when they are whole. */
function eventListener(out: (message: unknown) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let pending = ''
  return new TransformStream({
    transform: (bytes, controller) => {
      pending += decoder.decode(bytes, { stream: true })
      const parts = pending.split(/(?<=\n\r?\n)/)
      // Told before it is sent: the trace is in the order in which it happened.
      if (!/\n\r?\n$/.test(pending)) pending = parts.pop() ?? ''
      else pending = ''
      for (const part of parts) for (const data of messagesOf(part)) tell(data, out)
      controller.enqueue(bytes)
    },
    flush: () => {
      for (const data of messagesOf(pending)) tell(data, out)
    },
  })
}

/** Several in one body are told one by one; what is no JSON, as the text it is. */
function tell(text: string, hear: (message: unknown) => void): void {
  if (text === '') return
  const read = parsed(text)
  for (const message of Array.isArray(read) ? read : [read]) hear(message)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
