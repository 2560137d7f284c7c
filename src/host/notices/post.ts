/** A POST to somebody else's server, and what came of it. Nothing that it says of failures names an address or a secret. */
import { cut, oneLine } from './notice.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Outcome =
  | { readonly kind: 'sent'; readonly detail: string }
  /** It may go better later; `notBefore` is what the other side asked for. */
  | { readonly kind: 'failed'; readonly detail: string; readonly notBefore: number | null }
  /** It would not go better later. */
  | { readonly kind: 'refused'; readonly detail: string }

export interface Posting {
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  readonly now: number
}

const TIMEOUT_MS = 20_000
const LONGEST_SAYING = 120

export async function post({ url, headers, body }: Post, { fetch, signal, now }: Posting): Promise<Outcome> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    // A redirect would carry the text and its signature to a place that nobody configured.
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: ended })
    return outcomeOf(response, { said: await sayingOf(response), now })
  } catch (error) {
    return { kind: 'failed', detail: failureText(error), notBefore: null }
  }
}

function outcomeOf(
  { status, headers }: Response,
  { said, now }: { readonly said: string; readonly now: number },
): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent', detail: `HTTP ${status}` }
  const detail = `HTTP ${status}${said === '' ? '' : `: ${said}`}`
  if (status >= 300 && status < 400)
    return { kind: 'refused', detail: `HTTP ${status}: it has moved; redirects are not followed` }
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { kind: 'refused', detail }
  return { kind: 'failed', detail, notBefore: retryAfter(headers.get('retry-after'), now) }
}

/** Seconds, or a date. */
function retryAfter(text: string | null, now: number): number | null {
  if (text === null || text.trim() === '') return null
  const seconds = Number(text)
  const at = Number.isFinite(seconds) ? now + seconds * 1000 : Date.parse(text)
  return Number.isNaN(at) || at <= now ? null : at
}

/** The first words of an error's body: most services say there what they did not like. */
async function sayingOf(response: Response): Promise<string> {
  if (response.ok || response.body === null) {
    await response.body?.cancel()
    return ''
  }
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return cut(oneLine(new TextDecoder().decode(value?.subarray(0, 4 * LONGEST_SAYING))), LONGEST_SAYING)
}

function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} seconds`
  if (error.name === 'AbortError') return 'given up because the host closes'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}
