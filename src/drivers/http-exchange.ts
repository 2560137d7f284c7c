/**
 * One request to a host on this machine, and its reply. Whatever becomes of the connection, whoever asked is told: the reply, or why
 * there is none. Each request has a connection of its own, so none is sent on one that the host has closed meanwhile.
 * Not `fetch`: docs/decisions/036 says why.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

export interface HttpOrder {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | null
  readonly signal?: AbortSignal | undefined
  /** In place of the address in `url`. */
  readonly connect?: (() => Socket) | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Fails with a sentence of why, or with the signal's reason. */
export async function exchange(order: HttpOrder): Promise<HttpReply> {
  const reply = await openReply(order)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of partsOf(reply, order.signal)) {
    length += chunk.length
    // Somebody else may listen by now where the host did.
    if (length > LARGEST_REPLY) throw new Error(`the reply is larger than ${LARGEST_REPLY / 1024 / 1024} MiB`)
    chunks.push(chunk)
  }
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }
}

/** What a reply without end says, as it comes. Fails when it is cut off, and when the request is refused. */
export async function* listen(order: HttpOrder): AsyncGenerator<string> {
  const reply = await openReply(order)
  const decoder = new TextDecoder()
  if (reply.statusCode !== 200) {
    reply.destroy()
    throw new Error(`the reply is ${reply.statusCode}`)
  }
  for await (const chunk of partsOf(reply, order.signal)) yield decoder.decode(chunk, { stream: true })
}

/** Longer than anything that is asked takes, and than a stream is quiet. */
const LONGEST_SILENCE_MS = 300_000
const LARGEST_REPLY = 256 * 1024 * 1024

function openReply({ url, method, headers, body, signal, connect }: HttpOrder): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const timeout = LONGEST_SILENCE_MS
    // Without an agent of its own, and with none where it is given a connection: then Node asks for that.
    const way = connect === undefined ? { agent: false } : { createConnection: connect }
    const sent = request(url, { method, headers, timeout, ...way, ...(signal && { signal }) })
    let reply: IncomingMessage | null = null
    const fail = (error: unknown): void => reject(reasonOf(error, signal))
    sent.on('response', (response) => {
      reply = response
      resolve(response)
    })
    sent.on('timeout', () => {
      const silence = new Error(`nothing was heard for ${LONGEST_SILENCE_MS / 60_000} minutes`)
      ;(reply ?? sent).destroy(silence)
    })
    sent.on('error', fail)
    // The last that is ever heard of a request, however it went.
    sent.on('close', () => fail(CLOSED))
    sent.end(body ?? undefined)
  })
}

async function* partsOf(reply: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    yield* reply
  } catch (error) {
    throw reasonOf(error, signal)
  }
  if (!reply.complete) throw reasonOf(CLOSED, signal)
}

const CLOSED = { code: 'ECONNRESET' }

/** Node has several words for a connection that was closed, and none of them says so. */
function reasonOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason
  const { code } = error as { readonly code?: unknown }
  return CUT_OFF.has(code) ? new Error('the connection was closed before the reply was whole') : error
}

const CUT_OFF: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])
