/** What the engine may refuse of all that is tried, and why. What does not stand here it never refuses. */

interface Refused {
  readonly reasons: readonly string[]
  /** Nobody can ever do it. */
  readonly always?: boolean
}

export const REFUSALS_OF: Readonly<Record<string, Refused>> = {
  ask: { reasons: ['too-many-questions'] },
  'ask something else instead': { reasons: ['too-many-questions'] },
  'ask while it waits': { reasons: ['not-waiting'], always: true },
  'answer while it waits': { reasons: ['invalid-answer'] },
  // Where nothing is asked, nothing is nonsense; saying nothing while it waits is no answer.
  'nonsense while it waits': { reasons: ['not-waiting', 'invalid-answer'] },
  'trespass while it waits': { reasons: ['not-waiting'], always: true },
  'picks what no agent offers': { reasons: ['not-offered'], always: true },
  'tells an agent to retry': { reasons: ['not-offered'], always: true },
  'person answers: step': { reasons: ['invalid-answer'] },
  // What would lead to the very same question is not offered.
  'person answers: fault': { reasons: ['not-offered', 'invalid-answer'] },
  'person answers: proposal': { reasons: ['not-offered', 'invalid-answer'] },
  'person answers: unrouted': { reasons: ['not-offered', 'invalid-answer'] },
  'person talks nonsense': { reasons: ['invalid-answer'] },
  // Only while interventions last, and never at a decide step's own question.
  'person retries': { reasons: ['not-offered'] },
  'person stops': { reasons: ['not-offered'] },
}
