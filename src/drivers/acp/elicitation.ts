/**
 * Forms that agents send (`elicitation/create`). One that comes to a single choice, of a few texts or of yes and no, is a
 * decision, and what is picked goes back as the field\'s value. Anything richer is declined, with the reason beside it.
 */
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
} from '@agentclientprotocol/sdk'
import type { Elicitation, Elicited } from '../driver.ts'

export interface Form {
  readonly elicitation: Elicitation
  readonly field: string
  /** What goes back for each key. */
  readonly values: Readonly<Record<string, string | boolean>>
}

const LEAST = 2
const MOST = 6

export function formOf(request: CreateElicitationRequest): Form | { readonly reason: string } {
  if (request.mode !== 'form')
    return { reason: `Signalbox fills in forms, and not what is asked by ${request.mode}.` }
  const { requestedSchema, message } = request as FormRequest
  const [only, ...others] = Object.entries(requestedSchema?.properties ?? {})
  if (only === undefined || others.length > 0)
    return {
      reason: `A form of one choice can be put to a person; this has ${others.length + (only === undefined ? 0 : 1)} fields.`,
    }
  const [field, property] = only
  const choices = choicesOf(property)
  if (choices.length < LEAST || choices.length > MOST)
    return {
      reason: `A choice of ${LEAST} to ${MOST} can be put to a person; "${field}" is ${property.type === 'string' && choices.length > 0 ? `one of ${choices.length}` : `a free ${property.type}`}.`,
    }
  const { title, description, default: given } = property as Described
  const recommended = choices.find(({ value }) => value === given)?.key ?? null
  return {
    field,
    values: Object.fromEntries(choices.map(({ key, value }) => [key, value])),
    elicitation: {
      message,
      title: title ?? requestedSchema.title ?? '',
      description: description ?? requestedSchema.description ?? '',
      options: choices.map(({ key, label, body }) => ({ key, label, body })),
      recommended,
      received: request,
    },
  }
}

/** What every kind of field may say of itself. */
interface Described {
  readonly title?: string | null
  readonly description?: string | null
  readonly default?: unknown
}

type FormRequest = Extract<CreateElicitationRequest, { mode: 'form' }>

interface Choice {
  readonly key: string
  readonly label: string
  readonly body: string
  readonly value: string | boolean
}

/** Empty for what is no choice. */
function choicesOf(property: ElicitationPropertySchema): Choice[] {
  if (property.type === 'boolean')
    return [
      { key: 'yes', label: 'Yes', body: '', value: true },
      { key: 'no', label: 'No', body: '', value: false },
    ]
  if (property.type !== 'string') return []
  const { oneOf, enum: plain } = property as Extract<ElicitationPropertySchema, { type: 'string' }>
  const titled =
    oneOf?.map(({ const: value, title, description }) => ({
      value,
      label: title,
      body: description ?? '',
    })) ??
    plain?.map((value) => ({ value, label: value, body: '' })) ??
    []
  // A value may be any text; the key of an option is typed and shown.
  return titled.map((choice, index) => ({ ...choice, key: `choice-${index + 1}` }))
}

export function responseOf({ field, values }: Form, elicited: Elicited): CreateElicitationResponse {
  switch (elicited.kind) {
    case 'picked': {
      const value = values[elicited.key]
      return value === undefined
        ? declined(`"${elicited.key}" was not offered.`)
        : { action: 'accept', content: { [field]: value } }
    }
    case 'declined':
      return declined(elicited.reason)
    case 'cancelled':
      return { action: 'cancel' }
  }
}

/** The protocol has no place for a reason but this. */
export const declined = (reason: string): CreateElicitationResponse => ({
  action: 'decline',
  _meta: { 'signalbox/reason': reason },
})
