/** What happens in a rehearsal, as data and as a line of a scenario. */
import type { Fault } from '../model/fault.ts'

export type Act =
  /**
   * Somebody gives an answer. `settled`: with nothing material left; `later`: after the cool-down of a check-in;
   * `proposed`: by choices that only a person may take, where others lead to the same.
   */
  | {
      readonly kind: 'answer'
      readonly outcome: string
      readonly member: string | null
      readonly settled: boolean
      readonly later: boolean
      readonly proposed: boolean
    }
  /** `together`: while the members after it are at work, too; a limit that it uses up stops only who has not begun. */
  | {
      readonly kind: 'fault'
      readonly fault: Fault
      readonly member: string | null
      readonly together?: true
    }
  /** An answer that does not fit or comes with writes out of bounds, or (`handoff`) one that only lacks its handoff. */
  | { readonly kind: 'wrong'; readonly member: string | null; readonly handoff: boolean }
  | { readonly kind: 'gate'; readonly passes: boolean; readonly member: string | null }
  /** An agent raises a question. */
  | { readonly kind: 'asks'; readonly member: string | null }
  /** A person retries, stops, or `answers` what an agent asked; in its stead (`stead`) the person gives an outcome. */
  | { readonly kind: 'person'; readonly picks: string; readonly stead: boolean }
  | { readonly kind: 'context' }
  /** Time passes to the next reminder. */
  | { readonly kind: 'wait' }

export function sameAct(a: Act, b: Act): boolean {
  switch (a.kind) {
    case 'answer':
      return (
        b.kind === a.kind &&
        a.outcome === b.outcome &&
        a.settled === b.settled &&
        a.later === b.later &&
        a.proposed === b.proposed
      )
    case 'fault':
      return b.kind === a.kind && a.fault === b.fault && a.together === b.together
    case 'wrong':
      return b.kind === a.kind && a.handoff === b.handoff
    case 'gate':
      return b.kind === a.kind && a.passes === b.passes
    case 'person':
      return b.kind === a.kind && a.picks === b.picks && a.stead === b.stead
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
      const marks = (['settled', 'later', 'proposed'] as const).filter((mark) => act[mark])
      if (marks.length === 0 && member === '' && isPlain(act.outcome)) return act.outcome
      return map([`answer: ${word(act.outcome)}`, ...marks.map((mark) => `${mark}: true`)].join(', '))
    }
    case 'fault':
      return member === ''
        ? act.fault
        : map(`fault: ${act.fault}${act.together === true ? ', together: true' : ''}`)
    case 'wrong':
      return map(`wrong: ${act.handoff ? 'handoff' : 'true'}`)
    case 'gate':
      return map(`gate: ${act.passes ? 'pass' : 'fail'}`)
    case 'asks':
      return map('asks: true')
    case 'person':
      return act.stead && isExtra(act.picks) ? `{ instead: ${act.picks} }` : `{ person: ${word(act.picks)} }`
    case 'context':
      return 'context'
    case 'wait':
      return 'wait'
  }
}

/** What a person can do beside answering in an agent's stead. */
const EXTRAS = ['retry', 'stop', 'answers']
export const isExtra = (picks: string): boolean => EXTRAS.includes(picks)

/** Words that would mean something else where they stand alone. */
const isPlain = (outcome: string): boolean =>
  outcome !== 'wait' && outcome !== 'context' && word(outcome) === outcome

/** YAML would read some words as other values. */
const word = (text: string): string => (/^(?:true|false|null)$/i.test(text) ? `"${text}"` : text)

type AnswerAct = Extract<Act, { kind: 'answer' }>

export const answerAct = (
  outcome: string,
  marks: Partial<Omit<AnswerAct, 'kind' | 'outcome'>> = {},
): AnswerAct => ({
  kind: 'answer',
  outcome,
  member: null,
  settled: false,
  later: false,
  proposed: false,
  ...marks,
})
