/**
 * Many streams gone through in the background, one after the other: what goes wrong with one, such as a record that somebody
 * changed in the store, is told and keeps none of the others from its turn.
 */
import { isAltered } from '../../model/failure.ts'

export type Tell = (error: unknown) => void

export async function apart<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<unknown>,
  tell: Tell,
): Promise<void> {
  for await (const item of items) await act(item).catch(tell)
}

/** What was changed in the store stays so, however often somebody comes upon it. */
export function tellAlteredOnce(tell: Tell): Tell {
  const told = new Set<string>()
  return (error) => {
    if (isAltered(error)) {
      if (told.has(error.message)) return
      told.add(error.message)
    }
    tell(error)
  }
}
