/** The questions about the day as decisions outside any run: asked, looked for, and taken back. */
import type { StandaloneState } from '../../engine/index.ts'
import { bytesDigest, type Journal } from '../../journal/index.ts'
import { DAY_QUESTION_PREFIX } from '../../model/day-question.ts'
import type { DecisionRecord, DecisionRow, DecisionStatus } from '../../model/decision-record.ts'
import { formatDuration } from '../../model/duration.ts'
import { type DayLimits, daySpendingText, limitsText, type Spent } from '../../model/spending.ts'
import { DECISIONS } from '../inbox/rows.ts'
import type { Standalones } from '../inbox/standalones.ts'
import type { Clock } from '../machine/clock.ts'
import { type LocalDay, localDay } from '../machine/local-day.ts'
import { apart, type Tell } from '../streams/apart.ts'
import { mostSpent } from './spending-rows.ts'

interface Needs {
  readonly journal: Pick<Journal, 'list' | 'keysWith' | 'row'>
  readonly standalones: Standalones
  readonly clock: Clock
  readonly limits: DayLimits
  readonly onBug: Tell
}

interface UsedUp {
  readonly day: LocalDay
  readonly spent: Spent
  readonly allowed: DayLimits
  readonly question: string
}

const MOST = 10_000
const NAMED_RUNS = 3

export async function askAboutDay(
  needs: Needs,
  { day, allowed, spent, question: id }: UsedUp,
): Promise<void> {
  const { journal, standalones, clock, limits } = needs
  const at = clock.now()
  const users = await mostSpent(journal, { since: day.startAt, count: NAMED_RUNS })
  const most = users.map(({ run, spent: used }) => `${run} ${usedText(limits, used)}`).join(', ')
  const payload = {
    headline: `The limit of today is used up (${day.name})`,
    question: 'All runs together have used what they may today. What now?',
    context: `Used today over all runs: ${daySpendingText(allowed, spent)}. Most of it by ${most}. No agent is begun meanwhile.`,
    options: [
      {
        key: 'raise',
        label: 'As much again',
        body: `Go on until ${limitsText(limits)} more are used than by the time you say so.`,
      },
      {
        key: 'wait',
        label: 'Wait',
        body: 'Go on by themselves when the next day begins. Until then this can be taken back.',
      },
      { key: 'stop', label: 'Stop', body: 'End the runs that are waiting for it.', reversible: false },
    ],
    recommended: 'wait',
    urgency: 'high',
    deadline: formatDuration(Math.max(1000, day.endAt - at)),
  }
  const call = bytesDigest(new TextEncoder().encode(JSON.stringify(payload)))
  // Refused where somebody has asked it a moment ago.
  await standalones.execute(id, {
    type: 'decision.create',
    at,
    id,
    payload,
    templates: {},
    asker: { agent: 'signalbox', program: '', version: '', model: '' },
    repo: '',
    resume: null,
    supersedes: null,
    proof: { door: 'cli', call, prompts: [], dictated: [] },
  })
}

const usedText = ({ costUsd, tokens }: DayLimits, used: Spent): string =>
  limitsText({
    costUsd: costUsd === null ? null : used.costUsd,
    tokens: tokens === null ? null : used.tokens,
  })

const UNDER_WAY: ReadonlySet<DecisionStatus> = new Set(['open', 'answered', 'delivered', 'acknowledged'])

/** Those that are not over, of any day: an answer may be followed long after it was given. */
export async function dayQuestions({
  journal,
  standalones,
  onBug,
}: Pick<Needs, 'journal' | 'standalones' | 'onBug'>): Promise<readonly StandaloneState[]> {
  const found: StandaloneState[] = []
  const look = async (id: string): Promise<void> => {
    const row = await journal.row(DECISIONS, id)
    if (row === null || !UNDER_WAY.has((row.data as DecisionRow).status)) return
    const state = await standalones.load(id)
    if (state !== null) found.push(state)
  }
  await apart(await journal.keysWith(DECISIONS, DAY_QUESTION_PREFIX, MOST), look, onBug)
  return found
}

export async function withdrawDayQuestion(
  { standalones, clock }: Pick<Needs, 'standalones' | 'clock'>,
  { question, openedAt }: DecisionRecord,
): Promise<void> {
  const isOver = localDay(openedAt).endAt <= clock.now()
  const note = isOver ? 'That day is over.' : 'Your config allows something else by now.'
  await standalones.execute(question, { type: 'decision.withdraw', at: clock.now(), question, note })
}
