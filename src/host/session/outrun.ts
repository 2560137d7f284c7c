/**
 * What an agent does after it has asked a person and should have stopped: calls that it begins in the same turn. Waiting
 * for the answer is none of it, and neither is what it had begun before. Pure.
 */
import type { Update } from '../../drivers/index.ts'
import type { Fact } from '../../model/fact.ts'

export interface AskedInTurn {
  readonly question: string
  /** What becomes of one that does not stop. */
  readonly then: 'go_on' | 'stop'
  /** Calls that it had begun, or that were told already. */
  readonly known: readonly string[]
  readonly told: number
}

/** More than a reader would look at. */
const MOST_TOLD = 20
const MOST_KNOWN = 200

export interface Outran {
  readonly asking: AskedInTurn
  readonly facts: readonly Fact[]
  readonly isStopped: boolean
}

export function outrun(asking: AskedInTurn, update: Update, at: number): Outran {
  const nothing = { asking, facts: [], isStopped: false }
  // A call that is only announced may still be refused.
  if (update.kind !== 'tool' || update.status === 'pending') return nothing
  if (asking.known.includes(update.id)) return nothing
  const known = [...asking.known, update.id].slice(-MOST_KNOWN)
  if (OUR_TOOLS.test(update.title)) return { ...nothing, asking: { ...asking, known } }
  if (asking.told >= MOST_TOLD) return nothing
  const { question, then } = asking
  const isStopped = then === 'stop'
  const did = update.title.trim() === '' ? 'a tool call' : update.title.slice(0, LONGEST)
  const fact: Fact = { type: 'decision.outrun', at, question, did, ...(isStopped ? { stopped: true } : {}) }
  return { asking: { ...asking, known, told: asking.told + 1 }, facts: [fact], isStopped }
}

const LONGEST = 300
const OUR_TOOLS = /(?:wait|create)[_ ]decision|report[_ ]outcome|hand[_ ]off|read[_ ]run/i
