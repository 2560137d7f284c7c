/** The values that a run itself can look up: its variables and what its steps left. The rest is the world's. */
import type { Answer, FieldValue, Finding } from '../../model/answer.ts'
import type { Lookup, Reference } from '../../model/template.ts'
import type { RunState, StepRecord } from '../state.ts'

export function lookupIn(state: RunState, world: Lookup): Lookup {
  return (ref: Reference) => {
    if (ref.kind !== 'var' && ref.kind !== 'step') return world(ref)
    const value = valueIn(state, ref)
    return value === undefined ? undefined : valueText(value)
  }
}

/** As it was given; nothing for what is the world's. */
export function valueIn(state: RunState, ref: Reference): FieldValue | undefined {
  if (ref.kind === 'var') return state.vars[ref.name]
  const record = ref.kind === 'step' ? state.records[ref.step] : undefined
  return ref.kind !== 'step' || record === undefined ? undefined : fieldOf(record, ref.field)
}

function fieldOf({ outcome, answer, detail, advice }: StepRecord, field: string): FieldValue | undefined {
  if (field === 'outcome') return outcome
  if (field === 'notes') return answer?.notes ?? detail
  const own = answer?.choices[field] ?? answer?.fields[field] ?? answer?.handoff?.values[field]
  return field === 'advice' && own === undefined ? adviceText(advice ?? {}) : own
}

/** Each adviser under its name: what it chose, and its words. */
function adviceText(advice: Readonly<Record<string, Answer>>): string {
  const given = Object.entries(advice).map(([agent, { outcome, notes, fields }]) => {
    const words = Object.entries(fields).map(([name, value]) => `${name}: ${valueText(value)}`)
    return [`${agent}: ${outcome}`, ...words, ...(notes === '' ? [] : [notes])].join('\n')
  })
  return given.length === 0 ? NO_ADVICE : given.join('\n\n')
}

const NO_ADVICE = 'none'

export function valueText(value: FieldValue): string {
  if (typeof value !== 'object') return `${value}`
  return value.map((item) => (typeof item === 'string' ? `- ${item}` : `- ${findingText(item)}`)).join('\n')
}

const findingText = ({ id, title, severity, status, file }: Finding): string =>
  `${id === '' ? '' : `${id} `}[${severity}, ${status}] ${title}${file === '' ? '' : ` (${file})`}`
