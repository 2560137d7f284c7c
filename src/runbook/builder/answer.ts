/**
 * How a step is answered, in one of five forms: `next` (nothing is asked), `next` with the values of one field,
 * `options` (one question), `asks` with `when` (a decision table) and `ask` with `routes` (a question made with
 * `question()`).
 */
import type { At, DeclaredNames, MapAt } from './names.ts'
import type { OptionWords, Question, QuestionOf, WrittenField } from './question.ts'
import type { RouteOf } from './route.ts'
import type { NextByValue, RowName, RowsOf, SubjectsOf, ValueNames } from './table.ts'

/** `H`: the handoffs of the flow. `Beside`: what an option may hold beside its words and its route. */
export type AnswerOf<S, N extends DeclaredNames, H, Beside = unknown> = S extends { readonly ask: infer Q }
  ? AnswerToQuestion<Q, MapAt<S, 'routes'>, N, Beside>
  : S extends { readonly when: infer Rows }
    ? AnswerByTable<At<S, 'asks'>, RowsOf<Rows, SubjectsOf<S, H>, N>, RowName<Rows>>
    : S extends { readonly options: unknown }
      ? AnswerByOptions<MapAt<S, 'options'>, N, Beside>
      : S extends { readonly next: infer Next extends object }
        ? AnswerByValue<At<S, 'asks'>, NextByValue<Next, SubjectsOf<S, H>, N>, ValueNames<Next>>
        : AnswerByNext<N['target']>

interface AnswerToQuestion<Q, Routes, N extends DeclaredNames, Beside> {
  /** A question made with `question()`: its variable, options and fields. */
  readonly ask: QuestionOf<Q>
  /** Where each of its options leads. */
  readonly routes: { readonly [O in keyof At<Q, 'options'>]: RouteOf<At<Routes, O & string>, N, Beside> }
}

export interface AnswerByOptions<O, N extends DeclaredNames, Beside> {
  /** The name of the variable the answer sets. `decision` when left out. */
  readonly asks?: string
  /** The answers, best first, each with where it leads. */
  readonly options: OptionsOf<O, N, Beside>
  /** What the answer carries beside the choice. */
  readonly fields?: Fields<keyof O & string>
}

export type OptionsOf<O, N extends DeclaredNames, Beside = unknown> = {
  readonly [K in keyof O]: RouteOf<O[K], N, OptionWords & Beside>
}

interface TableKeys<Asks> {
  /** The variables of a decision table, each with its options. */
  readonly asks?: Readonly<Record<string, Variable>>
  /** Variables of the decision table that an answer may leave out; their value is then `absent`. */
  readonly optional?: readonly (keyof Asks)[]
}

interface AnswerByTable<Asks, Rows, Name extends string> extends TableKeys<Asks> {
  /** The decision table, first fitting row wins. */
  readonly when: Rows
  /** What the answer carries beside the choice. */
  readonly fields?: Fields<Name>
}

interface AnswerByValue<Asks, Next, Name extends string> extends TableKeys<Asks> {
  /** Where it leads when the work is done; or, by the value of one field, where each value leads. */
  readonly next: Next
  /** What the answer carries beside the choice. */
  readonly fields?: Fields<Name>
}

type Variable = readonly [string, string, ...string[]] | Readonly<Record<string, string | OptionWords>>

interface AnswerByNext<Target> {
  /** Where it leads when the work is done. For steps that ask nothing. */
  readonly next: Target
  /** What the answer carries beside the choice. */
  readonly fields?: Fields<'done'>
  // Only so that an editor offers them: where one is written, another of these forms is meant.
  readonly asks?: 'Write `asks` with `options`, or with `when`'
  readonly options?: never
  readonly when?: never
  readonly ask?: Question
}

type Fields<Outcome extends string> = Readonly<Record<string, WrittenField<Outcome>>>

/** Every outcome the step can have, as `required_for` and the `for` of a gate name them. */
export type OutcomeOf<S> = S extends { readonly ask: { readonly options: infer O } }
  ? keyof O & string
  : S extends { readonly when: infer Rows }
    ? RowName<Rows>
    : S extends { readonly options: infer O }
      ? keyof O & string
      : S extends { readonly next: infer Next extends object }
        ? ValueNames<Next>
        : 'done'

/** The fields of type findings: what a step can settle on. */
export type FindingsOf<S> = FindingsIn<At<S extends { readonly ask: infer Q } ? Q : S, 'fields'>>

type FindingsIn<F> = {
  [K in keyof F]: F[K] extends 'findings' | { readonly type: 'findings' } ? K : never
}[keyof F]
