/**
 * The tool calls of a session, as far as they are known: what one word on a call says, the next may leave out. Bounded by
 * number and by the memory that they take; those that were not heard of for longest are forgotten first.
 */
import type { Update } from '../driver.ts'
import { NOTHING_TOLD, type ToldOfTool } from './told-of-tool.ts'
import { weightOf } from './weight.ts'

export type ToolUpdate = Extract<Update, { kind: 'tool' }>

export interface KnownCall {
  readonly call: ToolUpdate
  readonly told: ToldOfTool
}

export interface KnownCalls {
  get(id: string): KnownCall | undefined
  remember(known: KnownCall): void
}

const MOST_CALLS = 500
const MOST_BYTES = 16 * 1024 * 1024

export const isOver = (status: ToolUpdate['status']): boolean => status === 'completed' || status === 'failed'

export function createKnownCalls(): KnownCalls {
  const known = new Map<string, KnownCall & { readonly weight: number }>()
  let total = 0
  const forget = (id: string): void => {
    total -= known.get(id)?.weight ?? 0
    known.delete(id)
  }
  return {
    get: (id) => known.get(id),
    remember: ({ call, told }) => {
      const { id, status } = call
      // What is over needs no permission any more, and its output may be long.
      const kept = isOver(status) ? { call: { ...call, input: null }, told: NOTHING_TOLD } : { call, told }
      const weight = weightOf(kept)
      forget(id)
      known.set(id, { ...kept, weight })
      total += weight
      for (const oldest of known.keys()) {
        if (oldest === id || (known.size <= MOST_CALLS && total <= MOST_BYTES)) break
        forget(oldest)
      }
    },
  }
}
