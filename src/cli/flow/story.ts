/** What the record of a run tells about its course: what is open, what was advised, what was filed, and who spent what. */
import type { Answer, Finding } from '../../model/answer.ts'
import type { EventOf, RunEvent } from '../../model/event.ts'
import { withSteps } from './own-record.ts'
import { wordsOf } from './untested.ts'

type Left = EventOf<'visit.left'>

const leavings = (events: readonly RunEvent[]): Left[] =>
  events.filter((event): event is Left => event.type === 'visit.left')

export interface OpenFinding extends Pick<Finding, 'id' | 'severity' | 'title' | 'file' | 'detail'> {
  readonly step: string
}

/** Of each review, as it was left the last time. */
export function openFindings(events: readonly RunEvent[]): OpenFinding[] {
  const latest = new Map<string, readonly Finding[]>()
  for (const { step, findings } of leavings(events)) if (findings !== null) latest.set(step, findings)
  return [...latest].flatMap(([step, findings]) =>
    findings
      .filter(({ status }) => status === 'open')
      .map(({ id, severity, title, file, detail }) => ({ step, id, severity, title, file, detail })),
  )
}

export interface Advice {
  readonly step: string
  readonly visit: number
  readonly by: string
  readonly verdict: string
  readonly words: string
}

export const adviceIn = (events: readonly RunEvent[]): Advice[] =>
  leavings(events).flatMap(({ step, visit, advice }) =>
    Object.entries(advice ?? {}).map(([by, answer]) => ({
      step,
      visit,
      by,
      verdict: answer.outcome,
      words: [wordsOf(answer), ...findingsOf(answer)].filter((text) => text !== '').join('\n'),
    })),
  )

const findingsOf = ({ fields }: Answer): string[] =>
  Object.values(fields)
    .filter((value): value is readonly Finding[] => Array.isArray(value) && typeof value[0] === 'object')
    .flat()
    .map(({ title, file }) => `${title}${file === '' ? '' : ` (${file})`}`)

/** What the steps that file issues said they filed. */
export function filedIn(events: readonly RunEvent[]): string[] {
  const filed: string[] = []
  for (const { step, event } of withSteps(events))
    if (event.type === 'check.reported' && step.startsWith('file_') && event.evidence.exitCode === 0)
      filed.push(...event.evidence.output.split('\n').filter((line) => line.trim() !== ''))
  return filed
}

export interface Spending {
  readonly budget: string
  readonly step: string
  readonly outcome: string
  readonly words: string
}

export const spendingsIn = (events: readonly RunEvent[]): Spending[] =>
  leavings(events).flatMap(({ step, outcome, answer, paid }) =>
    paid.spent === null ? [] : [{ budget: paid.spent, step, outcome, words: wordsOf(answer) }],
  )

/** What led to a step the last time: who said it, and what was said or went wrong. */
export function whatLedTo(
  events: readonly RunEvent[],
  step: string,
): { readonly step: string; readonly outcome: string; readonly words: string } | null {
  const left = leavings(events).findLast(({ to }) => to === step)
  if (left === undefined) return null
  return {
    step: left.step,
    outcome: left.outcome,
    words: [left.detail, wordsOf(left.answer)].filter((text) => text.trim() !== '').join('\n'),
  }
}

/** The steps in order, equal neighbours together: `plan, review_plan (needs_work), plan, …`. */
export const courseOf = (events: readonly RunEvent[]): string =>
  leavings(events)
    .filter(({ step }) => !step.includes('.'))
    .map(({ step, outcome }) => (outcome === 'done' ? step : `${step} (${outcome})`))
    .join(' → ')

export const commitsIn = (events: readonly RunEvent[]): EventOf<'work.committed'>[] =>
  events.filter((event): event is EventOf<'work.committed'> => event.type === 'work.committed')
