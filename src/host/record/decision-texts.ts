/**
 * What goes with a decision: outside of runs its whole stream; in a run every text that it shows, wherever that stands, for
 * the run cannot be told without the rest.
 */
import type { Journal } from '../../journal/index.ts'
import { type DecisionRow, isPending } from '../../model/decision-record.ts'
import type { Rejection } from '../../model/refusal.ts'
import { DECISIONS } from '../inbox/rows.ts'
import { isStandalone } from '../inbox/standalones.ts'
import { SHORTEST } from './spellings.ts'

export async function decisionTexts(
  journal: Journal,
  id: string,
  threadsAbout: (decisions: ReadonlySet<string>) => Promise<readonly string[]>,
): Promise<{ readonly texts: readonly string[]; readonly streams: readonly string[] } | Rejection> {
  const row = (await journal.row(DECISIONS, id))?.data as DecisionRow | undefined
  if (row === undefined)
    return {
      code: 'unknown-decision',
      problem: `There is no decision "${id}". signalbox decision list --all lists them.`,
    }
  if (isPending(row))
    return {
      code: 'not-waiting',
      problem: 'It still lies with people. Answer or withdraw it first: signalbox decision withdraw',
    }
  const threads = await threadsAbout(new Set([id]))
  if (isStandalone(row.stream)) return { texts: [], streams: [row.stream, ...threads] }
  const events = await journal.read(row.stream, 0)
  const own = events.filter(({ data }) => (data as { question?: string }).question === row.question)
  const texts = new Set(own.flatMap(({ data }) => wordsIn(data)).filter((text) => text.length >= SHORTEST))
  return { texts: [...texts], streams: threads }
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
])

function wordsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return WORDS.has(key) && /\s/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => wordsIn(inner, Array.isArray(value) ? key : name))
}
