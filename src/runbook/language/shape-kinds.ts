/** The kinds of shape that a value may be declared to have. */

interface Documented {
  readonly doc: string
}

export interface TextShape extends Documented {
  readonly kind: 'text'
  readonly values?: readonly string[]
  readonly examples?: readonly string[]
}
interface NumberShape extends Documented {
  readonly kind: 'integer' | 'number'
  readonly min: number
  readonly max: number
}
interface BooleanShape extends Documented {
  readonly kind: 'boolean'
}
interface DurationShape extends Documented {
  readonly kind: 'duration'
}
interface ScalarShape extends Documented {
  readonly kind: 'any-scalar'
}
interface AnythingShape extends Documented {
  readonly kind: 'anything'
}
interface ListShape extends Documented {
  readonly kind: 'list'
  readonly of: Shape
  readonly least: number
}
export interface MapShape extends Documented {
  readonly kind: 'map'
  readonly of: Shape
  /** What a key names, for messages: "step", "option". */
  readonly noun: string
  readonly least: number
}
/** A map with exactly one key, which may be a path into an inlined flow (`flow/step`). */
interface PlaceShape extends Documented {
  readonly kind: 'place'
  readonly of: Shape
  readonly noun: string
}
export interface ObjectShape extends Documented {
  readonly kind: 'object'
  readonly fields: Readonly<Record<string, Shape>>
  readonly required: readonly string[]
  /** The key that is meant where something else than a map stands here. */
  readonly meant?: string
  /** Keys that somebody may look for here, and why there are none. */
  readonly absent?: Readonly<Record<string, string>>
  /** Where it is of one of several kinds, by the key that only that kind has: all keys that stand at each. */
  readonly kinds?: Readonly<Record<string, readonly string[]>>
  /** What a whole file of this shape is called. */
  readonly noun?: string
}
interface EitherShape extends Documented {
  readonly kind: 'either'
  readonly of: readonly Shape[]
}

export type Shape =
  | TextShape
  | NumberShape
  | BooleanShape
  | DurationShape
  | ScalarShape
  | AnythingShape
  | ListShape
  | MapShape
  | PlaceShape
  | ObjectShape
  | EitherShape
