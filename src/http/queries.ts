/** The query of a request, held against what its route takes: nothing unknown, nothing twice, nothing wrong. */
import { didYouMean } from '../model/nearest.ts'
import { own } from '../model/own.ts'
import type { Parameter, Parameters, Schema } from './route.ts'

type ValueOf<P extends Parameter> = P extends { readonly kind: 'word'; readonly words: readonly (infer W)[] }
  ? W
  : P extends { readonly kind: 'text' }
    ? string
    : P extends { readonly kind: 'flag' }
      ? boolean
      : number

export type Values<P extends Parameters> = { readonly [K in keyof P]?: ValueOf<P[K]> }

export function parseQuery<const P extends Parameters>(
  url: string,
  parameters: P,
): { readonly values: Values<P> } | { readonly problem: string } {
  const values: Record<string, unknown> = {}
  for (const [name, text] of new URL(url).searchParams) {
    const parameter = own(parameters, name)
    if (parameter === undefined) return { problem: unknownText(name, Object.keys(parameters)) }
    if (Object.hasOwn(values, name)) return { problem: `\`${name}\` is given twice.` }
    const value = readValue(text, parameter)
    if (value === undefined)
      return { problem: `\`${name}\` must be ${expected(parameter)}, not "${brief(text)}".` }
    values[name] = value
  }
  return { values: values as Values<P> }
}

function unknownText(name: string, known: readonly string[]): string {
  const there = known.length === 0 ? 'None is taken here.' : `There are ${known.join(', ')}.`
  return `There is no parameter "${brief(name)}". ${didYouMean(name, known) ?? there}`
}

const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function readValue(text: string, parameter: Parameter): string | number | boolean | undefined {
  switch (parameter.kind) {
    case 'text':
      return text === '' ? undefined : text
    case 'word':
      return parameter.words.find((word) => word === text)
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'whole':
    case 'number': {
      const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
      const fits = value >= parameter.least && value <= parameter.most
      return fits && (parameter.kind === 'number' || Number.isSafeInteger(value)) ? value : undefined
    }
  }
}

function expected(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'text':
      return 'some text'
    case 'word':
      return `one of ${parameter.words.join(', ')}`
    case 'flag':
      return 'true or false'
    case 'whole':
      return `a whole number from ${parameter.least} to ${parameter.most}`
    case 'number':
      return `a number from ${parameter.least} to ${parameter.most}`
  }
}

export function parameterSchema(parameter: Parameter): Schema {
  switch (parameter.kind) {
    case 'text':
      return { type: 'string', minLength: 1 }
    case 'word':
      return { type: 'string', enum: parameter.words }
    case 'flag':
      return { type: 'boolean' }
    case 'whole':
    case 'number': {
      const { least: minimum, most: maximum } = parameter
      return { type: parameter.kind === 'whole' ? 'integer' : 'number', minimum, maximum }
    }
  }
}
