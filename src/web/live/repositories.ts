/**
 * Where runs can be started, and on what. Files tell nobody that they changed: they are looked at when somebody looks, again when they come back to
 * the page, and when a run begins or ends.
 */
import type { KnownRepository, RepositoryLook } from '../../model/api/repositories.ts'
import { type Ask, type HostProblem, isProblem } from './ask.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { createStore, type Store } from './store.ts'
import type { Stream } from './stream.ts'

export interface LiveRepositories {
  list(): Store<Loaded<readonly KnownRepository[]>>
  look(dir: string): Store<Loaded<RepositoryLook>>
  lookAgain(): void
}

export function openRepositories(ask: Ask, stream: Stream): LiveRepositories {
  let list: Store<Loaded<readonly KnownRepository[]>> | null = null
  const looks = new Map<string, Store<Loaded<RepositoryLook>>>()
  const askList = async (): Promise<void> => {
    if (list !== null) put(list, await ask('GET /api/v1/repositories', {}))
  }
  const askLook = async (dir: string): Promise<void> => {
    const store = looks.get(dir)
    if (store !== undefined) put(store, await ask('GET /api/v1/repositories/look', { query: { dir } }))
  }
  const lookAgain = (): void => {
    void askList()
    for (const dir of looks.keys()) void askLook(dir)
  }
  stream.follow((event) => {
    if (event === null || event.type === 'run.started' || event.type === 'run.ended') lookAgain()
  })
  window.addEventListener('focus', lookAgain)
  return {
    list: () => {
      if (list !== null) return list
      list = createStore<Loaded<readonly KnownRepository[]>>(LOADING)
      void askList()
      return list
    },
    look: (dir) => {
      const known = looks.get(dir)
      if (known !== undefined) return known
      const made = createStore<Loaded<RepositoryLook>>(LOADING)
      looks.set(dir, made)
      void askLook(dir)
      return made
    },
    lookAgain,
  }
}

/** What was there stays while nobody answers. */
function put<T>(store: Store<Loaded<T>>, answer: HostProblem | T): void {
  if (!isProblem(answer)) store.set({ kind: 'there', value: answer })
  else if (store.get().kind !== 'there' || answer.code !== 'host-away')
    store.set({ kind: 'problem', problem: answer })
}
