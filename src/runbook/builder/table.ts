/**
 * Decision tables: what rows may name (variables, and fields that are a choice or a boolean, of the answer or of its
 * handoff), with the values of each, and what the rows themselves are called.
 */
import type { At, DeclaredNames } from './names.ts'
import type { RouteObjectOf, RouteOf } from './route.ts'

/** Name → its values, `absent` among them where an answer may leave it out. `H`: the handoffs of the flow. */
export type SubjectsOf<S, H> = VariablesOf<At<S, 'asks'>, At<S, 'optional'>> &
  FieldsOf<At<S, 'fields'>> &
  (S extends { readonly gives: infer Name extends string } ? HandedBy<At<H, Name>> : unknown)

type VariablesOf<Asks, Optional> = Asks extends string
  ? unknown
  : { readonly [V in keyof Asks]: ValueOf<Asks[V]> | (V extends ItemOf<Optional> ? 'absent' : never) }

type ValueOf<V> = V extends readonly (infer Value)[] ? Value : keyof V
type ItemOf<L> = L extends readonly (infer Item)[] ? Item : never

type FieldsOf<F> = {
  readonly [K in keyof F as Closed<F[K]> extends never ? never : K]: Closed<F[K]> | Absence<F[K]>
}

type HandedBy<Handoff> = {
  readonly [K in keyof At<Handoff, 'fields'> as Closed<At<Handoff, 'fields'>[K]> extends never ? never : K]:
    | Closed<At<Handoff, 'fields'>[K]>
    | (Handoff extends { readonly partial: true } | { readonly fallback: string }
        ? 'absent'
        : Absence<At<Handoff, 'fields'>[K]>)
}

/** The values of a field that has only so many. */
type Closed<F> = F extends 'boolean' | { readonly type: 'boolean' }
  ? boolean
  : F extends { readonly type: 'choice'; readonly choices: readonly (infer Choice)[] }
    ? Choice
    : never

type Absence<F> = F extends { readonly required: true } ? never : 'absent'

export type RowsOf<Rows, Subjects, N extends DeclaredNames> = Rows extends readonly unknown[]
  ? { readonly [I in keyof Rows]: RouteObjectOf<Rows[I], N> & RowKeys<Subjects> }
  : readonly []

interface RowKeys<Subjects> {
  /** Its name, as an outcome of the step. `row-1`, `row-2`, … by default. */
  readonly name?: string
  /** Variable, or field of the answer or its handoff that is a choice or a boolean → value. `absent` is the value of what an answer may leave out. What is not named may have any value; no `if` at all fits everything. */
  readonly if?: ConditionsOf<Subjects>
}

type ConditionsOf<Subjects> = [keyof Subjects] extends [never]
  ? 'Nothing decides here: write asks: { … }, or a field that is a choice or a boolean'
  : { readonly [V in keyof Subjects]?: Subjects[V] | readonly Subjects[V][] }

/** What `required_for` and the `for` of a gate call the rows. */
export type RowName<Rows, Found extends string = never> = Rows extends readonly [...infer Before, infer Last]
  ? RowName<Before, Found | NameOf<Last, `row-${Rows['length'] & number}`>>
  : Rows extends readonly []
    ? Found
    : string

type NameOf<Row, Else extends string> = Row extends { readonly name: infer Name extends string } ? Name : Else

/** `next: { confidence: { high: 'build', else: 'shape' } }`: each value of one subject leads somewhere. */
export type NextByValue<Next, Subjects, N extends DeclaredNames> = {
  readonly [K in keyof Next]: K extends keyof Subjects
    ? RoutesByValue<Next[K], Key<Subjects[K]>, N>
    : 'No variable, choice or boolean of this step is called so'
}

type RoutesByValue<Routes, Value extends string, N extends DeclaredNames> = {
  readonly [V in Value | 'else' as V extends keyof Routes ? V : never]: RouteOf<At<Routes, V>, N>
} & ('else' extends keyof Routes ? unknown : { readonly [V in Exclude<Value, keyof Routes>]: N['target'] })

type Key<Value> = `${Value & (string | boolean)}`

export type ValueNames<Next> = { [K in keyof Next]: keyof Next[K] }[keyof Next] & string
