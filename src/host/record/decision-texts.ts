/**
 * What goes with a decision: outside of runs its whole stream; in a run the texts that it shows, where its own record has
 * them, for the run cannot be told without the rest. An agent may have said the same elsewhere, or have asked in the
 * words of somebody else's code: what is not this decision's stays, and is told of.
 */
import type { ErasureScope, Journal, StoredEvent } from '../../journal/index.ts'
import { type DecisionRow, isPending } from '../../model/decision-record.ts'
import type { RunEvent } from '../../model/event.ts'
import { orAltered } from '../../model/failure.ts'
import type { Rejection } from '../../model/refusal.ts'
import { DECISIONS } from '../inbox/rows.ts'
import { isStandalone, standaloneRows } from '../inbox/standalones.ts'
import { bytesNamedIn } from './named-bytes.ts'
import { createEdit, SHORTEST } from './spellings.ts'

export interface DecisionTexts {
  readonly texts: readonly string[]
  readonly streams: readonly string[]
  /** Where alone the texts go; left out for one outside of runs. */
  readonly within?: ErasureScope
  /** What stays, in sentences. */
  readonly left: readonly string[]
}

export async function decisionTexts(
  journal: Journal,
  id: string,
  threadsAbout: (decisions: ReadonlySet<string>) => Promise<readonly string[]>,
): Promise<DecisionTexts | Rejection> {
  const row = (await journal.row(DECISIONS, id))?.data as DecisionRow | undefined
  if (row === undefined)
    return {
      code: 'unknown-decision',
      problem: `There is no decision "${id}". signalbox decision list --all lists them.`,
    }
  if (isPending(row) && !(isStandalone(row.stream) && (await isUnusable(journal, row.stream))))
    return {
      code: 'not-waiting',
      problem: 'It still lies with people. Answer or withdraw it first: signalbox decision withdraw',
    }
  const threads = await threadsAbout(new Set([id]))
  if (isStandalone(row.stream)) return { texts: [], streams: [row.stream, ...threads], left: [] }
  const events = await journal.read(row.stream, 0)
  const own = ownEvents(events, row.question)
  const words = own.flatMap(({ data }) => wordsIn(data)).filter((text) => text.length >= SHORTEST)
  const texts = [...new Set(words)]
  const { bytes, left } = await ownBytes(journal, { texts, events, question: row.question })
  const versions = new Set(own.map(({ version }) => version))
  const elsewhere = events.filter(({ version }) => !versions.has(version))
  return {
    texts,
    streams: threads,
    within: { stream: row.stream, versions, bytes, rows: [{ model: DECISIONS, key: id }] },
    left: [...runbookWords(own, row), ...left, ...repeatedText(elsewhere, texts)],
  }
}

/** Nobody can answer or withdraw it any more. */
async function isUnusable(journal: Journal, stream: string): Promise<boolean> {
  return 'problem' in (await orAltered(async () => standaloneRows(await journal.readIntact(stream))))
}

/** With what commands found to be shown with it, which was written just before it was asked. */
function ownEvents(events: readonly StoredEvent[], question: string): StoredEvent[] {
  const isOwn = ({ data }: StoredEvent): boolean => questionOf(data) === question
  const asked = events.findIndex(isOwn)
  const before = events[asked - 1]
  const gathered = before?.type === 'context.gathered' ? [before] : []
  return [...gathered, ...events.filter(isOwn)]
}

const questionOf = (data: unknown): string | undefined => (data as { question?: string }).question

interface Said {
  readonly texts: readonly string[]
  readonly events: readonly StoredEvent[]
  readonly question: string
}

/** Its call, and the prompts of its run; not what others name as well, for bytes are kept once for all who said the same. */
async function ownBytes(
  journal: Journal,
  { texts, events, question }: Said,
): Promise<{ readonly bytes: ReadonlySet<string>; readonly left: readonly string[] }> {
  const own = new Set<string>()
  const others = new Set<string>()
  for (const event of events) {
    const data = event.data as RunEvent
    if (data.type === 'agent.prompted' || questionOf(data) === question)
      for (const digest of bytesNamedIn(event)) own.add(digest)
    else if (data.type === 'decision.proven') others.add(data.proof.call)
  }
  const holding = await thoseWith(journal, own, texts)
  if (holding.length === 0) return { bytes: new Set(), left: [] }
  for (const { stream } of await journal.heads(0)) {
    if (stream === events[0]?.stream) continue
    const told = await orAltered(() => journal.read(stream, 0))
    // Nobody knows whose they are: better one that stays than another's that goes.
    if ('problem' in told) return { bytes: new Set(), left: holding.map(unreadText(told.problem)) }
    for (const event of told) for (const digest of bytesNamedIn(event)) others.add(digest)
  }
  const shared = holding.filter((digest) => others.has(digest))
  return { bytes: new Set(holding.filter((digest) => !others.has(digest))), left: shared.map(sharedText) }
}

async function thoseWith(
  journal: Journal,
  digests: ReadonlySet<string>,
  texts: readonly string[],
): Promise<string[]> {
  if (texts.length === 0) return []
  const within = { stream: '', versions: new Set<number>(), bytes: digests, rows: [] }
  const { bytes } = await journal.wouldErase({
    at: 0,
    streams: [],
    edit: createEdit(texts),
    within,
    project: async () => [],
    note: null,
  })
  return bytes.map(({ digest }) => digest)
}

function runbookWords(own: readonly StoredEvent[], { run, step }: DecisionRow): string[] {
  const isOfStep = own.some(({ data }) => {
    const event = data as RunEvent
    return event.type === 'question.opened' && event.cause === 'step'
  })
  return isOfStep
    ? [
        `What it asks stands in the runbook, at the step ${step ?? ''}, and stays there: it is kept with the program of run ${run}. \`signalbox erase --text-from FILE\` erases a text from that too.`,
      ]
    : []
}

const sharedText = (digest: string): string =>
  `Kept bytes ${digest.slice(0, 12)}… say it, and are another question's or another run's as well: they stay.`

const unreadText =
  (problem: string) =>
  (digest: string): string =>
    `Kept bytes ${digest.slice(0, 12)}… say it, and stay: whether they are another's as well cannot be told. ${problem}`

function repeatedText(events: readonly StoredEvent[], texts: readonly string[]): string[] {
  if (texts.length === 0) return []
  const edit = createEdit(texts)
  const repeating = events.filter(({ data }) => edit.text(JSON.stringify(data)) !== null)
  const count = repeating.length === 1 ? '1 other event' : `${repeating.length} other events`
  const types = [...new Set(repeating.map(({ type }) => type))].join(', ')
  return repeating.length === 0
    ? []
    : [
        `Words of it stand in ${count} of its run, too, and stay there: ${types}. \`signalbox erase --text-from FILE\` erases a text wherever it stands.`,
      ]
}

/** Where people and agents write what they like; names and keys are the run's. */
const WORDS = new Set([
  'headline',
  'question',
  'body',
  'context',
  'label',
  'note',
  'edited',
  'detail',
  'text',
  'evidence',
  'items',
])

/** Below these everything is somebody's words, under names that they chose. */
const NAMED_TEXTS = new Set(['context', 'evidence', 'items'])

function wordsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return WORDS.has(key) && /\s/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    wordsIn(inner, Array.isArray(value) || NAMED_TEXTS.has(key) ? key : name),
  )
}
