/** What the run made without tests, as it is now: what was tested after all is no longer on the list. */
import type { Answer } from '../../model/answer.ts'
import type { RunEvent } from '../../model/event.ts'

export interface Untested {
  /** Why there could be none, in the words of who should have written them. */
  readonly reason: string
  /** Who looked at that, and what they said. */
  readonly verdict: string
  readonly signOff: string
}

export function untestedIn(events: readonly RunEvent[]): Untested | null {
  let reason = ''
  let untested: Untested | null = null
  for (const event of events) {
    if (event.type !== 'visit.left') continue
    const { step, outcome, answer, to } = event
    if (step === 'write_tests' && outcome === 'not_testable') reason = wordsOf(answer)
    if (step === 'confirm_untestable' && to === 'implement')
      untested = { reason, verdict: outcome, signOff: wordsOf(answer) }
    // What was tested, or planned anew, is another matter.
    if ((step === 'verify_red' && outcome === 'red') || event.paid.forgets !== undefined) untested = null
  }
  return untested
}

/** What somebody said beside their choice. */
export function wordsOf(answer: Answer | null): string {
  if (answer === null) return ''
  const texts = Object.values(answer.fields).filter((value) => typeof value === 'string')
  return [...texts, answer.notes].filter((text) => text.trim() !== '').join('\n')
}
