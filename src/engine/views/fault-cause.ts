/** Why a step ended without an answer, in one line: what happened, not what such an end is called. */
import { FAULT_MEANING, type Fault } from '../../model/fault.ts'
import { firstLine, tellingLine } from '../../model/telling-line.ts'

interface FaultCause {
  readonly fault: Fault | null
  /** As it was reported: a sentence, and below it what it speaks of. */
  readonly detail: string
}

export function causeText({ fault, detail }: FaultCause): string {
  const said = firstLine(detail)
  if (said === '' || fault === null) return fault === null ? said : FAULT_MEANING[fault]
  const rest = detail.trim().split('\n').slice(1).join('\n').trim()
  const told = lead[fault](said)
  const shown = rest === '' ? '' : shownIn[fault](rest)
  return `${told.charAt(0).toLowerCase()}${told.slice(1).replace(/[.:]$/, '')}${shown === '' ? '' : `: ${shown}`}`
}

const asSaid = (said: string): string => said

/** What was told to the agent is told to a person in other words. */
const lead: Record<Fault, (said: string) => string> = {
  invalid: () => 'its answer does not fit what was asked',
  failed: asSaid,
  stalled: asSaid,
  timed_out: asSaid,
  out_of_bounds: () => 'it changed files outside its boundary',
  over_budget: (said) => `the run's limit is used up (${said})`,
  expired: asSaid,
}

const firstItem = (rest: string): string =>
  firstLine(rest.split('\n').find((line) => line.trimStart().startsWith('- ')) ?? '').slice(2)

const shownIn: Record<Fault, (rest: string) => string> = {
  invalid: firstItem,
  failed: tellingLine,
  stalled: () => '',
  timed_out: tellingLine,
  out_of_bounds: firstItem,
  over_budget: () => '',
  expired: () => '',
}
