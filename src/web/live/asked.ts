/** What is asked for once and does not change by itself: kept for as long as the page is open. */
import { type HostProblem, isProblem } from './ask.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { createStore, type Store } from './store.ts'

export interface AskedOnce {
  /** The same for the same key. What was refused is asked for again by the next who wants it. */
  get<T>(key: string, ask: () => Promise<T | HostProblem>): Store<Loaded<T>>
}

export function createAskedOnce(): AskedOnce {
  const stores = new Map<string, Store<Loaded<unknown>>>()
  return {
    get: <T>(key: string, ask: () => Promise<T | HostProblem>) => {
      const known = stores.get(key) as Store<Loaded<T>> | undefined
      if (known !== undefined) return known
      const made = createStore<Loaded<T>>(LOADING)
      stores.set(key, made as Store<Loaded<unknown>>)
      void ask().then((answer) => {
        if (!isProblem(answer)) return made.set({ kind: 'there', value: answer })
        stores.delete(key)
        made.set({ kind: 'problem', problem: answer })
      })
      return made
    },
  }
}
