/** Who wrote what a template looks up, as far as the host knows, and how that is shown. */
import { authorText, fencedInline, ISSUE_AUTHOR, quotedInline, type Words, words } from '../../model/fence.ts'
import { type Program, stepOf } from '../../model/program.ts'
import type { Lookup, Reference } from '../../model/template.ts'
import type { RunState, StepRecord } from '../state.ts'

/** For a prompt: whatever somebody else wrote stands in a fence. Ids, places and values of the runbook are names. */
export const fencedLookup = (program: Program, state: RunState, lookup: Lookup): Lookup =>
  withWords(program, state, { lookup, show: fencedInline })

/** For the headline of a card: it stands in quotes. */
export const quotedLookup = (program: Program, state: RunState, lookup: Lookup): Lookup =>
  withWords(program, state, { lookup, show: quotedInline })

function withWords(
  program: Program,
  state: RunState,
  { lookup, show }: { readonly lookup: Lookup; readonly show: (given: Words) => string },
): Lookup {
  return (ref) => {
    const value = lookup(ref)
    const source = value === undefined ? null : sourceOf(program, state, ref)
    return value === undefined || source === null ? value : show(words(source.by, source.about, value))
  }
}

function sourceOf(
  program: Program,
  state: RunState,
  ref: Reference,
): { readonly by: string; readonly about: string } | null {
  switch (ref.kind) {
    case 'issue':
      return ref.field === 'id' || ref.field === 'path'
        ? null
        : { by: ISSUE_AUTHOR, about: `${ref.field} of the issue` }
    case 'file':
      return { by: 'whoever wrote the file', about: `file ${ref.path}` }
    case 'step': {
      const record = state.records[ref.step]
      return record === undefined || ref.field === 'outcome'
        ? null
        : { by: authorAt(program, ref.step, record), about: ref.field }
    }
    case 'var':
    case 'run':
    case 'agent':
    case 'text':
      return null
  }
}

/** Whose words a step left, as far as the host knows. */
export function authorAt(program: Program, step: string, { by, answer }: StepRecord): string {
  const { kind } = stepOf(program, step)
  const isAgents = kind === 'agent' || kind === 'panel'
  if (by.kind === 'signalbox') return `${kind === 'check' ? 'a command' : 'Signalbox'} at "${step}"`
  if (answer === null && by.kind === 'agent') return `Signalbox about ${authorText(by)} at "${step}"`
  const taken = isAgents && by.kind !== 'agent' ? ', who may have taken over words of an agent,' : ''
  return `${authorText(by)}${taken} at "${step}"`
}
