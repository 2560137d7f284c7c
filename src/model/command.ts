/** What may be asked of a run. Time enters here and nowhere else. */
import type { Actor, RawAnswer } from './answer.ts'
import type { DecisionCommand } from './decision-command.ts'
import type { DecisionForm } from './decision-form.ts'
import type { Fact } from './fact.ts'
import type { Fault } from './fault.ts'

/** One dispatch of one agent. What carries an old address is refused as stale. */
export interface Address {
  readonly step: string
  readonly visit: number
  readonly member: number
  readonly attempt: number
}

/** How a member's gate ended, put to a person's work. */
export interface GateResult {
  readonly member: number
  readonly exitCode: number | null
  readonly output: string
  readonly commit: string | null
  readonly diffstat: string
}

export type RunCommand =
  | {
      readonly type: 'run.start'
      readonly at: number
      readonly run: string
      readonly vars: Readonly<Record<string, string>>
      /** What is known of it before anything happens: where it works, for one. */
      readonly facts: readonly Fact[]
    }
  | (Address & { readonly type: 'attempt.begin'; readonly at: number; readonly session: string | null })
  /** Nobody was at work on it from `since` until now: that does not count. */
  | (Address & { readonly type: 'attempt.resume'; readonly at: number; readonly since: number })
  | (Address & { readonly type: 'attempt.answer'; readonly at: number; readonly given: RawAnswer })
  | (Address & {
      readonly type: 'attempt.fault'
      readonly at: number
      readonly fault: Exclude<Fault, 'expired' | 'invalid'>
      readonly detail: string
    })
  /** A usage limit: wait until it resets; not a failure. */
  | (Address & {
      readonly type: 'attempt.park'
      readonly at: number
      readonly until: number
      /** What all runs may use in a day is used up; left out: a limit of its model. */
      readonly reason?: 'day-limit'
    })
  /** What it is parked for has come early. */
  | (Address & { readonly type: 'attempt.wake'; readonly at: number })
  | (Address & {
      readonly type: 'attempt.use'
      readonly at: number
      /** Null: the agent gives no price. */
      readonly costUsd: number | null
      readonly tokens: number
    })
  /** The agent puts a question to a person. */
  | (Address & {
      readonly type: 'attempt.ask'
      readonly at: number
      readonly payload: unknown
      /** Of the agent's protocol; an agent that asks otherwise has none. */
      readonly form?: DecisionForm
    })
  /** These words of people go with its prompt. */
  | (Address & { readonly type: 'attempt.tell'; readonly at: number; readonly words: readonly string[] })
  | (Address & {
      readonly type: 'gate.report'
      readonly at: number
      readonly exitCode: number | null
      readonly output: string
      readonly commit: string | null
      readonly diffstat: string
      readonly beside?: readonly string[]
      readonly redefined?: readonly string[]
    })
  /** It wrote where it may not, and that was undone. */
  | (Address & {
      readonly type: 'attempt.trespass'
      readonly at: number
      readonly files: readonly string[]
      /** What the judge said of it. Left out where it lay outside what the agent may write. */
      readonly words?: string
    })
  | {
      readonly type: 'check.report'
      readonly at: number
      readonly step: string
      readonly visit: number
      /** Null: it did not run to its end. */
      readonly exitCode: number | null
      readonly output: string
      readonly timedOut: boolean
      /** The commit it speaks of; left out where there was none to look at. */
      readonly commit?: string
      readonly beside?: readonly string[]
      readonly redefined?: readonly string[]
    }
  | {
      readonly type: 'context.report'
      readonly at: number
      readonly step: string
      readonly visit: number
      readonly items: Readonly<Record<string, string>>
      readonly seen?: string
    }
  /** As the step's contract, or an agent's own question, takes it; `decision.answer` is put into these words. */
  | {
      readonly type: 'question.answer'
      readonly at: number
      readonly question: string
      readonly by: Actor
      /** `@retry`, `@stop`, or null where `given` answers the step's own question. */
      readonly extra: '@retry' | '@stop' | null
      readonly given: RawAnswer
      readonly note: string
      readonly edited?: string
      readonly batch?: string
      /** For how long it can be taken back before anything comes of it; left out: not at all. */
      readonly holdMs?: number
    }
  | { readonly type: 'decision.undo'; readonly at: number; readonly question: string; readonly by: Actor }
  | Extract<DecisionCommand, { type: 'decision.deliver' }>
  | { readonly type: 'time.pass'; readonly at: number }
  /** Something that no rule depends on. */
  | { readonly type: 'run.record'; readonly at: number; readonly facts: readonly Fact[] }
  | {
      readonly type: 'run.move'
      readonly at: number
      readonly to: string
      readonly by: Actor
      readonly reason: string
    }
  | { readonly type: 'run.retry'; readonly at: number; readonly by: Actor; readonly reason: string }
  /** A person works at it by hand from here on. */
  | { readonly type: 'run.take'; readonly at: number; readonly by: Actor; readonly reason: string }
  | {
      readonly type: 'run.resume'
      readonly at: number
      readonly by: Actor
      /** `back`: whoever was at work goes on; `answered`: what the person did is the step's work. */
      readonly how: 'back' | 'answered'
      readonly given: RawAnswer
      readonly note: string
      /** What they changed, by file. */
      readonly changes: string
      readonly gates: readonly GateResult[]
    }
  /** A person speaks to the agents at work, or to the next one. */
  | { readonly type: 'run.say'; readonly at: number; readonly by: Actor; readonly text: string }
  | { readonly type: 'run.cancel'; readonly at: number; readonly by: Actor; readonly reason: string }
  | {
      readonly type: 'run.extend'
      readonly at: number
      readonly budget: string
      readonly amount: number
      readonly by: Actor
      readonly reason: string
    }
