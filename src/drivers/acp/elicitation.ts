/**
 * Forms that agents send (`elicitation/create`), as a person can answer them. A form of one choice is a decision with that
 * choice's options, and words answer the free text beside it, where there is one. Any other form of flat fields is sent or
 * left as a whole. What comes back is what the form asks for: values by the names of its properties.
 */
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
} from '@agentclientprotocol/sdk'
import type { FieldValue } from '../../model/answer.ts'
import type { Field } from '../../model/contract.ts'
import { NO_ANSWER, SUBMIT } from '../../model/decision-form.ts'
import type { Elicitation, Elicited } from '../driver.ts'
import { type FormProperty, readProperty } from './form-property.ts'

export interface Form {
  readonly elicitation: Elicitation
  /** Null: it is declined. */
  readonly contentOf: (elicited: Elicited) => Content | null
}

type Content = Record<string, ElicitationContentValue>
type FormRequest = Extract<CreateElicitationRequest, { mode: 'form' }>

const MIN_OPTIONS = 2
const MAX_OPTIONS = 6
const MAX_FIELDS = 20

export function formOf(request: CreateElicitationRequest): Form | { readonly reason: string } {
  if (request.mode !== 'form')
    return { reason: `Signalbox fills in forms, and not what is asked by ${request.mode}.` }
  const { requestedSchema, message } = request as FormRequest
  const properties = Object.entries(requestedSchema?.properties ?? {})
  if (properties.length === 0 || properties.length > MAX_FIELDS)
    return { reason: `A form has 1 to ${MAX_FIELDS} fields; this has ${properties.length}.` }
  const required = new Set(requestedSchema?.required ?? [])
  const read: ReadProperty[] = []
  for (const [index, [property, schema]] of properties.entries()) {
    const found = readProperty(schema)
    if ('problem' in found) return { reason: `"${property}" ${found.problem}` }
    read.push({ ...found, property, name: fieldName(property, index), isRequired: required.has(property) })
  }
  const about = { request, message, title: requestedSchema.title ?? '', read }
  return choiceForm(about) ?? fieldsForm(about)
}

interface ReadForm {
  readonly request: CreateElicitationRequest
  readonly message: string
  readonly title: string
  readonly read: readonly ReadProperty[]
}

interface ReadProperty extends FormProperty {
  readonly property: string
  /** As a person names it. */
  readonly name: string
  readonly isRequired: boolean
}

/** One choice of a few, and at most a free text beside it that may be left out. */
function choiceForm({ request, message, title, read }: ReadForm): Form | null {
  const choosing = read.filter(({ options, type }) => options.length > 0 && type !== 'list')
  const [choice] = choosing
  const texts = read.filter((each) => each !== choice)
  const isOne = choosing.length === 1 && texts.length <= 1
  if (
    choice === undefined ||
    !isOne ||
    !texts.every(({ type, isRequired }) => type === 'text' && !isRequired)
  )
    return null
  const { options, property, proposed } = choice
  if (options.length < MIN_OPTIONS || options.length > MAX_OPTIONS) return null
  const [text] = texts
  const words = choice.isRequired ? undefined : text?.property
  return {
    elicitation: {
      message,
      title: choice.title || title,
      description: [choice.description, words === undefined ? '' : `In words: ${text!.say}`]
        .filter((part) => part !== '')
        .join('\n\n'),
      options: options.map(({ key, label, body }) => ({ key, label, body })),
      recommended: options.find(({ value }) => value === proposed)?.key ?? null,
      form: null,
      takesWords: words !== undefined,
      received: request,
    },
    contentOf: (elicited) => {
      if (elicited.kind === 'words') return words === undefined ? null : { [words]: elicited.text }
      const picked = elicited.kind === 'picked' ? options.find(({ key }) => key === elicited.key) : undefined
      return picked === undefined ? null : { [property]: picked.value }
    },
  }
}

function fieldsForm({ request, message, title, read }: ReadForm): Form {
  const fields = read.map(
    ({ name, type, say, options, isRequired }): Field => ({
      name,
      type,
      say,
      requiredFor: isRequired ? [SUBMIT] : [],
      choices: type === 'boolean' ? [] : options.map(({ value }) => String(value)),
    }),
  )
  const proposed: Record<string, FieldValue> = Object.fromEntries(
    read.flatMap(({ name, proposed: given }) => (given === null ? [] : [[name, given]])),
  )
  return {
    elicitation: {
      message,
      title,
      description: '',
      options: SENDING,
      recommended: null,
      form: { fields, proposed },
      takesWords: false,
      received: request,
    },
    contentOf: (elicited) => {
      if (elicited.kind !== 'picked' || elicited.key !== SUBMIT) return null
      return Object.fromEntries(
        read.flatMap(({ name, property }) => {
          const value = elicited.fields[name]
          return value === undefined ? [] : [[property, value as ElicitationContentValue]]
        }),
      )
    },
  }
}

const SENDING: Elicitation['options'] = [
  { key: SUBMIT, label: 'Send the answers', body: 'The agent gets what the fields say.' },
  { key: NO_ANSWER, label: 'Do not answer', body: 'The agent hears that nobody answers.' },
]

/** As it is typed on a command line. */
const fieldName = (property: string, index: number): string =>
  /^[A-Za-z][\w-]{0,39}$/.test(property) ? property : `field-${index + 1}`

export function responseOf({ contentOf }: Form, elicited: Elicited): CreateElicitationResponse {
  if (elicited.kind === 'cancelled') return { action: 'cancel' }
  if (elicited.kind === 'declined') return declined(elicited.reason)
  const content = contentOf(elicited)
  if (content !== null) return { action: 'accept', content }
  return declined(elicited.kind === 'words' ? elicited.text : `"${elicited.key}" sends nothing.`)
}

/** The protocol has no place for a reason but this. */
export const declined = (reason: string): CreateElicitationResponse => ({
  action: 'decline',
  _meta: { 'signalbox/reason': reason },
})
