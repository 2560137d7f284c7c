/** Fields typed by somebody: words stay words, and what is more than words may be JSON, or be said as people say it. */
import type { Field } from './contract.ts'
import { SUBMIT } from './decision-form.ts'
import { readJson } from './json-text.ts'

export const fieldValues = (
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const { type, choices } = fields.find((field) => field.name === name) ?? FREE
      return [name, type === 'list' && choices.length > 0 ? chosenIn(choices, text) : VALUE_OF[type](text)]
    }),
  )

const FREE: Pick<Field, 'type' | 'choices'> = { type: 'text', choices: [] }

/** A choice may have a comma in it. */
const chosenIn = (choices: readonly string[], text: string): unknown => {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.every((line) => line === '' || choices.includes(line))
    ? lines.filter((line) => line !== '')
    : VALUE_OF.list(text)
}

/** Those a person is asked for one by one: what an option needs, and of a form that is sent as a whole all of it. */
export const fieldsAsked = (shown: Fillable, key: string): readonly Field[] =>
  key === SUBMIT
    ? shown.fields.filter(({ name }) => shown.proposed[name] === undefined)
    : fieldsNeeded(shown, key)

interface Fillable {
  readonly fields: readonly Field[]
  readonly proposed: Readonly<Record<string, unknown>>
}

/** Those an option needs and nobody has proposed. */
export const fieldsNeeded = ({ fields, proposed }: Fillable, key: string): readonly Field[] =>
  fields.filter(({ name, requiredFor }) => requiredFor.includes(key) && proposed[name] === undefined)

/** What a field is asked for with: its name, what it is about, and how to say it. */
export const fieldText = ({ name, say, type, choices }: Field): string => {
  const how = choices.length > 0 ? `${type === 'list' ? 'some of: ' : ''}${choices.join(', ')}` : HOW[type]
  return `${name}${say === '' ? '' : `: ${say}`}${how === '' ? '' : ` (${how})`}`
}

const HOW: Record<Field['type'], string> = {
  text: '',
  choice: '',
  file: 'file',
  number: 'number',
  boolean: 'yes or no',
  list: 'list: one, two',
  findings: 'findings: a title, or JSON',
}

const asTyped = (text: string): string => text

const VALUE_OF: Record<Field['type'], (text: string) => unknown> = {
  text: asTyped,
  choice: asTyped,
  file: asTyped,
  number: (text) => jsonOr(text, asTyped),
  boolean: (text) =>
    jsonOr(text, (said) => (/^y(?:es)?$/i.test(said) ? true : /^no?$/i.test(said) ? false : said)),
  list: (text) => jsonOr(text, (said) => said.split(/\s*[,\n]\s*/).filter((item) => item !== '')),
  findings: (text) => jsonOr(text, (title) => [{ title }]),
}

function jsonOr(text: string, otherwise: (text: string) => unknown): unknown {
  const read = readJson(text)
  return read.kind === 'value' ? read.value : otherwise(text.trim())
}
