/**
 * TypeScript points at an unknown key where it is written in a literal, but not at one that comes in by a spread
 * or a variable. For those this asks for a property whose name tells the path.
 */

export type NoUnknownKeys<X, Expected> = {
  readonly [Path in UnknownKeys<X, Expected> as `Unknown key: ${Path}`]: never
}

type UnknownKeys<X, Expected, Path extends string = ''> = X extends readonly (infer Item)[]
  ? UnknownKeys<Item, ItemOf<Expected>, Path>
  : X extends object
    ? {
        [K in keyof X & string]-?: string extends K
          ? never
          : K extends KeyOf<Expected>
            ? UnknownKeys<X[K], ValueAt<Expected, K>, `${Path}${K}.`>
            : `${Path}${K}`
      }[keyof X & string]
    : never

type ItemOf<Expected> = Expected extends readonly (infer Item)[] ? Item : never

/** Of every form that is an object: the others have only the keys that all texts and lists have. */
type KeyOf<Expected> = Expected extends readonly unknown[]
  ? never
  : Expected extends object
    ? keyof Expected
    : never

type ValueAt<Expected, K extends string> = Expected extends unknown
  ? K extends keyof Expected
    ? NonNullable<Expected[K]>
    : never
  : never
