/** What an agent means when it answers a request with an error. */
import type { AuthMethod, RequestError } from '@agentclientprotocol/sdk'
import { readUsageLimit, type UsageLimit } from '../usage-limit.ts'

/** Message and details; agents put the useful part in either. */
export function refusalText(error: RequestError): string {
  const details = detailsOf(error.data)
  return details === '' || error.message.includes(details) ? error.message : `${error.message}: ${details}`
}

export function limitOf(error: RequestError, nowMs: number): UsageLimit | null {
  for (const text of [error.message, detailsOf(error.data), refusalText(error)]) {
    // An error is no prose: its beginning tells, however long it goes on.
    const limit = readUsageLimit(text.slice(0, 500), nowMs)
    if (limit !== null) return limit
  }
  return null
}

const AUTH_REQUIRED = -32000

export const needsLogin = (error: RequestError): boolean =>
  error.code === AUTH_REQUIRED ||
  /\b(?:auth(?:entication)? required|not (?:logged|signed) in|(?:log|sign)[ -]?in required|please (?:log|sign) ?in|invalid api key)\b/i.test(
    refusalText(error),
  )

export function loginAdvice(options: {
  readonly program: string
  readonly error: RequestError
  readonly ways: readonly AuthMethod[]
}): string {
  const ways = options.ways.map(({ name, description }) => (description ? `${name} (${description})` : name))
  const offers = ways.length === 0 ? '' : ` It offers: ${ways.join('; ')}.`
  return `${options.program} needs a login. Start it once by hand as the same user and log in, or give it its API key in the environment, then retry.${offers} It said: ${refusalText(options.error)}`
}

function detailsOf(data: unknown): string {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null) return ''
  const { details, message, error } = data as Record<string, unknown>
  const told = [details, message, error].find((value) => typeof value === 'string')
  return typeof told === 'string' ? told : JSON.stringify(data)
}
