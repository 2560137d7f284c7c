/** A runbook as it should be written, given the names that this one declares. */
import type { Fault } from '../../model/fault.ts'
import type { WrittenDeadline } from './deadline.ts'
import type { At, DeclaredNames, MapAt } from './names.ts'
import type { OptionWords, WrittenField } from './question.ts'
import type { FaultRoutesOf } from './route.ts'
import type { StepOf } from './step.ts'
import type { Duration, WrittenAgent } from './work.ts'

export type WrittenOf<R> = Written<
  R,
  DeclaredNames<
    keyof At<R, 'steps'> & string,
    keyof At<R, 'ends'> & string,
    keyof At<R, 'budgets'> & string,
    keyof At<R, 'agents'> & string,
    keyof At<R, 'handoffs'> & string,
    keyof At<R, 'templates'> & string,
    keyof At<R, 'counters'> & string
  >
>

interface Written<R, N extends DeclaredNames> {
  /** The name of the flow. */
  readonly name?: string
  /** What it is for. */
  readonly description?: string
  /** Nobody watches while it runs: check-ins are off, and questions should have deadlines. */
  readonly unattended?: boolean
  /** The first step. The first one written by default. */
  readonly start?: N['step']
  /** What a run is given: `${var.NAME}`. */
  readonly vars?: Readonly<Record<string, Scalar | Var>>
  /** Limits of a run. Beyond them its agents end as `over_budget`. */
  readonly limits?: Limits
  /** Shared by the whole run and never refilled. `interventions` (3) pays for retries by a person. */
  readonly budgets?: Readonly<Record<string, number>>
  /** Counts that several routes share, with `count: NAME`. They start again when a budget is spent. */
  readonly counters?: Readonly<Record<string, number | Counter<N['step']>>>
  /** The agents of this flow. */
  readonly agents?: Readonly<Record<string, WrittenAgent<N>>>
  /** Kinds of decision. The eight that ship can be replaced by name. */
  readonly templates?: Readonly<Record<string, Template>>
  /** Named, versioned records that steps give and later steps read as `${steps.NAME.FIELD}`. */
  readonly handoffs?: Readonly<Record<string, Handoff>>
  /** Routes of faults for all steps that do not say their own. */
  readonly on?: FaultRoutesOf<At<R, 'on'>, Fault, N>
  /** The deadline of every question of this flow: of its decide steps that do not say their own, of its agents, and of what went wrong, which is reminded of and never expires. Its `hours` count for ladders of steps, too. */
  readonly deadline?: WrittenDeadline
  /** What makes a fresh worktree usable. It is the first step of a run: `done`, or `failed` with any exit code but 0. */
  readonly setup?: string | Setup<FaultRoutesOf<At<At<R, 'setup'>, 'on'>, 'failed' | 'timed_out', N>>
  /** The steps, in order. */
  readonly steps: StepsOf<MapAt<R, 'steps'>, N, At<R, 'handoffs'>>
  /** Ends beside `done` and `abandoned`. */
  readonly ends?: Readonly<Record<string, string | End>>
}

type StepsOf<S, N extends DeclaredNames, H> = { readonly [K in keyof S]: StepOf<S[K], N, H> }

type Scalar = string | number | boolean

interface Var {
  /** What it is. */
  readonly say?: string
  /** A run cannot start without it. */
  readonly required?: boolean
  /** Its value when none is given. */
  readonly default?: Scalar
}

interface Limits {
  /** In US dollars. */
  readonly cost?: number
  /** In tokens. */
  readonly tokens?: number
}

interface Counter<Step> {
  /** How often all its routes together may be taken. */
  readonly max: number
  /** A step: the count starts again whenever a route that does not count leads there, so each entry into a loop has its own rounds. */
  readonly per?: Step
}

interface Setup<On> {
  /**
   * The command, or several in one shell, so `cd` and `export` last. Each is a command of its own: the first that fails
   * ends the setup, and so does an `exit` in any of them, with its code; among several `set -e` has no effect.
   */
  readonly run: string | readonly string[]
  /**
   * The files it depends on, as globs from the root of the repository. Recorded; this version runs it in every fresh
   * worktree.
   */
  readonly needs?: readonly string[]
  /** How long it may take. */
  readonly time?: Duration
  /** Where its faults lead. */
  readonly on?: On
}

interface Template {
  /** What a question of this kind should say. */
  readonly prompt_hint?: string
  /** The context a question of this kind must bring. */
  readonly required_context?: readonly string[]
  /** Its options, unless the question brings its own. */
  readonly options?: Readonly<Record<string, string | OptionWords>>
}

interface Handoff {
  /** Counts up when the fields change. */
  readonly version?: number
  /** What it holds. */
  readonly fields: Readonly<Record<string, WrittenField<'any'>>>
  /** Notes alone will do when the nudges are used up. */
  readonly partial?: boolean
  /** What the next step is told when there is neither. Without it a missing handoff is `invalid`. */
  readonly fallback?: string
}

interface End {
  /** What it means. */
  readonly say?: string
  /** Whether the run counts as a success. Not by default. */
  readonly success?: boolean
}
