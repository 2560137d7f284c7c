/** What the page knows of the host: the one connection and everything that is folded from it. Screens take what they show from these hooks. */
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import type { WhoIsHere } from '../../model/api/entrance.ts'
import type { KnownRepository, RepositoryLook } from '../../model/api/repositories.ts'
import type { RunDetail, RunRow } from '../../model/api/runs.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { DaySpending } from '../../model/spending.ts'
import { type Ask, ask, type HostProblem } from './ask.ts'
import { type AskedOnce, createAskedOnce } from './asked.ts'
import { type DecisionList, type LiveDecisions, openDecisions } from './decisions.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { type LiveRepositories, openRepositories } from './repositories.ts'
import { type LiveRuns, openRuns, type RunStory } from './runs.ts'
import { openSpending } from './spending.ts'
import { createStore, type Store, useStore } from './store.ts'
import { type Connection, openStream, type Stream } from './stream.ts'

interface Live {
  readonly ask: Ask
  readonly me: WhoIsHere
  readonly stream: Stream
  readonly decisions: LiveDecisions
  readonly runs: LiveRuns
  readonly repositories: LiveRepositories
  readonly once: AskedOnce
  readonly spending: Store<DaySpending | null>
}

const LiveContext = createContext<Live | null>(null)

export function LiveProvider({ me, children }: { readonly me: WhoIsHere; readonly children: ReactNode }) {
  const parts = useMemo(() => {
    const stream = openStream()
    const once = createAskedOnce()
    return {
      ask,
      stream,
      decisions: openDecisions(ask, stream),
      runs: openRuns(ask, stream),
      repositories: openRepositories(ask, stream),
      once,
      spending: openSpending(ask, stream),
    }
  }, [])
  useEffect(() => () => parts.stream.close(), [parts])
  const live = useMemo(() => ({ ...parts, me }), [parts, me])
  return <LiveContext value={live}>{children}</LiveContext>
}

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (live === null) throw new Error('there is no LiveProvider around this')
  return live
}

export const useMe = (): WhoIsHere => useLive().me
export const useSpending = (): DaySpending | null => useStore(useLive().spending)
export const useConnection = (): Connection => useStore(useLive().stream.connection)
export const useDecisions = (): Loaded<DecisionList> => useStore(useLive().decisions.list)
export const useDecision = (id: string): Loaded<DecisionRecord> => useStore(useLive().decisions.record(id))
export const useRuns = (): Loaded<readonly RunRow[]> => useStore(useLive().runs.list)
export const useRun = (run: string): Loaded<RunDetail> => useStore(useLive().runs.detail(run))
/** Null: of no run. */
export function useRunStory(run: string | null): Loaded<RunStory> {
  const { runs } = useLive()
  return useStore(run === null ? NOTHING_WANTED : runs.story(run))
}

/** Only the owner is told; the others are as if there were none. */
export function useRepositories(): Loaded<readonly KnownRepository[]> {
  const { repositories, me } = useLive()
  return useStore(me.isOwner ? repositories.list() : NO_REPOSITORIES)
}

/** Null: in none. */
export function useRepository(dir: string | null): Loaded<RepositoryLook> {
  const { repositories } = useLive()
  return useStore(dir === null ? NOTHING_WANTED : repositories.look(dir))
}

const NO_REPOSITORIES = createStore<Loaded<readonly KnownRepository[]>>({ kind: 'there', value: [] })

/** What is asked for once under this key; null: nothing is wanted yet. */
export function useAskedOnce<T>(key: string | null, asking: () => Promise<T | HostProblem>): Loaded<T> {
  const { once } = useLive()
  return useStore(key === null ? NOTHING_WANTED : once.get(key, asking))
}

const NOTHING_WANTED: Pick<Store<Loaded<never>>, 'get' | 'subscribe'> = createStore<Loaded<never>>(LOADING)

/** Tells the others that this page looks at a place, and gives back who else does. */
export function useOthersAt(place: string | null): readonly string[] {
  const { stream } = useLive()
  const connection = useConnection()
  const isLive = connection.kind === 'live'
  useEffect(() => {
    if (!isLive) return
    void ask('POST /api/v1/presence', { body: { page: stream.page, place } })
  }, [stream, place, isLive])
  return useStore(stream.others).flatMap((other) => (other.place === place ? [other.person] : []))
}
