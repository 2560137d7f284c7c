/**
 * What all runs of a day may use together. Beyond it nothing is begun: whoever would begin is parked until the next day,
 * as at a usage limit, and a person is asked once. Nothing of it is kept in memory: what was used, and what people
 * allowed beyond, is in the journal, so a restart changes nothing.
 */
import type { StandaloneState } from '../../engine/index.ts'
import { bytesDigest, type Journal, type StoredEvent } from '../../journal/index.ts'
import { digestOf } from '../../model/digest.ts'
import { formatDuration } from '../../model/duration.ts'
import {
  type DayLimits,
  type DaySpending,
  daySpendingText,
  isLimitedByDay,
  isUsedUp,
  raised,
  type Spent,
} from '../../model/spending.ts'
import { deliver } from '../inbox/deliver.ts'
import { isStandalone, type Standalones, standaloneOf } from '../inbox/standalones.ts'
import type { Clock } from '../machine/clock.ts'
import { type LocalDay, localDay } from '../machine/local-day.ts'
import { RUNS } from '../runs/projection.ts'
import type { Runs } from '../runs/runs.ts'
import { spentOverAll } from './spending-rows.ts'

export interface DayLimitNeeds {
  readonly journal: Journal
  readonly runs: Runs
  readonly standalones: Standalones
  readonly clock: Clock
  readonly limits: DayLimits
  readonly onBug: (error: unknown) => void
}

export interface DayLimit {
  /** Asks a person where the day is used up. When something may be begun again; null: now. */
  readonly closedUntil: () => Promise<number | null>
  readonly look: () => Promise<DaySpending>
  /** Does what people answered while nobody hosted. */
  start(): Promise<void>
  close(): Promise<void>
}

const MOST_RUNS = 1000

export function createDayLimit(needs: DayLimitNeeds): DayLimit {
  const { journal, standalones, clock, limits, onBug } = needs
  let last: Promise<void> = Promise.resolve()
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    last = last.then(act).catch(onBug)
    return last
  }

  const look = async (): Promise<Looked> => {
    const day = localDay(clock.now())
    const spent = await spentOverAll(journal, day.startAt)
    const { raises, latest } = await raisesOn(standalones, day)
    const allowed = raised(limits, raises)
    return { day, spent, raises, latest, allowed, isShut: isUsedUp(allowed, spent) }
  }

  const unfollow = isLimitedByDay(limits)
    ? journal.follow((events) => {
        for (const event of events)
          if (isAnswer(event)) void inTurn(() => follow(needs, standaloneOf(event.stream)))
      })
    : () => {}

  return {
    closedUntil: async () => {
      if (!isLimitedByDay(limits)) return null
      const looked = await look()
      if (!looked.isShut) return null
      if (looked.latest === null) await askPerson(needs, looked)
      return looked.day.endAt
    },
    look: async () => {
      const { allowed, spent, isShut, day } = await look()
      return { limits: allowed, spent, closedUntil: isShut ? day.endAt : null }
    },
    start: async () => {
      if (!isLimitedByDay(limits)) return
      const { day, raises } = await look()
      for (let nth = 0; nth <= raises; nth++) await inTurn(() => follow(needs, idOf(day, nth)))
    },
    close: async () => {
      unfollow()
      await last
    },
  }
}

interface Looked {
  readonly day: LocalDay
  readonly spent: Spent
  readonly raises: number
  /** What a person is asked, or has said, since it was last raised; null where nobody was asked. */
  readonly latest: StandaloneState | null
  readonly allowed: DayLimits
  readonly isShut: boolean
}

const isAnswer = ({ stream, type }: StoredEvent): boolean =>
  type === 'question.answered' && isStandalone(stream)

/** By the day and how often it was raised: asking twice is asking once. */
const idOf = ({ name }: LocalDay, nth: number): string => digestOf(['day-limit', name, nth]).slice(0, 10)

/** Answered, and not held any more. */
const pickOf = ({ record: { by, pick, undoableUntil } }: StandaloneState): string | null =>
  by === null || undoableUntil !== undefined ? null : pick

async function raisesOn(
  standalones: Standalones,
  day: LocalDay,
): Promise<{ readonly raises: number; readonly latest: StandaloneState | null }> {
  for (let raises = 0; ; raises++) {
    const latest = await standalones.load(idOf(day, raises))
    if (latest === null || pickOf(latest) !== 'raise') return { raises, latest }
  }
}

async function askPerson({ standalones, clock, limits }: DayLimitNeeds, looked: Looked): Promise<void> {
  const { day, raises, allowed, spent } = looked
  const at = clock.now()
  const more = daySpendingText(raised(limits, raises + 1), spent)
  const payload = {
    headline: `The limit of today is used up (${day.name})`,
    question: 'All runs together have used what they may today. What now?',
    context: `Used today over all runs: ${daySpendingText(allowed, spent)}. No agent is begun meanwhile.`,
    options: [
      { key: 'raise', label: 'As much again', body: `Go on until it is ${more}.` },
      { key: 'wait', label: 'Wait', body: 'Go on by themselves when the next day begins.' },
      { key: 'stop', label: 'Stop', body: 'End the runs that are waiting for it.', reversible: false },
    ],
    recommended: 'wait',
    urgency: 'high',
    deadline: formatDuration(Math.max(1000, day.endAt - at)),
  }
  const id = idOf(day, raises)
  const proof = {
    door: 'cli' as const,
    call: bytesDigest(new TextEncoder().encode(JSON.stringify(payload))),
    prompts: [],
    dictated: [],
  }
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
    proof,
  })
}

/** What a person answered is done: also again after a crash. */
async function follow(needs: DayLimitNeeds, id: string): Promise<void> {
  const { standalones, clock, runs } = needs
  const day = localDay(clock.now())
  const { raises } = await raisesOn(standalones, day)
  if (!Array.from({ length: raises + 1 }, (_, nth) => idOf(day, nth)).includes(id)) return
  const state = await standalones.load(id)
  const pick = state === null ? null : pickOf(state)
  if (state === null || pick === null || state.record.status === 'acted') return
  const record = (command: Parameters<Standalones['execute']>[1]) => standalones.execute(id, command)
  if ((await deliver(clock, { question: id, session: null, via: 'wait', record })) === null) return
  const by = state.record.by!
  let count = 0
  for (const { run, address } of pick === 'wait' ? [] : await waitingFor(needs, day)) {
    const at = clock.now()
    if (pick === 'raise') await runs.execute(run, [{ type: 'attempt.wake', at, ...address }])
    else if (pick === 'stop')
      await runs.execute(run, [{ type: 'run.cancel', at, by, reason: 'the limit of the day is used up' }])
    count++
  }
  const did = pick === 'raise' ? `went on with ${count}` : pick === 'stop' ? `ended ${count}` : 'waits'
  await record({ type: 'decision.act', at: clock.now(), question: id, did })
}

/** Who is parked until the day is over is parked because of it. */
async function waitingFor({ journal, runs }: DayLimitNeeds, { endAt }: LocalDay) {
  const rows = await journal.list({ model: RUNS, facet: 'open', before: null, limit: MOST_RUNS })
  const found: { run: string; address: { step: string; visit: number; member: number; attempt: number } }[] =
    []
  for (const { key: run } of rows) {
    const current = (await runs.load(run))?.state.current
    current?.members.forEach(({ status, parkedUntil, attempt }, member) => {
      if (status === 'parked' && parkedUntil === endAt)
        found.push({ run, address: { step: current.step, visit: current.number, member, attempt } })
    })
  }
  return found
}
