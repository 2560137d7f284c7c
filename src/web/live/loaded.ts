/** Something that was asked for: not there yet, there, or refused with a sentence. */
import type { HostProblem } from './ask.ts'

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly value: T }
  | { readonly kind: 'problem'; readonly problem: HostProblem }

export const LOADING: Loaded<never> = { kind: 'loading' }

export const valueIn = <T>(loaded: Loaded<T>): T | null => (loaded.kind === 'there' ? loaded.value : null)
