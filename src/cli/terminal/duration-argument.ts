/** How far back, from arguments. */
import { InvalidArgumentError } from 'commander'
import { parseDuration } from '../../model/duration.ts'

export function durationArgument(text: string): number {
  const durationMs = parseDuration(text)
  if (durationMs === null || durationMs === 0)
    throw new InvalidArgumentError(`"${text}" is not a duration such as 12h, 30d or 1d12h`)
  return durationMs
}
