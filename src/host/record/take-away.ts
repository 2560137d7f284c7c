/**
 * Takes runs out of the record with all that lies on the disk for them, and leaves a tombstone. What a run's files are is
 * read from its events: also a run whose program was tampered with can go.
 */
import { rm } from 'node:fs/promises'
import type { Journal, Row, StoredEvent } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import { orAltered } from '../../model/failure.ts'
import { LANDINGS } from '../course/landing-rows.ts'
import { ALIKE, BATCH, CLOSED, DECISIONS, PENDING, SUPERSEDING } from '../inbox/rows.ts'
import { logFile } from '../machine/log.ts'
import { isThreadStream, THREADS, type ThreadRow } from '../notices/outbox.ts'
import { keptProgram } from '../runs/kept-program.ts'
import { type Placed, RUNS } from '../runs/projection.ts'
import { projectWith } from '../runs/rebuild.ts'
import { runOf, streamOf } from '../runs/runs.ts'
import { forgetAnswers } from '../session/answer-files.ts'
import type { Edges } from '../session/edges.ts'
import type { Sessions } from '../session/sessions.ts'
import { DAY_WAITS } from '../spending/day-wait-rows.ts'
import { SPENDING } from '../spending/spending-rows.ts'

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
      if (!stream.startsWith('run/')) throw error
      return linesOf(journal, runOf(stream))
    }
  }
}

/** Of a run that cannot be told from its record any more: nothing can be said of its lines but that they are its. */
async function linesOf(journal: Journal, run: string): Promise<Row[]> {
  const gone = (model: string, key: string): Row => ({ model, key, facet: '', rank: 0, data: null })
  const rows = [RUNS, SPENDING, DAY_WAITS, LANDINGS].map((model) => gone(model, run))
  for (const facet of [PENDING, CLOSED])
    for await (const { key, data } of allRows(journal, { model: DECISIONS, facet }))
      if ((data as DecisionRow).run === run)
        rows.push(...[DECISIONS, ALIKE, BATCH, SUPERSEDING].map((model) => gone(model, key)))
  return rows
}

const PAGE = 500

async function* allRows(
  journal: Journal,
  order: { readonly model: string; readonly facet: string },
): AsyncGenerator<Row> {
  for (let before: Row | null = null; ; ) {
    const page: Row[] = await journal.list({ ...order, before, limit: PAGE })
    yield* page
    if (page.length < PAGE) return
    before = page.at(-1)!
  }
}

/** Null also where what it says of its place was changed or erased. */
export function placedIn(events: readonly StoredEvent[]): Placed | null {
  const placed = events.find(({ type }) => type === 'run.placed')?.data as Partial<Placed> | undefined
  const { worktree, gitDir, branch } = placed?.placement ?? {}
  return [worktree, gitDir, branch].every((each) => typeof each === 'string') ? (placed as Placed) : null
}

/** Null: all that lay on the disk is gone. */
export async function removeFiles(tools: TakingTools, run: string): Promise<string | null> {
  const { home } = tools.processEnvironment
  const events = await orAltered(() => tools.journal.read(streamOf(run), 0))
  const placed = 'problem' in events ? null : placedIn(events)
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
