/** What is asked for once and does not change by itself: kept for as long as the page is open. */
import { type HostProblem, isProblem } from './ask.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { createStore, type Store } from './store.ts'

export interface AskedOnce {
  /** The same for the same key. What was refused is asked for again by who wants it a while later. */
  get<T>(key: string, ask: () => Promise<T | HostProblem>): Store<Loaded<T>>
  /** Asks anew. What is known stays until the answer is there. */
  again<T>(key: string, ask: () => Promise<T | HostProblem>): Promise<void>
}

/** Whoever is drawn anew because it was refused must not ask at once. */
const REFUSED_MS = 5_000

interface Asked {
  readonly store: Store<Loaded<unknown>>
  /** When it may be asked for again; null: it need not be. */
  againAt: number | null
}

export function createAskedOnce(now: () => number = () => performance.now()): AskedOnce {
  const known = new Map<string, Asked>()
  const fill = async (asked: Asked, asking: () => Promise<unknown>): Promise<void> => {
    asked.againAt = null
    const answer = await asking()
    if (!isProblem(answer)) return asked.store.set({ kind: 'there', value: answer })
    asked.againAt = now() + REFUSED_MS
    asked.store.set({ kind: 'problem', problem: answer })
  }
  const askedFor = (key: string, ask: () => Promise<unknown>): Asked => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made: Asked = { store: createStore<Loaded<unknown>>(LOADING), againAt: null }
    known.set(key, made)
    void fill(made, ask)
    return made
  }
  return {
    get: <T>(key: string, ask: () => Promise<T | HostProblem>) => {
      const asked = askedFor(key, ask)
      if (asked.againAt !== null && now() >= asked.againAt) void fill(asked, ask)
      return asked.store as Store<Loaded<T>>
    },
    again: (key, ask) => {
      const asked = known.get(key)
      if (asked !== undefined) return fill(asked, ask)
      askedFor(key, ask)
      return Promise.resolve()
    },
  }
}
