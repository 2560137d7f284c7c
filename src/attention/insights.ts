/**
 * What the record says about asking and answering: whether recommendations can be trusted, how long people let things
 * lie, what a run costs them. Answers by policies are counted apart: they would only confirm what they were made from.
 */
import type { DecisionRow, DecisionStatus } from '../model/decision-record.ts'
import { type Calibration, type CalibrationGroup, calibrationBy, calibrationOf } from './calibration.ts'

export interface Insights {
  readonly decisions: number
  readonly byPerson: number
  readonly byPolicy: number
  readonly ended: Readonly<Record<Ending, number>>
  /** Answered by a person as the asker would have done alone: sure of it, and able to undo it. */
  readonly overAsked: number
  readonly timeToAnswer: Spread
  readonly calibration: {
    readonly all: Calibration
    readonly agents: readonly CalibrationGroup[]
    readonly programs: readonly CalibrationGroup[]
    readonly models: readonly CalibrationGroup[]
    readonly kinds: readonly CalibrationGroup[]
  }
  readonly runs: {
    readonly finished: number
    /** Of people, for each finished run: see `attentionOf`. */
    readonly attention: Spread & { readonly meanMs: number | null }
    readonly questions: readonly QuestionLoad[]
  }
}

type Ending = Extract<DecisionStatus, 'open' | 'expired' | 'withdrawn' | 'superseded' | 'undeliverable'>
const ENDINGS: readonly Ending[] = ['open', 'expired', 'withdrawn', 'superseded', 'undeliverable']

export interface Spread {
  /** Null where there is nothing to tell of. */
  readonly medianMs: number | null
  readonly p90Ms: number | null
}

/** What is needed of a run's line. */
export interface InsightRun {
  readonly run: string
  readonly name: string
  /** The digest of its program. */
  readonly program: string
  readonly status: string
  readonly extended: boolean
  readonly totals: { readonly flowQuestions: number; readonly agentQuestions: number }
}

/** Questions of the finished runs of one program, against what was proved of it. */
export interface QuestionLoad {
  readonly name: string
  readonly program: string
  readonly runs: number
  readonly mean: number
  readonly most: number
  /** Of a run that nobody extends; null where it is not known. */
  readonly bound: number | null
  /** Runs that people extended: the bound does not speak of them. */
  readonly extended: number
}

export interface InsightSource {
  readonly decisions: readonly DecisionRow[]
  readonly runs: readonly InsightRun[]
  /** The most questions a run of this program can ask. */
  readonly boundOf: (program: string) => number | null
}

/** Sure enough that asking was not needed. */
const SURE = 0.9
/** Nobody is taken to look at one question for longer; the rest is waiting. */
const MOST_ATTENTION_MS = 5 * 60_000

export function insightsOf({ decisions, runs, boundOf }: InsightSource): Insights {
  const byPeople = decisions.filter(({ by }) => by?.kind === 'person')
  const waits = byPeople.flatMap((row) => (row.answeredAt === null ? [] : [row.answeredAt - row.openedAt]))
  const finished = runs.filter(({ status }) => status === 'ended')
  const attention = attentionOf(byPeople)
  const seen = finished.map(({ run }) => attention.get(run) ?? 0)
  return {
    decisions: decisions.length,
    byPerson: byPeople.length,
    byPolicy: decisions.filter(({ by }) => by?.kind === 'policy').length,
    ended: Object.fromEntries(
      ENDINGS.map((ending) => [ending, decisions.filter(({ status }) => status === ending).length]),
    ) as Record<Ending, number>,
    overAsked: byPeople.filter(isOverAsked).length,
    timeToAnswer: spreadOf(waits),
    calibration: {
      all: calibrationOf(byPeople),
      agents: calibrationBy(byPeople, ({ asker }) => asker?.agent ?? ''),
      programs: calibrationBy(byPeople, ({ asker }) => asker?.program ?? ''),
      models: calibrationBy(byPeople, ({ asker }) => asker?.model ?? ''),
      kinds: calibrationBy(byPeople, ({ kind }) => kind),
    },
    runs: {
      finished: finished.length,
      attention: { ...spreadOf(seen), meanMs: meanOf(seen) },
      questions: loadsOf(finished, boundOf),
    },
  }
}

/**
 * How long people can have been busy with each run's questions, at most: nobody sees when they look. One person does
 * one thing at a time, so it counts from when the question opened or when they last answered anything, whichever is
 * later, and never more than five minutes a question. Answers given with one stroke count once.
 */
function attentionOf(answers: readonly DecisionRow[]): Map<string, number> {
  const byRun = new Map<string, number>()
  const freeAt = new Map<string, number>()
  const inOrder = [...answers].sort((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0))
  for (const { by, run, openedAt, answeredAt } of inOrder) {
    if (by?.kind !== 'person' || answeredAt === null) continue
    const began = Math.max(openedAt, freeAt.get(by.name) ?? 0)
    freeAt.set(by.name, answeredAt)
    if (run !== null) byRun.set(run, (byRun.get(run) ?? 0) + Math.min(answeredAt - began, MOST_ATTENTION_MS))
  }
  return byRun
}

function isOverAsked({ pick, recommended, options }: DecisionRow): boolean {
  const option = options.find(({ key }) => key === pick)
  return option !== undefined && pick === recommended && option.reversible && (option.confidence ?? 0) >= SURE
}

function loadsOf(finished: readonly InsightRun[], boundOf: InsightSource['boundOf']): QuestionLoad[] {
  const byProgram = new Map<string, InsightRun[]>()
  for (const run of finished) {
    const group = byProgram.get(run.program)
    if (group === undefined) byProgram.set(run.program, [run])
    else group.push(run)
  }
  return [...byProgram].map(([program, group]) => {
    const asked = group
      .filter(({ extended }) => !extended)
      .map(({ totals }) => totals.flowQuestions + totals.agentQuestions)
    return {
      name: group[0]!.name,
      program,
      runs: group.length,
      mean: meanOf(asked) ?? 0,
      most: asked.reduce((most, count) => Math.max(most, count), 0),
      bound: boundOf(program),
      extended: group.length - asked.length,
    }
  })
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  // The value that so many of a hundred do not exceed, one that really occurred.
  const at = (percent: number): number | null =>
    sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null
  return { medianMs: at(50), p90Ms: at(90) }
}
