/** What has happened in a run. Facts only: everything a reader needs is in the event, and no rule is left to it. */
import type { Actor, Answer, FieldValue, Finding, RawAnswer, Validity } from './answer.ts'
import type { Decision } from './decision.ts'
import type { Fact } from './fact.ts'
import type { Fault } from './fault.ts'
import type { DoubtedUsage } from './plausible-usage.ts'
import type { StepKind } from './program.ts'

/** What following a route cost. */
export interface Paid {
  /** The counter that went up. */
  readonly counted: string | null
  /** The budget that went down. */
  readonly spent: string | null
  /** The scope whose counters start again; empty for all, null for none. */
  readonly pass: string | null
  /** Counters that start again because their loop was entered anew. Left out where there are none. */
  readonly restarted?: readonly string[]
  /** The scope whose steps' words are forgotten, but for the step that was left. */
  readonly forgets?: string
}

export interface Evidence {
  readonly exitCode: number | null
  readonly output: string
  readonly commit: string | null
  /** What the run has changed since its base. */
  readonly diffstat: string
  /** Files that git ignores, beside which it ran: whoever worked there could have written them. Left out where there were none. */
  readonly beside?: readonly string[]
  /** Files that say what the command runs, and that the run has changed. Left out where there are none. */
  readonly redefined?: readonly string[]
}

/** Why a question lies with a person. */
export type Cause = 'step' | 'fault' | 'proposal' | 'unrouted' | 'agent'

export type RunEvent =
  | Fact
  | {
      readonly type: 'run.started'
      readonly at: number
      readonly run: string
      readonly program: string
      readonly vars: Readonly<Record<string, string>>
      readonly budgets: Readonly<Record<string, number>>
      readonly limits: { readonly costUsd: number | null; readonly tokens: number | null }
    }
  | {
      readonly type: 'visit.entered'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly kind: StepKind
      readonly members: number
      /** A person must be shown what commands find first. */
      readonly gathers: boolean
    }
  | {
      readonly type: 'attempt.began'
      readonly at: number
      readonly member: number
      readonly session: string | null
    }
  /** The time since then does not count as working time. */
  | { readonly type: 'attempt.resumed'; readonly at: number; readonly member: number; readonly since: number }
  | {
      readonly type: 'attempt.parked'
      readonly at: number
      readonly member: number
      readonly until: number
      /** What all runs may use in a day is used up; left out: a limit of its model. */
      readonly reason?: 'day-limit'
    }
  | {
      readonly type: 'attempt.woken'
      readonly at: number
      readonly member: number
      /** What it was parked for, as there. */
      readonly reason?: 'day-limit'
    }
  | {
      readonly type: 'usage.recorded'
      readonly at: number
      readonly member: number
      /** Null: the agent gives no price. */
      readonly costUsd: number | null
      readonly tokens: number
      /** What was said beyond what a turn can use. Left out where all of it is believed. */
      readonly doubted?: DoubtedUsage
      /** The attempt it was used in is over. */
      readonly late?: true
    }
  | {
      readonly type: 'answer.refused'
      readonly at: number
      readonly member: number
      readonly validity: Validity
      readonly given: RawAnswer
      /** Sent back to the agent: contract, given, example. */
      readonly message: string
    }
  | { readonly type: 'signal.held'; readonly at: number; readonly member: number; readonly message: string }
  /** Its answer is not taken yet: it is told first what a person said meanwhile. */
  | {
      readonly type: 'answer.deferred'
      readonly at: number
      readonly member: number
      readonly message: string
    }
  | {
      readonly type: 'word.said'
      readonly at: number
      readonly word: string
      readonly by: Actor
      readonly text: string
      /** The members of the visit that are told it; empty: kept for the next agent of the run. */
      readonly members: readonly number[]
    }
  /** Recorded before its prompt is on its way: it may come twice after a crash. */
  | {
      readonly type: 'word.told'
      readonly at: number
      readonly member: number
      readonly words: readonly string[]
    }
  | {
      readonly type: 'answer.given'
      readonly at: number
      readonly member: number
      readonly answer: Answer
      readonly gated: boolean
    }
  | {
      readonly type: 'gate.passed'
      readonly at: number
      readonly member: number
      readonly evidence: Evidence
    }
  | {
      readonly type: 'gate.failed'
      readonly at: number
      readonly member: number
      readonly evidence: Evidence
      readonly message: string
    }
  | {
      readonly type: 'member.faulted'
      readonly at: number
      readonly member: number
      readonly fault: Fault
      readonly detail: string
      /** Nobody prompted it for this attempt: its dispatch, counted when it was due, did not take place. */
      readonly unprompted?: true
    }
  | { readonly type: 'check.reported'; readonly at: number; readonly evidence: Evidence }
  | {
      readonly type: 'context.gathered'
      readonly at: number
      readonly items: Readonly<Record<string, string>>
      /** The content of the worktree that was looked at. */
      readonly seen?: string
    }
  | {
      readonly type: 'question.opened'
      readonly at: number
      readonly question: string
      readonly cause: Cause
      /** The agent that raised it; null for the flow's own questions. */
      readonly member: number | null
      readonly fault: Fault | null
      readonly detail: string
      /** What an agent proposes. */
      readonly proposal: Answer | null
      /** What an agent asks. */
      readonly decision: Decision | null
      /** The route that put it to a person, and what following it cost. */
      readonly route: { readonly outcome: string; readonly arm: number } | null
      readonly paid: Paid | null
    }
  | {
      readonly type: 'question.reminded'
      readonly at: number
      readonly question: string
      /** Whom it lies with from now on: a person, or a group with its @. Left out where that stays as it is. */
      readonly to?: string
    }
  | {
      readonly type: 'question.answered'
      readonly at: number
      readonly question: string
      readonly by: Actor
      readonly pick: string
      readonly note: string
      /** What the option means, in the words of whoever picked it; what the agent wrote stays in its decision. */
      readonly edited?: string
      /** What a person filled in; left out where the decision has no form. */
      readonly fields?: Readonly<Record<string, FieldValue>>
      /** Answers given with one stroke, and undone with one. */
      readonly batch?: string
    }
  /** An answer that counts only from then on: until then it can be taken back, and nothing comes of it. */
  | {
      readonly type: 'answer.held'
      readonly at: number
      readonly question: string
      readonly until: number
      readonly by: Actor
      readonly pick: string
      readonly note: string
      readonly edited?: string
      readonly batch?: string
      /** As a run takes it; outside any it says nothing. */
      readonly extra: '@retry' | '@stop' | null
      readonly given: RawAnswer
    }
  /** The answer is taken back, and the question is open as it was. */
  | { readonly type: 'question.undone'; readonly at: number; readonly question: string; readonly by: Actor }
  | {
      readonly type: 'question.closed'
      readonly at: number
      readonly question: string
      readonly reason: 'expired' | 'withdrawn' | 'superseded'
      /** Why, in the words of whoever closed it. */
      readonly note?: string
    }
  | {
      readonly type: 'visit.left'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly outcome: string
      readonly answer: Answer | null
      readonly detail: string
      readonly by: Actor
      /** Index of the arm taken, and where it leads, for "why did it go there". */
      readonly arm: number
      readonly to: string
      readonly settled: boolean
      /** The step whose outcome the next one is told. */
      readonly tells: string | null
      /** All findings known at this step, where it settles on them. */
      readonly findings: readonly Finding[] | null
      /** What the advisers of a panel answered, by name. */
      readonly advice?: Readonly<Record<string, Answer>>
      readonly paid: Paid
    }
  | {
      readonly type: 'run.moved'
      readonly at: number
      readonly from: string
      readonly to: string
      /** The step whose outcome the next one is told. */
      readonly tells: string | null
      readonly by: Actor
      readonly reason: string
      /** Where a step only begins again: the visit that is over, and what went wrong in it. Left out by older journals. */
      readonly again?: { readonly visit: number; readonly detail: string }
    }
  /** A person works at it by hand; nothing else happens until they are done. */
  | { readonly type: 'run.taken'; readonly at: number; readonly by: Actor; readonly reason: string }
  | {
      readonly type: 'run.resumed'
      readonly at: number
      readonly by: Actor
      readonly how: 'back' | 'answered'
    }
  | {
      readonly type: 'budget.extended'
      readonly at: number
      readonly budget: string
      readonly amount: number
      readonly by: Actor
      readonly reason: string
    }
  | {
      readonly type: 'run.ended'
      readonly at: number
      readonly end: string
      readonly success: boolean
      readonly by: Actor
      readonly reason: string
    }

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>

/** An event in the life of one question. */
export type QuestionEvent = Extract<RunEvent, { readonly question: string }>
