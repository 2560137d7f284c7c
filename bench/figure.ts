/** A figure of the bench: what is measured, which way is better, and what was read in one run. */

/**
 * What is measured beside a figure, so that a slower machine is not taken for a slower program: rounds of a loop,
 * commits, or starts of a process, in a second.
 */
export type Yardstick = 'cpu' | 'commits' | 'starts'

export interface Figure {
  readonly id: string
  /** As it stands in the table, under the title of its measurement. */
  readonly name: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** Null: it does not depend on how fast the machine is. */
  readonly yardstick: Yardstick | null
}

export interface Reading {
  /** Null: there is none, and `says` tells why. */
  readonly value: number | null
  /** How fast the machine was at the yardstick, at that time. */
  readonly speed: number | null
  /** What else is to be known of it: "exact", "24,098 states", "not within 10 s". */
  readonly says: string
  /** What it is beside another value of the same run. */
  readonly base: { readonly of: string; readonly ratio: number } | null
}

/** Figures that are read together, in a process of their own. */
export interface Measurement {
  readonly title: string
  readonly part: 'core' | 'journal' | 'ground'
  /** CPU time that it may take. */
  readonly limitSeconds: number
  readonly figures: readonly Figure[]
  /** A reading for each figure, in their order. */
  measure(): Promise<readonly Reading[]>
}

/** A measurement goes by its first figure. */
export const idOf = ({ figures }: Measurement): string => figures[0]!.id
