/**
 * What is made of a stream's events: they were written by rules that could, so where it cannot be made any more, somebody
 * erased or changed what it needs.
 */
import { UnusableStreamError } from '../../journal/index.ts'

export function usable<T>(stream: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new UnusableStreamError(stream, error)
  }
}
