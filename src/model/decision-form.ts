/** What an answer to a decision may bring beside its option, where an agent asks by a form of several fields. */
import type { FieldValue } from './answer.ts'
import type { Field } from './contract.ts'

export interface DecisionForm {
  /** `requiredFor` names keys of the decision's options. */
  readonly fields: readonly Field[]
  /** What holds where a person says nothing. */
  readonly proposed: Readonly<Record<string, FieldValue>>
}

/** Of a form that does not come to one choice: its answers are sent, or it is left unanswered. */
export const SUBMIT = 'submit'
export const NO_ANSWER = 'no-answer'
