/**
 * What may take longer than anybody holds a connection open: begun once, waited for as often as somebody asks. Whoever
 * asks again within a while after its end is told how it ended, and begins nothing anew.
 */
import type { Clock } from '../machine/clock.ts'

const WAIT_MS = 45_000
const KEPT_MS = 60_000

export interface LongActs {
  /** Null: it still goes on. */
  take<T>(name: string, act: () => Promise<T>): Promise<T | null>
}

export function createLongActs(clock: Clock): LongActs {
  const going = new Map<string, Promise<unknown>>()
  return {
    take: async <T>(name: string, act: () => Promise<T>): Promise<T | null> => {
      const begun = going.get(name) ?? act()
      going.set(name, begun)
      const forget = (): void => {
        if (going.get(name) === begun) going.delete(name)
      }
      let callOff = (): void => {}
      const late = new Promise<null>((resolve) => {
        callOff = clock.pause(WAIT_MS, () => resolve(null))
      })
      try {
        const result = await Promise.race([begun as Promise<T>, late])
        if (result !== null) forget()
        else void begun.then(() => clock.pause(KEPT_MS, forget), forget)
        return result
      } catch (error) {
        forget()
        throw error
      } finally {
        callOff()
      }
    },
  }
}
