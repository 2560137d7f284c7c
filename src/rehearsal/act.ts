/** What happens in a rehearsal, as data and as a line of a scenario. */
import type { Fault } from '../model/fault.ts'

export type Act =
  /** Somebody gives an answer. `settled`: with nothing material left; `later`: after the cool-down of a check-in. */
  | {
      readonly kind: 'answer'
      readonly outcome: string
      readonly member: string | null
      readonly settled: boolean
      readonly later: boolean
    }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly member: string | null }
  /** An answer that does not fit, or (`handoff`) one that only lacks its handoff. */
  | { readonly kind: 'wrong'; readonly member: string | null; readonly handoff: boolean }
  | { readonly kind: 'gate'; readonly passes: boolean; readonly member: string | null }
  /** An agent raises a question. */
  | { readonly kind: 'asks'; readonly member: string | null }
  /** A person answers in an agent's stead, retries or stops; `answers` where an agent had asked. */
  | { readonly kind: 'person'; readonly picks: string }
  | { readonly kind: 'context' }
  /** Time passes to the next reminder. */
  | { readonly kind: 'wait' }

export function sameAct(a: Act, b: Act): boolean {
  switch (a.kind) {
    case 'answer':
      return b.kind === a.kind && a.outcome === b.outcome && a.settled === b.settled && a.later === b.later
    case 'fault':
      return b.kind === a.kind && a.fault === b.fault
    case 'wrong':
      return b.kind === a.kind && a.handoff === b.handoff
    case 'gate':
      return b.kind === a.kind && a.passes === b.passes
    case 'person':
      return b.kind === a.kind && a.picks === b.picks
    case 'asks':
    case 'context':
    case 'wait':
      return b.kind === a.kind
  }
}

/** The value of a scenario's line: a word where that says it all, else a map. */
export function actText(act: Act): string {
  const member = 'member' in act && act.member !== null ? `member: ${act.member}, ` : ''
  const map = (rest: string) => `{ ${member}${rest} }`
  switch (act.kind) {
    case 'answer': {
      if (!act.settled && !act.later && member === '') return act.outcome
      return map(
        `answer: ${act.outcome}${act.settled ? ', settled: true' : ''}${act.later ? ', later: true' : ''}`,
      )
    }
    case 'fault':
      return member === '' ? act.fault : map(`fault: ${act.fault}`)
    case 'wrong':
      return map(`wrong: ${act.handoff ? 'handoff' : 'true'}`)
    case 'gate':
      return map(`gate: ${act.passes ? 'pass' : 'fail'}`)
    case 'asks':
      return map('asks: true')
    case 'person':
      return `{ person: ${act.picks} }`
    case 'context':
      return 'context'
    case 'wait':
      return 'wait'
  }
}
