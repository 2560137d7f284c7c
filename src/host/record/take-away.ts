/**
 * Takes runs out of the record with all that lies on the disk for them, and leaves a tombstone. What a run's files are is
 * read from its events: also a run whose program was tampered with can go.
 */
import { rm } from 'node:fs/promises'
import type { Journal, StoredEvent } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import { logFile } from '../machine/log.ts'
import { isThreadStream, THREADS, type ThreadRow } from '../notices/outbox.ts'
import { keptProgram } from '../runs/kept-program.ts'
import { type Placed, RUNS } from '../runs/projection.ts'
import { projectWith } from '../runs/rebuild.ts'
import { runOf, streamOf } from '../runs/runs.ts'
import { forgetAnswers } from '../session/answer-files.ts'
import type { Edges } from '../session/edges.ts'
import type { Sessions } from '../session/sessions.ts'

export type TakingTools = Omit<Edges, 'journal'> & {
  readonly journal: Journal
  readonly sessions: Pick<Sessions, 'leaveOthers'>
}

/** By whom, why and what: what a tombstone says beside what it does. */
export interface TombstoneNote {
  readonly what: 'prune' | 'run' | 'decision' | 'text'
  readonly by: Actor
  readonly reason: string
  readonly runs: readonly { readonly run: string; readonly name: string; readonly end: string }[]
  /** Files in which something was overwritten. */
  readonly files: number
  /** Streams that give another state from now on, because a rule read what was erased. */
  readonly changedReplay: readonly string[]
}

export const projectFor = (journal: Journal) => {
  const project = projectWith((digest) => keptProgram(journal, digest))
  return async (stream: string, events: readonly StoredEvent[]) => {
    try {
      return await project(stream, events)
    } catch (error) {
      // Without its program nothing can be said of a run but that its line in the list is its.
      if (!stream.startsWith('run/')) throw error
      return [{ model: RUNS, key: runOf(stream), facet: '', rank: 0, data: null }]
    }
  }
}

export const placedIn = (events: readonly StoredEvent[]): Placed | null =>
  (events.find(({ type }) => type === 'run.placed')?.data as Placed | undefined) ?? null

/** Null: all that lay on the disk is gone. */
export async function removeFiles(tools: TakingTools, run: string): Promise<string | null> {
  const { home } = tools.processEnvironment
  const placed = placedIn(await tools.journal.read(streamOf(run), 0))
  await tools.sessions.leaveOthers(run, null)
  if (placed !== null) {
    const removed = await tools.workplaces.remove({ placed })
    if ('problem' in removed) return removed.problem
  }
  await forgetAnswers(home, run)
  await tools.log.flush()
  await rm(logFile(home.logs, run), { force: true })
  return null
}

/** What channels were told of these decisions. */
export async function threadsAbout(journal: Journal, decisions: ReadonlySet<string>): Promise<string[]> {
  const heads = (await journal.heads(0)).filter(({ stream }) => isThreadStream(stream))
  const streams: string[] = []
  for (const { stream } of heads) {
    const row = await journal.row(THREADS, stream.slice('notice/'.length))
    if (row !== null && decisions.has((row.data as ThreadRow).decision)) streams.push(stream)
  }
  return streams
}
