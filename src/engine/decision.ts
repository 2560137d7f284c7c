/** What `decide` gives back: the events of a command, or why it does not fit. */
import type { RunEvent } from '../model/event.ts'
import type { Refusal, RefusalCode } from '../model/refusal.ts'

export type Decided = { readonly events: readonly RunEvent[] } | { readonly refusal: Refusal }

export const refused = (code: RefusalCode, message: string): Decided => ({ refusal: { code, message } })
export const happened = (...events: readonly RunEvent[]): Decided => ({ events })
