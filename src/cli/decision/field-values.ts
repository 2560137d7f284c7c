/** Fields typed by somebody: words stay words; a number, a list or findings are given as JSON. */
import type { Field } from '../../model/contract.ts'

export const fieldValues = (
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = fields.find((field) => field.name === name)?.type ?? 'text'
      return [name, type === 'text' || type === 'choice' || type === 'file' ? text : jsonOr(text)]
    }),
  )

/** Those an option needs and nobody has proposed. */
export const fieldsNeeded = (
  {
    fields,
    proposed,
  }: { readonly fields: readonly Field[]; readonly proposed: Readonly<Record<string, unknown>> },
  key: string,
): readonly Field[] =>
  fields.filter(({ name, requiredFor }) => requiredFor.includes(key) && proposed[name] === undefined)

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
