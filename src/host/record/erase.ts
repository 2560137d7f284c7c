/**
 * A text that must go: out of events, kept bytes, lists, logs and every other file of the home. Whoever is at work may say
 * it again; what was said while this went on is looked for once more.
 */
import { join } from 'node:path'
import { replay } from '../../engine/index.ts'
import type { Edit, ErasureOrder, StoredEvent } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { EraseOrder, EraseReport } from '../../model/api/record.ts'
import type { RunEvent } from '../../model/event.ts'
import { orAltered } from '../../model/failure.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { Home } from '../machine/home.ts'
import { logFile } from '../machine/log.ts'
import { RUNS } from '../runs/projection.ts'
import { isRun, runOf } from '../runs/runs.ts'
import { closingLook, MOST_LOOKS } from './closing-look.ts'
import { type DecisionTexts, decisionTexts } from './decision-texts.ts'
import { eraseInFiles, type FileFindings } from './erase-files.ts'
import { lookInRecord, lookInRepositories } from './look-again.ts'
import { createEdit, SHORTEST, spelledBytes } from './spellings.ts'
import { projectFor, type TakingTools, type TombstoneNote, threadsAbout } from './take-away.ts'

export async function erase(
  tools: TakingTools,
  order: EraseOrder,
  by: Actor,
): Promise<EraseReport | Rejection> {
  const wanted = await whatToErase(tools, order)
  if ('problem' in wanted) return wanted
  const { texts, streams, within } = wanted
  const { journal, clock } = tools
  const edit = texts.length === 0 ? null : createEdit(texts)
  if (edit !== null && edit.text(JSON.stringify(order.reason)) !== null) return REASON_HAS_IT
  const journalOrder = (note: unknown): ErasureOrder => ({
    at: clock.now(),
    streams,
    edit,
    ...(within === undefined ? {} : { within }),
    project: projectFor(journal),
    note,
  })
  const found = await journal.wouldErase(journalOrder(null))
  const changedReplay = edit === null ? [] : await changedReplays(tools, found.events, edit)
  const goingOn = await runsGoingOn(tools, found.events)
  const inFiles = () => eraseFiles(tools, wanted, order)
  const first = await inFiles()
  const report = {
    events: found.events.length,
    bytes: found.bytes.length,
    streams: found.streams.map(({ stream }) => stream),
    files: first.files,
    changedReplay,
    goingOn,
    remains: first.remains,
  }
  const owed = await journal.isCompactionOwed()
  const isNothing = report.events + report.bytes + report.streams.length + report.files.length === 0
  const withRest = async (remains: readonly string[], when: 'before' | 'after'): Promise<string[]> => [
    ...remains,
    ...(wanted.left ?? (edit === null ? [] : await whereElse(tools, wanted, { when, told: remains }))),
  ]
  if (order.dry || (isNothing && !owed)) {
    const remains = await withRest(first.remains, isNothing ? 'after' : 'before')
    return { ...report, remains, owed, done: false }
  }
  if (isNothing) {
    const made = await compacted(tools, first.remains)
    return { ...report, ...made, remains: await withRest(made.remains, 'after'), done: true }
  }
  const note: TombstoneNote = {
    what: order.text === undefined ? 'decision' : 'text',
    by,
    reason: order.reason,
    runs: [],
    files: first.files.length,
    changedReplay,
  }
  await journal.erase(journalOrder(note))
  const isSaid = await eraseAgain(tools, journalOrder(note))
  const { files, remains } = await closingLook(first, inFiles)
  const made = await compacted(tools, [...remains, ...(isSaid ? [STILL_SAID] : [])])
  return { ...report, files, ...made, remains: await withRest(made.remains, 'after'), done: true }
}

/** What is said does not come from the erasing: all is looked through again. Before it, only what it does not reach. */
const whereElse = async (
  tools: TakingTools,
  { texts, also }: Pick<Wanted, 'texts' | 'also'>,
  { when, told }: { readonly when: 'before' | 'after'; readonly told: readonly string[] },
): Promise<readonly string[]> => [
  ...(when === 'before'
    ? []
    : await lookInRecord(tools, texts, { roots: [tools.processEnvironment.home.dir, ...also], told })),
  ...(await lookInRepositories(tools, texts)),
]

/** Last: it can be waited for, and is owed until it is done. */
async function compacted(
  { journal }: TakingTools,
  remains: readonly string[],
): Promise<Pick<EraseReport, 'owed' | 'remains'>> {
  const isWhole = await journal.compact()
  return { owed: !isWhole, remains: isWhole ? [...remains] : [...remains, STILL_READ] }
}

const REASON_HAS_IT: Rejection = {
  code: 'bad-request',
  problem: 'The reason has what is to be erased, and stays in the tombstone. Say why in other words.',
}

const STILL_SAID =
  'Somebody says it as often as it is erased from the record: end the run that does, and do this again.'

const STILL_READ =
  'Another process reads the database, so its log could not be emptied: when that has ended, do this again.'

interface Wanted extends Omit<DecisionTexts, 'left'> {
  /** Files and folders to look into. */
  readonly roots: readonly string[]
  /** Those of them that the user named. */
  readonly also: readonly string[]
  /** What stays of it, in sentences; left out where that is to be looked for. */
  readonly left?: readonly string[]
}

async function whatToErase(
  { journal, processEnvironment: { home } }: TakingTools,
  { text, decision, also }: EraseOrder,
): Promise<Wanted | Rejection> {
  if (decision !== undefined) {
    const found = await decisionTexts(journal, decision, (ids) => threadsAbout(journal, ids))
    if ('problem' in found) return found
    const logs = found.within === undefined ? [] : [logFile(home.logs, runOf(found.within.stream))]
    return { ...found, also, roots: [...logs, ...also] }
  }
  if (text === undefined)
    return { code: 'bad-request', problem: 'Say what is to be erased: a text, or a decision.' }
  if (text.length < SHORTEST)
    return {
      code: 'bad-request',
      problem: `A text of fewer than ${SHORTEST} characters stands in much that has nothing to do with it. Give more of it.`,
    }
  return { texts: [text], streams: [], also, roots: rootsOf(home, also) }
}

/** True: it stands there all the same. */
async function eraseAgain({ journal }: TakingTools, order: ErasureOrder): Promise<boolean> {
  if (order.edit === null) return false
  for (let look = 0; ; look++) {
    const left = await journal.wouldErase({ ...order, streams: [] })
    if (left.events.length + left.bytes.length === 0) return false
    if (look === MOST_LOOKS) return true
    await journal.erase({ ...order, streams: [] })
  }
}

/** All that Signalbox keeps but the database itself, and what the user names. */
function rootsOf(home: Home, also: readonly string[]): string[] {
  const { worktrees, grounds, prepared, logs, processes, answers, scripted, dir } = home
  const words = ['host.log', 'agents.json'].map((name) => join(dir, name))
  return [worktrees, grounds, prepared, logs, processes, answers, scripted, ...words, ...also]
}

async function eraseFiles(
  { log }: TakingTools,
  { texts, roots }: Wanted,
  { dry }: EraseOrder,
): Promise<FileFindings> {
  if (texts.length === 0) return { files: [], remains: [] }
  await log.flush()
  return eraseInFiles(roots, { spellings: spelledBytes(texts), mode: dry ? 'look' : 'erase' })
}

/** Where it is the same whether a text goes before or after the events are folded, no rule has read it. */
async function changedReplays(
  { journal }: TakingTools,
  events: readonly Pick<StoredEvent, 'stream' | 'version'>[],
  edit: Edit,
): Promise<string[]> {
  const changed: string[] = []
  for (const stream of new Set(events.map((event) => event.stream))) {
    if (!isRun(stream)) continue
    const before = await orAltered(() => journal.read(stream, 0))
    if ('problem' in before) continue
    const versions = new Set(events.flatMap((event) => (event.stream === stream ? [event.version] : [])))
    const lived = replayedText(before, { versions: new Set(), edit })
    if (lived !== null && lived !== replayedText(before, { versions, edit })) changed.push(stream)
  }
  return changed
}

async function runsGoingOn(
  { journal }: TakingTools,
  events: readonly { readonly stream: string }[],
): Promise<string[]> {
  const runs = [...new Set(events.map(({ stream }) => stream))].filter(isRun).map(runOf)
  const rows = await Promise.all(runs.map((run) => journal.row(RUNS, run)))
  return rows.flatMap((row) => (row?.facet === 'open' ? [row.key] : []))
}

const editedText = (edit: Edit, text: string): string => edit.text(text) ?? text

interface EditAt {
  readonly versions: ReadonlySet<number>
  readonly edit: Edit
}

function replayedText(events: readonly StoredEvent[], { versions, edit }: EditAt): string | null {
  const edited = events.map(({ version, data }) =>
    versions.has(version) ? JSON.parse(editedText(edit, JSON.stringify(data))) : data,
  ) as RunEvent[]
  try {
    // What says the same and stays is not what a rule made of it.
    return editedText(edit, JSON.stringify(replay(edited)))
  } catch {
    return null
  }
}
