/**
 * The words that bodies, queries and replies are declared in. A declaration is the type, the validator and the schema of
 * the OpenAPI document in one. Nothing but the HTTP door loads this: everybody else takes the types.
 */
import { z } from 'zod'

/** What a schema lets through. */
export type Output<S extends z.ZodType> = Frozen<z.output<S>>

/** What may be sent to it. */
export type Input<S extends z.ZodType> = Frozen<z.input<S>>

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/** The schema of a type that the core declares for itself: the compiler holds one to the other, optional keys too. */
export const schemaFor =
  <T>() =>
  <S extends z.ZodType>(schema: Same<Output<S>, T> extends true ? S : never): S =>
    schema

type Same<A, B> = [A, B, keyof Required<A>, keyof Required<B>] extends [B, A, keyof B, keyof A] ? true : false

/** A part of a reply that is told as it is: its type stands elsewhere, and is more than a reader needs here. */
export const asItIs = <T>() => z.custom<T>().meta({ type: 'object' })

export const whole = z.int()
export const instant = z.int().describe('Milliseconds since 1970.')
export const namedTexts = z.record(z.string(), z.string())
export const textOrNull = z.string().nullable()

export const NO_QUERY = z.object({})
