/** The names a runbook declares, read off its keys: what each kind of reference in it may say. */

/** Each name is a parameter, so that a message shows the names and not the runbook they were read from. */
export interface DeclaredNames<
  Step extends string = string,
  End extends string = string,
  Budget extends string = string,
  Agent extends string = string,
  Handoff extends string = string,
  Template extends string = string,
  Counter extends string = string,
> {
  readonly step: Step
  readonly target: Step | End | 'done' | 'abandoned' | 'retry' | 'ask'
  readonly budget: Budget | 'interventions'
  readonly counter: OrSay<Counter, 'No counters are declared: write counters: { … }'>
  readonly agent: OrSay<Agent, 'No agents are declared: write agents: { … }'>
  readonly handoff: OrSay<Handoff, 'No handoffs are declared: write handoffs: { … }'>
  readonly template: Template | ShippedTemplate
}

export type ShippedTemplate =
  | 'ambiguity'
  | 'checkpoint'
  | 'confirmation'
  | 'exception'
  | 'prioritization'
  | 'quality'
  | 'stuck'
  | 'tradeoff'

/** What stands under a key, as it was written. */
export type At<X, Key extends string> = X extends { readonly [K in Key]: infer Value } ? Value : unknown

/** What stands where a map belongs. Mapping over a list or a text would give the same back, unchecked. */
export type MapAt<X, Key extends string> =
  At<X, Key> extends infer Value
    ? Value extends readonly unknown[] | string | number | boolean | null | undefined
      ? Readonly<Record<string, string>>
      : Value
    : never

/** Where no name would do, the compiler's message says what is missing instead of `never`. */
export type OrSay<Name, Message extends string> = [Name] extends [never] ? Message : Name
