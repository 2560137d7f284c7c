/**
 * What all runs of a day may use together. Beyond it nothing is begun: whoever would begin is parked until the next day,
 * as at a usage limit, and a person is asked once. Nothing of it is kept in memory alone: what was used, and what people
 * allowed beyond, is in the journal, so a restart changes nothing but what the config says by then.
 */
import type { StandaloneState } from '../../engine/index.ts'
import type { Journal, StoredEvent } from '../../journal/index.ts'
import { DAY_DEEDS, dayQuestionId, dayStanding, dueAnswer, isDayQuestion } from '../../model/day-question.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { isAltered } from '../../model/failure.ts'
import {
  type DayLimits,
  type DaySpending,
  isLimitedByDay,
  isUsedUp,
  raised,
  type Spent,
} from '../../model/spending.ts'
import { deliver } from '../inbox/deliver.ts'
import { isStandalone, type Standalones, standaloneOf } from '../inbox/standalones.ts'
import type { Clock } from '../machine/clock.ts'
import { type LocalDay, localDay } from '../machine/local-day.ts'
import type { Runs } from '../runs/runs.ts'
import { apart, type Tell } from '../streams/apart.ts'
import { askAboutDay, dayQuestions, withdrawDayQuestion } from './day-questions.ts'
import { isAnyWaiting } from './day-wait-rows.ts'
import { spentOverAll, spentOverAllUntil } from './spending-rows.ts'
import { endWaiting, wakeWaiting } from './waiting-runs.ts'

export interface DayLimitNeeds {
  readonly journal: Journal
  readonly runs: Runs
  readonly standalones: Standalones
  readonly clock: Clock
  readonly limits: DayLimits
  readonly onBug: Tell
}

export interface DayLimit {
  /** Asks a person where the day is used up. When something may be begun again; null: now. */
  readonly closedUntil: () => Promise<number | null>
  readonly look: () => Promise<DaySpending>
  /** Does what people answered while nobody hosted, and what the config says by now. */
  start(): Promise<void>
  close(): Promise<void>
}

interface Looked {
  readonly day: LocalDay
  readonly spent: Spent
  readonly allowed: DayLimits
  readonly isShut: boolean
  /** The question that is open now, or was answered last, or would be asked next. */
  readonly question: string
  readonly isAsked: boolean
}

export function createDayLimit(needs: DayLimitNeeds): DayLimit {
  const { journal, standalones, clock, limits, onBug } = needs
  /** What was used when a question was answered: the past does not change. */
  const usedAt = new Map<string, Spent>()
  /** What rings at the end of a day that a person lets end. */
  const calledOff = new Map<string, () => void>()
  let last: Promise<void> = Promise.resolve()
  const inTurn = (act: () => Promise<unknown>): Promise<void> => {
    last = last.then(act).then(() => {}, onBug)
    return last
  }

  const usedUntil = async (id: string, span: { since: number; until: number }): Promise<Spent> => {
    const used = usedAt.get(id) ?? (await spentOverAllUntil(needs, span))
    usedAt.set(id, used)
    return used
  }

  /** One whose record was changed allows nothing: the next is asked in its place. */
  const standingOf = async (question: string) => {
    try {
      const state = await standalones.load(question)
      return state === null ? null : dayStanding(state.record)
    } catch (error) {
      if (!isAltered(error)) throw error
      onBug(error)
      return 'altered'
    }
  }

  const look = async (): Promise<Looked> => {
    const day = localDay(clock.now())
    const spent = await spentOverAll(journal, day.startAt)
    if (!isLimitedByDay(limits))
      return { day, spent, allowed: limits, isShut: false, question: '', isAsked: false }
    let allowed = limits
    for (let nth = 0; ; nth++) {
      const question = dayQuestionId(day, limits, nth)
      const standing = await standingOf(question)
      if (standing === 'altered') continue
      if (standing?.kind === 'raised')
        allowed = raised(limits, await usedUntil(question, { since: day.startAt, until: standing.at }))
      if (standing !== null && standing.kind !== 'asked') continue
      return { day, spent, allowed, isShut: isUsedUp(allowed, spent), question, isAsked: standing !== null }
    }
  }

  const ask = async (looked: Looked): Promise<void> => {
    if (!looked.isAsked) await askAboutDay(needs, looked)
  }

  /** Who waits for a day that is not shut any more goes on. */
  const reopen = async (): Promise<number> => ((await look()).isShut ? 0 : wakeWaiting(needs))

  /** Nothing is done until then, so whoever let it wait may take that back and allow more. */
  const waitForEnd = (id: string, { endAt }: LocalDay): void => {
    calledOff.get(id)?.()
    const ring = async (): Promise<void> => {
      await follow(id)
      await settle()
    }
    calledOff.set(
      id,
      clock.alarm(endAt, () => void inTurn(ring)),
    )
  }

  /** What a person answered is done, whenever that is: also again after a crash. */
  const follow = async (id: string): Promise<void> => {
    const state = await standalones.load(id)
    const pick = state === null ? null : dueAnswer(state.record)
    if (state === null || pick === null) return
    const { by, openedAt } = state.record
    const asked = localDay(openedAt)
    if (pick === 'wait' && clock.now() < asked.endAt) return waitForEnd(id, asked)
    const record = (command: Parameters<Standalones['execute']>[1]) => standalones.execute(id, command)
    if ((await deliver(clock, { question: id, session: null, via: 'wait', record })) === null) return
    const count =
      pick === 'raise'
        ? await reopen()
        : pick === 'stop'
          ? await endWaiting(needs, { day: asked, by: by! })
          : 0
    await record({ type: 'decision.act', at: clock.now(), question: id, did: DAY_DEEDS[pick](count) })
    if (pick === 'again') await settle()
  }

  /** The config may say something else than it did when a question was asked, or somebody has taken the question away. */
  const settle = async (): Promise<void> => {
    const looked = await look()
    const isIdle = ({ record }: StandaloneState): boolean =>
      isOpenNow(record, clock.now()) && (!looked.isShut || record.id !== looked.question)
    const idle = (await dayQuestions(needs)).filter(isIdle)
    await apart(idle, ({ record }) => withdrawDayQuestion(needs, record), onBug)
    if (!looked.isShut) await wakeWaiting(needs)
    else if (!looked.isAsked && (await isAnyWaiting(journal))) await ask(looked)
  }

  const unfollow = journal.follow((events) => {
    for (const event of events)
      if (isAnswer(event)) void inTurn(() => follow(standaloneOf(event.stream)))
      else if (isClosing(event) || isUndone(event)) void inTurn(settle)
      // Parked at the very moment at which somebody allowed more.
      else if (isParkedForDay(event)) void inTurn(reopen)
  })

  return {
    closedUntil: async () => {
      if (!isLimitedByDay(limits)) return null
      const looked = await look()
      if (!looked.isShut) return null
      await ask(looked)
      return looked.day.endAt
    },
    look: async () => {
      const { allowed, spent, isShut, day } = await look()
      return { limits: allowed, spent, closedUntil: isShut ? day.endAt : null }
    },
    start: async () => {
      for (const { record } of await dayQuestions(needs)) await inTurn(() => follow(record.question))
      await inTurn(settle)
    },
    close: async () => {
      unfollow()
      await last
      for (const callOff of calledOff.values()) callOff()
    },
  }
}

const isOpenNow = ({ status, expiresAt }: DecisionRecord, now: number): boolean =>
  status === 'open' && (expiresAt ?? now) > now

const isAnswer = (event: StoredEvent): boolean => event.type === 'question.answered' && isAboutDay(event)
const isClosing = (event: StoredEvent): boolean => event.type === 'question.closed' && isAboutDay(event)

const isUndone = (event: StoredEvent): boolean => event.type === 'question.undone' && isAboutDay(event)

const isAboutDay = ({ stream }: StoredEvent): boolean =>
  isStandalone(stream) && isDayQuestion(standaloneOf(stream))

const isParkedForDay = ({ type, data }: StoredEvent): boolean =>
  type === 'attempt.parked' && (data as { readonly reason?: string }).reason === 'day-limit'
