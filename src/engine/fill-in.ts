/** What a person fills in of a form, held to its fields. */
import type { FieldValue, RawAnswer } from '../model/answer.ts'
import { type DecisionForm, NO_ANSWER, SUBMIT } from '../model/decision-form.ts'
import { isRecord, readFields } from './fields.ts'

export type FilledIn =
  | { readonly fields?: Readonly<Record<string, FieldValue>> }
  | { readonly problem: string }

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

export function fillIn(form: DecisionForm | undefined, pick: string, given: RawAnswer): FilledIn {
  if (form === undefined || pick === '' || pick === NO_ANSWER) return {}
  const said = given.kind === 'value' && isRecord(given.value) ? given.value['fields'] : undefined
  const values = { ...form.proposed, ...(isRecord(said) ? said : {}) }
  const problems: string[] = []
  const read = readFields(form.fields, values, ({ requiredFor }) => requiredFor.includes(pick), problems)
  if (problems.length > 0) return { problem: problems.join('\n') }
  for (const { name } of form.fields) if (isEmptyList(read[name])) delete read[name]
  if (pick === SUBMIT && Object.keys(read).length === 0)
    return {
      problem: `"${SUBMIT}" needs an answer to at least one of ${form.fields.map(({ name }) => name).join(', ')}. To give none, pick "${NO_ANSWER}".`,
    }
  return { fields: read }
}
