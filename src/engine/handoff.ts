/** A step's handoff given by itself, ahead of the answer: held against the same fields, with the same rejection. */
import type { FieldValue } from '../model/answer.ts'
import { type Contract, DONE, type Handoff } from '../model/contract.ts'
import { validateAnswer } from './answer.ts'
import { exampleAnswer } from './contract-text.ts'
import { type AnswerSchema, answerSchema } from './views/answer-schema.ts'

export interface HandoffForm {
  readonly name: string
  readonly schema: AnswerSchema
  readonly example: Readonly<Record<string, unknown>>
}

export function handoffForm(handoff: Handoff): HandoffForm {
  const contract = asContract(handoff)
  const { notes: _, ...properties } = answerSchema(contract).properties
  const required = handoff.fields.filter(isNeeded).map(({ name }) => name)
  return {
    name: `${handoff.name}, version ${handoff.version}`,
    schema: { type: 'object', properties, required },
    example: exampleAnswer(contract),
  }
}

export type JudgedHandoff =
  | { readonly values: Readonly<Record<string, FieldValue>> }
  | { readonly message: string }

export function judgeHandoff(handoff: Handoff, value: unknown): JudgedHandoff {
  const expected = {
    contract: asContract(handoff),
    known: [],
    settleOn: null,
    looping: [],
    lenient: false,
  }
  const judged = validateAnswer(expected, { kind: 'value', value })
  return 'answer' in judged ? { values: judged.answer.fields } : { message: judged.message }
}

/** The handoff's fields as all that is asked. */
const asContract = ({ fields }: Handoff): Contract => ({
  variables: [],
  rows: [],
  fields: fields.map((field) => ({ ...field, requiredFor: isNeeded(field) ? [DONE] : [] })),
  handoff: null,
})

const isNeeded = ({ requiredFor }: Handoff['fields'][number]): boolean => requiredFor.length > 0
