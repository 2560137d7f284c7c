/** A run in a few lines, for a model that must pay for each: everything else is there when it is asked for. */
import type { RunDetail } from '../host/operations.ts'
import type { RunEvent } from '../model/event.ts'

const MOST_STEPS = 20

export function shortRun({ row, placement, questions, artifacts }: RunDetail, events: readonly RunEvent[]) {
  const { run, name, status, step, visit, end, issue, usage } = row
  const left = events.flatMap((event) =>
    event.type === 'visit.left'
      ? [`${event.step} (visit ${event.visit}): ${event.outcome} → ${event.to}`]
      : [],
  )
  return {
    run,
    runbook: name,
    status,
    step,
    visit,
    end,
    issue,
    branch: placement.branch,
    base: placement.base,
    usage,
    asks: questions.map(({ headline, choices, decision }) => ({
      headline,
      options: decision?.options.map(({ key }) => key) ?? choices.map(({ outcome }) => outcome),
    })),
    steps: left.slice(-MOST_STEPS),
    artifacts: Object.keys(artifacts),
    events: events.length,
    more: 'Call read_run with "all": true for every event and every text.',
  }
}
