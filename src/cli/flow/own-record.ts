/**
 * The record of the run whose command this is, as far as it is told: what gates, checks and judges of a shipped flow hold an
 * agent's words against. No agent can write there.
 */
import { readFile } from 'node:fs/promises'
import type { OwnRunFile } from '../../host/runs/own-run-file.ts'
import type { Answer } from '../../model/answer.ts'
import type { EventOf, RunEvent } from '../../model/event.ts'
import type { Placement } from '../../model/fact.ts'
import type { Environment } from '../environment.ts'

export interface OwnRecord {
  readonly run: string
  readonly placement: Placement
  readonly budgets: Readonly<Record<string, number>>
  readonly events: readonly RunEvent[]
}

export async function readOwnRecord({
  ownRun,
}: Pick<Environment, 'ownRun'>): Promise<OwnRecord | { readonly problem: string }> {
  if (ownRun === null)
    return { problem: 'This is for commands of a run: the gates, checks, judges and primes of a runbook.' }
  try {
    const { detail, events } = JSON.parse(await readFile(ownRun, 'utf8')) as OwnRunFile
    return {
      run: detail.row.run,
      placement: detail.placement,
      budgets: detail.row.budgets,
      events: events.map(({ data }) => data as RunEvent),
    }
  } catch {
    return { problem: `${ownRun} does not tell this run.` }
  }
}

/** How a step was left the last time; undefined where it never was. */
export const lastLeft = (events: readonly RunEvent[], step: string): EventOf<'visit.left'> | undefined =>
  events.findLast(
    (event): event is EventOf<'visit.left'> => event.type === 'visit.left' && event.step === step,
  )

/** The answer that the gate of a step is about: the last one that was given there, wherever the run is now. */
export function lastAnswer(events: readonly RunEvent[], at: string): Answer | null {
  let answer: Answer | null = null
  for (const { step, event } of withSteps(events))
    if (event.type === 'answer.given' && step === at) answer = event.answer
  return answer
}

/** Where the run is, or was last; empty where it has not begun. */
export const lastStep = (events: readonly RunEvent[]): string =>
  events.findLast((event): event is EventOf<'visit.entered'> => event.type === 'visit.entered')?.step ?? ''

/** Each event with the step at which it happened. */
export function* withSteps(
  events: readonly RunEvent[],
): Generator<{ readonly step: string; readonly visit: number; readonly event: RunEvent }> {
  let [step, visit] = ['', 0]
  for (const event of events) {
    if (event.type === 'visit.entered') [step, visit] = [event.step, event.visit]
    yield { step, visit, event }
  }
}
