/** The runs as a list, and single ones as they are now or were at any moment: folded from their events by the engine's own function. */
import { evolve } from '../../engine/evolve.ts'
import { NEW_RUN, type RunState } from '../../engine/state.ts'
import type { SentEvent } from '../../model/api/events.ts'
import type { RunDetail, RunRow } from '../../model/api/runs.ts'
import type { RunEvent } from '../../model/event.ts'
import { type Ask, isProblem } from './ask.ts'
import { concernOf } from './concern.ts'
import { LOADING, type Loaded } from './loaded.ts'
import { createRefresh } from './refresh.ts'
import { createStore, type Store } from './store.ts'
import type { Stream } from './stream.ts'

/** A run's whole journal, and what it adds up to. */
export interface RunStory {
  readonly events: readonly SentEvent[]
  readonly state: RunState
}

export interface LiveRuns {
  /** Latest first; ended ones too. */
  readonly list: Store<Loaded<readonly RunRow[]>>
  detail(run: string): Store<Loaded<RunDetail>>
  story(run: string): Store<Loaded<RunStory>>
}

const MOST_RUNS = 1000

export function openRuns(ask: Ask, stream: Stream): LiveRuns {
  const list = createStore<Loaded<readonly RunRow[]>>(LOADING)
  const details = new Map<string, Store<Loaded<RunDetail>>>()
  const stories = new Map<string, Store<Loaded<RunStory>>>()
  const rows = new Map<string, RunRow>()

  const publish = (): void => {
    const value = [...rows.values()].sort((one, other) => other.startedAt - one.startedAt)
    list.set({ kind: 'there', value })
  }

  const fetchOne = async (run: string): Promise<void> => {
    const detail = await ask('GET /api/v1/runs/{run}', { params: { run } })
    const store = details.get(run)
    if (isProblem(detail)) {
      if (store?.get().kind !== 'there') store?.set({ kind: 'problem', problem: detail })
      return
    }
    store?.set({ kind: 'there', value: detail })
    rows.set(run, detail.row)
    if (list.get().kind === 'there') publish()
  }

  const fetchAll = async (): Promise<void> => {
    const found = await ask('GET /api/v1/runs', { query: { all: true, limit: MOST_RUNS } })
    if (isProblem(found)) {
      if (list.get().kind !== 'there') list.set({ kind: 'problem', problem: found })
      return
    }
    rows.clear()
    for (const row of found) rows.set(row.run, row)
    publish()
    for (const run of details.keys()) refresh.mark(run)
    for (const run of stories.keys()) void fetchStory(run)
  }

  const refresh = createRefresh({ one: fetchOne, everything: fetchAll })

  const fetchStory = async (run: string): Promise<void> => {
    const store = stories.get(run)
    const known = store?.get()
    const story = known?.kind === 'there' ? known.value : NO_STORY
    const query = { after: story.events.length }
    const events = await ask('GET /api/v1/runs/{run}/events', { params: { run }, query })
    if (!isProblem(events)) store?.set({ kind: 'there', value: continued(story, events) })
    else if (known?.kind !== 'there') store?.set({ kind: 'problem', problem: events })
  }

  stream.follow((event) => {
    if (event === null) return refresh.all()
    const { run } = concernOf(event)
    if (run === null) return
    refresh.mark(run)
    const store = stories.get(run)
    const known = store?.get()
    if (store === undefined || known?.kind !== 'there') return
    // Anything but the next one is read from the journal.
    if (event.version === known.value.events.length + 1)
      store.set({ kind: 'there', value: continued(known.value, [event]) })
    else if (event.version > known.value.events.length) void fetchStory(run)
  })

  return {
    list,
    detail: (run) => {
      const known = details.get(run)
      if (known !== undefined) return known
      const made = createStore<Loaded<RunDetail>>(LOADING)
      details.set(run, made)
      refresh.mark(run)
      return made
    },
    story: (run) => {
      const known = stories.get(run)
      if (known !== undefined) return known
      const made = createStore<Loaded<RunStory>>(LOADING)
      stories.set(run, made)
      void fetchStory(run)
      return made
    },
  }
}

const NO_STORY: RunStory = { events: [], state: NEW_RUN }

function continued({ events, state }: RunStory, more: readonly SentEvent[]): RunStory {
  const next = more.filter(({ version }) => version > events.length)
  return {
    events: [...events, ...next],
    state: next.reduce((so, { data }) => evolve(so, data as RunEvent), state),
  }
}

/** The run as it was after so many of its events. */
export const stateAfter = ({ events }: RunStory, version: number): RunState =>
  events.slice(0, version).reduce((so, { data }) => evolve(so, data as RunEvent), NEW_RUN)
