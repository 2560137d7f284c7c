/** What a user is told of a login that an agent lacks. */
import type { AuthMethod, RequestError } from '@agentclientprotocol/sdk'
import { errorText } from '../error-meaning.ts'

export function loginAdvice(options: {
  readonly program: string
  readonly error: RequestError
  readonly ways: readonly AuthMethod[]
}): string {
  const ways = options.ways.map(({ name, description }) => (description ? `${name} (${description})` : name))
  const offers = ways.length === 0 ? '' : ` It offers: ${ways.join('; ')}.`
  return `${options.program} needs a login. Start it once by hand as the same user and log in, or give it its API key in the environment, then retry.${offers} It said: ${errorText(options.error)}`
}
