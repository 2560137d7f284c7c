/** The values that a run itself can look up: its variables and what its steps left. The rest is the world's. */
import type { FieldValue, Finding } from '../../model/answer.ts'
import type { Lookup, Reference } from '../../model/template.ts'
import type { RunState, StepRecord } from '../state.ts'

export function lookupIn(state: RunState, world: Lookup): Lookup {
  return (ref: Reference) => {
    if (ref.kind === 'var') return state.vars[ref.name]
    if (ref.kind !== 'step') return world(ref)
    const record = state.records[ref.step]
    return record === undefined ? undefined : fieldOf(record, ref.field)
  }
}

function fieldOf({ outcome, answer, detail }: StepRecord, field: string): string | undefined {
  if (field === 'outcome') return outcome
  if (field === 'notes') return answer?.notes ?? detail
  const value = answer?.choices[field] ?? answer?.fields[field] ?? answer?.handoff?.values[field]
  return value === undefined ? undefined : valueText(value)
}

export function valueText(value: FieldValue): string {
  if (typeof value !== 'object') return `${value}`
  return value.map((item) => (typeof item === 'string' ? `- ${item}` : `- ${findingText(item)}`)).join('\n')
}

const findingText = ({ id, title, severity, status, file }: Finding): string =>
  `${id === '' ? '' : `${id} `}[${severity}, ${status}] ${title}${file === '' ? '' : ` (${file})`}`
