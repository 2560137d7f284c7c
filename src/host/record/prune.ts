/** Runs that are over and no longer needed: which they are, which are kept all the same and why, and away with them. */
import type { Row } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { PruneOrder, PruneReport } from '../../model/api/record.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { orAltered } from '../../model/failure.ts'
import { logFile } from '../machine/log.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { RUNS, type RunRow } from '../runs/projection.ts'
import { streamOf } from '../runs/runs.ts'
import { groundAt } from '../workspace/ground.ts'
import { isMerged } from '../workspace/merged.ts'
import { sizeOnDisk } from './run-size.ts'
import { placedIn, projectFor, removeFiles, type TakingTools, threadsAbout } from './take-away.ts'

const PAGE = 500

export async function prune(tools: TakingTools, order: PruneOrder, by: Actor): Promise<PruneReport> {
  const { clock } = tools
  const kept: { run: string; why: string }[] = []
  const going: { row: RunRow; bytes: number }[] = []
  for (const row of [...(await endedRuns(tools)), ...(await unusableRuns(tools, order))]) {
    if (!isWanted(row, order, clock.now())) continue
    const why = await whyKept(tools, row, order)
    if (why !== null) kept.push({ run: row.run, why })
    else {
      const bytes = await orAltered(() => sizeOf(tools, row.run))
      if (typeof bytes === 'number') going.push({ row, bytes })
      else if (order.what === 'run') going.push({ row, bytes: 0 })
      else kept.push({ run: row.run, why: bytes.problem })
    }
  }
  const ended = new Set([...kept, ...going.map(({ row }) => row)].map(({ run }) => run))
  for (const run of order.runs ?? [])
    if (!ended.has(run)) kept.push({ run, why: 'it has not ended, or not as was asked for' })
  const gone: typeof going = []
  if (order.dry) gone.push(...going)
  else
    for (const each of going) {
      const problem = await removeFiles(tools, each.row.run)
      if (problem === null) gone.push(each)
      else kept.push({ run: each.row.run, why: problem })
    }
  if (!order.dry && gone.length > 0) await forget(tools, order, { by, rows: gone.map(({ row }) => row) })
  return {
    runs: gone.map(({ row: { run, name, end, changedAt }, bytes }) => ({
      run,
      name,
      end: end ?? '',
      endedAt: changedAt,
      bytes,
    })),
    kept,
    done: !order.dry,
  }
}

/** Those that are named and can come to no end: nothing can be made of their records any more. */
async function unusableRuns({ journal, runs }: TakingTools, order: PruneOrder): Promise<RunRow[]> {
  const found: RunRow[] = []
  if (order.what !== 'run') return found
  for (const run of order.runs ?? []) {
    const row = await journal.row(RUNS, run)
    if (row?.facet === 'open' && (await loadedOrNull(runs, run)) === null) found.push(row.data as RunRow)
  }
  return found
}

async function endedRuns({ journal }: TakingTools): Promise<RunRow[]> {
  const rows: Row[] = []
  for (let before: Row | null = null; ; before = rows.at(-1)!) {
    const page = await journal.list({ model: RUNS, facet: 'ended', before, limit: PAGE })
    rows.push(...page)
    if (page.length < PAGE) return rows.map(({ data }) => data as RunRow)
  }
}

function isWanted(row: RunRow, { runs, olderThanMs, states }: PruneOrder, now: number): boolean {
  if (runs !== null && !runs.includes(row.run)) return false
  if (olderThanMs !== null && now - row.changedAt < olderThanMs) return false
  return states === null || states.includes(row.end ?? '')
}

async function whyKept(
  { runs, processEnvironment: { home } }: TakingTools,
  row: RunRow,
  order: PruneOrder,
): Promise<string | null> {
  if (order.what === 'run') return null
  const loaded = await loadedOrNull(runs, row.run)
  if (loaded === null)
    return order.unmerged === 'take'
      ? null
      : 'its program was changed in the database; --unmerged takes it all the same'
  const undelivered = Object.values(loaded.book.records).filter(isUndelivered).length
  if (undelivered > 0) return 'an answer of it was not delivered yet'
  if (order.unmerged === 'take' || loaded.discarded || loaded.commit === loaded.placed.placement.baseCommit)
    return null
  const { placement } = loaded.placed
  return (await isMerged({
    ground: groundAt(home, placement),
    branch: placement.branch,
    commit: loaded.commit,
    base: placement.base,
  }))
    ? null
    : `its branch ${placement.branch} has work that is on no other branch; --unmerged takes it all the same`
}

const isUndelivered = ({ status }: Pick<DecisionRecord, 'status'>): boolean =>
  status === 'answered' || status === 'undeliverable'

const readOrNothing = async (journal: TakingTools['journal'], stream: string) => {
  const events = await orAltered(() => journal.read(stream, 0))
  return 'problem' in events ? [] : events
}

/** What cannot be read any more. */
const loadedOrNull = (runs: TakingTools['runs'], run: string): Promise<LoadedRun | null> =>
  runs.load(run).catch(() => null)

async function sizeOf({ journal, processEnvironment: { home } }: TakingTools, run: string): Promise<number> {
  const events = await journal.read(streamOf(run), 0)
  const placed = placedIn(events)
  const ground = placed === null ? [] : [placed.placement.worktree, groundAt(home, placed.placement).dir]
  const text = events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0)
  return text + (await sizeOnDisk([...ground, logFile(home.logs, run)]))
}

async function forget(
  { journal, clock }: TakingTools,
  { reason, what }: PruneOrder,
  { by, rows }: { readonly by: Actor; readonly rows: readonly RunRow[] },
): Promise<void> {
  const project = projectFor(journal)
  const decisions = new Set<string>()
  for (const { run } of rows)
    for (const { model, key } of await project(streamOf(run), await readOrNothing(journal, streamOf(run))))
      if (model === 'decision') decisions.add(key)
  await journal.erase({
    at: clock.now(),
    streams: [...rows.map(({ run }) => streamOf(run)), ...(await threadsAbout(journal, decisions))],
    edit: null,
    project,
    note: {
      what,
      by,
      reason,
      runs: rows.map(({ run, name, end }) => ({ run, name, end: end ?? '' })),
      files: 0,
      changedReplay: [],
    },
  })
  await journal.compact()
}
