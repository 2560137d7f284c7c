/** An answer to a step's question, from whoever gave it. */

export interface Finding {
  /** Ours, once it is known: `F1`. */
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly status: 'open' | 'fixed'
  readonly file: string
  readonly detail: string
}

export const SEVERITIES = ['blocker', 'major', 'minor'] as const
/** Anything but minor is material. */
export type Severity = (typeof SEVERITIES)[number]

export type FieldValue = string | number | boolean | readonly string[] | readonly Finding[]

export interface HandedOver {
  readonly name: string
  readonly version: number
  /** full: as the schema says; partial: notes only; fallback: neither. */
  readonly quality: 'full' | 'partial' | 'fallback'
  readonly values: Readonly<Record<string, FieldValue>>
}

export interface Answer {
  readonly outcome: string
  readonly choices: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly notes: string
  readonly handoff: HandedOver | null
}

/** What came in where an answer was expected, before anybody looked at it. */
export type RawAnswer =
  | { readonly kind: 'nothing' }
  /** There was something, but not JSON. Never the same as nothing. */
  | { readonly kind: 'malformed'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }

export type Validity =
  | 'not-required'
  | 'valid'
  | 'missing-file'
  | 'missing-variable'
  | 'invalid-value'
  | 'out-of-bounds'

/** Who did it. An agent is bound to its session and can never answer a question. */
export type Actor =
  | { readonly kind: 'person'; readonly name: string }
  | { readonly kind: 'agent'; readonly name: string }
  /** A rule that a person wrote or ratified. */
  | { readonly kind: 'policy'; readonly name: string }
  | { readonly kind: 'signalbox' }

export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'signalbox':
      return 'Signalbox'
    case 'policy':
      return `policy ${actor.name}`
    case 'person':
    case 'agent':
      return actor.name
  }
}
