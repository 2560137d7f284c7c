/** What follows from an event beside the duties it leads to: whoever the run has left goes, and people find its files safe. */
import type { Journal, StoredEvent } from '../journal/index.ts'
import type { RunEvent } from '../model/event.ts'
import { EVENT_TRAITS } from '../model/event-traits.ts'
import { stepOf } from '../model/program.ts'
import { collectLeftovers } from './duty/leftovers.ts'
import type { LoadedRun } from './runs/loaded-run.ts'
import { isRun, runOf } from './runs/runs.ts'
import type { Edges } from './session/edges.ts'
import type { Sessions } from './session/sessions.ts'
import { apart, type Tell } from './streams/apart.ts'

/** Tidies after every event from now on. `close` waits for what was begun. */
export function followTidying(tools: TidyTools & { readonly journal: Pick<Journal, 'follow'> }): {
  close(): Promise<void>
} {
  const begun = new Set<Promise<void>>()
  const unfollow = tools.journal.follow((events) => {
    const one = tidy(tools, events).catch(tools.onBug)
    begun.add(one)
    void one.then(() => begun.delete(one))
  })
  return {
    close: async () => {
      unfollow()
      await Promise.all(begun)
    },
  }
}

/** Sessions that the run has left are ended, and a person's word on a permission reaches the turn that waits for it. */
const tidy = (tools: TidyTools, stored: readonly StoredEvent[]): Promise<void> =>
  apart(stored, (event) => tidyAfter(tools, event), tools.onBug)

type TidyTools = Edges & { readonly sessions: Sessions; readonly onBug: Tell }

async function tidyAfter(tools: TidyTools, { stream, data }: StoredEvent): Promise<void> {
  const { sessions, runs } = tools
  const event = data as RunEvent
  if (!isRun(stream)) return
  const run = runOf(stream)
  if (event.type === 'question.answered' || event.type === 'question.closed') sessions.hear(run, event)
  if (EVENT_TRAITS[event.type].ends === null) return
  const before = await runs.load(run)
  if (before !== null) await sessions.leaveUnwanted(before)
  // What was broken off before, with nobody at work any more who would take it in.
  if (event.type === 'run.ended') await collectLeftovers(tools, run)
  const loaded = await runs.load(run)
  if (loaded !== null && isWithPeople(loaded)) await tools.workplaces.leaveToPeople(loaded)
}

/** Nobody but people will look at its files next. */
const isWithPeople = ({ program, state: { status, current, taken } }: LoadedRun): boolean =>
  status === 'ended' ||
  taken !== null ||
  (current !== null && stepOf(program, current.step).kind === 'decide')
