/** What whoever plans or reviews should know of the run so far, made of its record. */
import type { OwnRecord } from './own-record.ts'
import { filedIn, openFindings, spendingsIn } from './story.ts'
import { findingLine } from './summary.ts'
import { untestedIn } from './untested.ts'

export function contextText({ events, budgets }: OwnRecord): string {
  const untested = untestedIn(events)
  const open = openFindings(events)
  const filed = filedIn(events)
  const spent = spendingsIn(events)
  return [
    untested === null
      ? ''
      : [
          '### Made without tests',
          `Why, says who should have written them: ${untested.reason}`,
          `Signed off (${untested.verdict}): ${untested.signOff}`,
          'Does that still hold, now that the work is there?',
        ].join('\n'),
    open.length === 0
      ? ''
      : ['### Open findings of reviews in this run', ...open.map(findingLine)].join('\n'),
    filed.length === 0 ? '' : ['### Filed by this run already', ...filed].join('\n'),
    ...spent.map(
      ({ budget, step, outcome, words }) =>
        `### The budget ${budget} is spent (${budgets[budget] ?? 0} left)\n${step} came to ${outcome}.\n${words}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
