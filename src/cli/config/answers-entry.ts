/** `answers:` of the user's config: how what they answer at a terminal is taken. */
import { LONGEST_HOLD_MS } from '../../model/decision-command.ts'
import { formatDuration, parseDuration } from '../../model/duration.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, entryOf, type MapTree, textOf } from '../../runbook/tree.ts'

/** Null where nothing is said, or nothing that can be taken. */
export function readHold(tree: MapTree | null, report: Report): number | null {
  const said = childOf(childOf(tree ?? undefined, 'answers'), 'hold')
  const holdMs = parseDuration(textOf(said) ?? '')
  if (said === undefined || holdMs === null || holdMs <= LONGEST_HOLD_MS) return holdMs
  report.add({
    code: 'config',
    at: said.at,
    path: said.path,
    message: `An answer can be held for at most ${formatDuration(LONGEST_HOLD_MS)}.`,
    help: 'Write a time such as `5s`, or `0s` for none.',
  })
  return null
}

/** Whoever can write to a project must not keep answers back. */
export function refuseAnswers(tree: MapTree | null, report: Report): void {
  const entry = entryOf(tree ?? undefined, 'answers')
  if (entry === undefined) return
  report.add({
    code: 'config',
    at: entry.at,
    path: 'answers',
    message: 'A project cannot say how you answer.',
    help: 'Move `answers` to your own config; signalbox doctor tells where that is.',
  })
}
