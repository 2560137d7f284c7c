/** The state of a run: what its events add up to. Plain data; small, because it is folded often. */
import type { Actor, Answer, Finding } from '../model/answer.ts'
import type { Decision } from '../model/decision.ts'
import type { Cause, EventOf } from '../model/event.ts'
import type { Fault } from '../model/fault.ts'
import { NOTHING_USED, type TurnUsage } from '../model/plausible-usage.ts'
import type { StepKind } from '../model/program.ts'

export interface RunState {
  /** How many events made it. */
  readonly version: number
  readonly status: 'new' | 'running' | 'ended'
  readonly run: string
  readonly vars: Readonly<Record<string, string>>
  readonly budgets: Readonly<Record<string, number>>
  readonly counters: Readonly<Record<string, number>>
  /** How often each step was entered; an entry that was taken back does not count. */
  readonly visits: Readonly<Record<string, number>>
  /** The number of a step's latest visit, where it is not its count: no number is given twice. */
  readonly numbers: Readonly<Record<string, number>>
  readonly totals: Totals
  readonly limits: { readonly costUsd: number | null; readonly tokens: number | null }
  /** What was used without a price counts among the tokens, and is told beside the cost. */
  readonly usage: { readonly costUsd: number; readonly tokens: number; readonly unpriced: number }
  readonly current: Visit | null
  /** What each step's latest visit came to. */
  readonly records: Readonly<Record<string, StepRecord>>
  /** The step whose outcome led here. */
  readonly cameFrom: string | null
  readonly findings: Readonly<Record<string, readonly Finding[]>>
  /** A person changed the course or a budget: the certificate no longer speaks of this run. */
  readonly extended: boolean
  /** Who answered what, latest first, so that a second answer can be told who was first. */
  readonly answered: AnsweredQuestion | null
  /** The run as it was before the flow's own question was answered, for as long as nothing has begun since. */
  readonly undo: { readonly question: string; readonly state: RunState } | null
  /** Who works at it by hand, and since when; then nobody else does. */
  readonly taken: { readonly by: Actor; readonly at: number } | null
  /** How often it was given back: what was to be done before is done anew. */
  readonly resumes: number
  /** What people said while no agent could hear it: told to the next one. */
  readonly words: readonly Word[]
  /** How often somebody said something, which is what names it. */
  readonly said: number
  readonly end: string | null
}

/** Something a person said to the agents of a run. */
export interface Word {
  readonly id: string
  readonly text: string
  readonly by: Actor
  readonly at: number
}

/** One that a member has been told, or has yet to be. */
export interface WordToTell extends Word {
  /** The attempt and turn it was told with; null while it was not. */
  readonly told: string | null
}

/** A chain, because it only ever grows at one end and is hardly ever read. */
export interface AnsweredQuestion {
  readonly question: string
  readonly by: Actor
  readonly pick: string
  readonly before: AnsweredQuestion | null
}

export interface Totals {
  readonly visits: number
  readonly dispatches: number
  readonly flowQuestions: number
  readonly agentQuestions: number
}

export interface Visit {
  readonly step: string
  readonly kind: StepKind
  readonly number: number
  readonly enteredAt: number
  readonly phase: 'working' | 'gathering' | 'asking'
  readonly members: readonly MemberState[]
  /** The flow's own question to a person, while it is open. */
  readonly question: OpenQuestion | null
  /** Questions of the flow so far in this visit. */
  readonly asked: number
  readonly context: Readonly<Record<string, string>>
}

export interface MemberState {
  readonly status: 'working' | 'gating' | 'parked' | 'answered' | 'faulted'
  readonly attempt: number
  /** Prompts so far in this attempt: an answered question of its own is told in a new one. */
  readonly turn: number
  readonly nudges: number
  readonly returns: number
  readonly holds: number
  readonly raised: number
  readonly session: string | null
  /** Why it was sent back, or what it was answered; part of the next prompt. */
  readonly message: string
  readonly answer: Answer | null
  readonly fault: Fault | null
  readonly detail: string
  readonly question: OpenQuestion | null
  readonly parkedUntil: number | null
  /** Null also where a limit of its model parked it. */
  readonly parkedFor: 'day-limit' | null
  /** Since when its clock runs; null while it waits for a person, a gate or a usage limit. */
  readonly runningSince: number | null
  readonly workedMs: number
  /** When it last met a person or was last held back for not doing so. */
  readonly metAt: number | null
  /** It met a usage limit in this visit: nothing holds it back any more. */
  readonly limited: boolean
  /** What it was told to have used in a turn; see `turnUsageOf`. */
  readonly used: TurnUsage & { readonly turn: number; readonly attempt: number }
  /** What people said to it in this visit. */
  readonly words: readonly WordToTell[]
  /** As it was before its question was answered, for as long as it has not got the answer. */
  readonly undo: MemberState | null
}

export interface OpenQuestion {
  readonly id: string
  readonly cause: Cause
  readonly openedAt: number
  readonly reminders: number
  readonly fault: Fault | null
  readonly detail: string
  readonly proposal: Answer | null
  /** What an agent asks; null for the flow's own questions. */
  readonly decision: Decision | null
  /** An answer that does not count yet, and can be taken back. */
  readonly held: HeldAnswer | null
}

export type HeldAnswer = Omit<EventOf<'answer.held'>, 'type' | 'at' | 'question'>

export interface StepRecord {
  readonly visit: number
  readonly outcome: string
  readonly answer: Answer | null
  readonly detail: string
  readonly by: Actor
  readonly at: number
  /** What the advisers of a panel answered, by name. */
  readonly advice?: Readonly<Record<string, Answer>>
}

export const NEW_RUN: RunState = {
  version: 0,
  status: 'new',
  run: '',
  vars: {},
  budgets: {},
  counters: {},
  visits: {},
  numbers: {},
  totals: { visits: 0, dispatches: 0, flowQuestions: 0, agentQuestions: 0 },
  limits: { costUsd: null, tokens: null },
  usage: { costUsd: 0, tokens: 0, unpriced: 0 },
  current: null,
  records: {},
  cameFrom: null,
  findings: {},
  extended: false,
  answered: null,
  undo: null,
  taken: null,
  resumes: 0,
  words: [],
  said: 0,
  end: null,
}

export const FRESH_MEMBER: MemberState = {
  status: 'working',
  attempt: 1,
  turn: 1,
  nudges: 0,
  returns: 0,
  holds: 0,
  raised: 0,
  session: null,
  message: '',
  answer: null,
  fault: null,
  detail: '',
  question: null,
  parkedUntil: null,
  parkedFor: null,
  runningSince: null,
  workedMs: 0,
  metAt: null,
  limited: false,
  used: { turn: 1, attempt: 1, ...NOTHING_USED },
  words: [],
  undo: null,
}

/** In the turn it is in. */
export const turnUsageOf = ({ used, turn, attempt }: MemberState): TurnUsage =>
  used.turn === turn && used.attempt === attempt ? used : NOTHING_USED
