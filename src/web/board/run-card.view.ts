/** What a card tells of its run, beside its name. */
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import { boundsLeft } from '../course/bounds.view.ts'
import { durationText } from '../ui/time.ts'

export interface CardTold {
  /** Which it is, who is at it, and for how long it has been at its step. */
  readonly facts: readonly string[]
  /** What it waits for; null: for nothing. */
  readonly waits: string | null
  /** Of its bounds, and what it has cost. */
  readonly left: readonly string[]
}

export interface CardOf {
  readonly row: RunRow
  readonly program: Program
  /** What it asks a person first; null: nothing. */
  readonly asks: string | null
  readonly now: number
}

export function cardTold({ row, program, asks, now }: CardOf): CardTold {
  const { run, step, status, changedAt, enteredAt, usage } = row
  const cost = usage.costUsd > 0 ? `${usage.costUsd.toFixed(2)} USD` : ''
  const facts =
    status === 'ended'
      ? [run, `${durationText(now - changedAt)} ago`, cost]
      : [
          run,
          step === null ? '' : agentsAt(program, step),
          `${durationText(now - (enteredAt ?? changedAt))} here`,
        ]
  const left = status === 'ended' ? [] : [...leftOf(row, program), cost]
  return {
    facts: facts.filter((fact) => fact !== ''),
    waits: waitsFor(row, asks),
    left: left.filter((part) => part !== ''),
  }
}

/** Who works at a step. */
export function agentsAt(program: Program, step: string): string {
  const found = program.steps[step]
  return found !== undefined && 'members' in found ? found.members.map(({ agent }) => agent).join(', ') : ''
}

/** Bounds of the routes from here, and budgets that were drawn on. */
function leftOf({ step, counters, budgets }: RunRow, program: Program): readonly string[] {
  const bounds = boundsLeft(program, step, { counters }).map(
    ({ outcome, left, times }) => `${outcome} ${left} of ${times} left`,
  )
  const drawn = Object.entries(budgets)
    .filter(([name, left]) => left !== program.budgets[name])
    .map(([name, left]) => `${name} ${left} of ${program.budgets[name] ?? 0} left`)
  return [...new Set([...bounds, ...drawn])]
}

function waitsFor({ status, takenBy, waiting }: RunRow, asks: string | null): string | null {
  if (status === 'taken') return `${takenBy ?? 'Somebody'} works at it by hand`
  if (status === 'parked') return 'Waits for a usage limit to pass'
  if (waiting > 0) return asks ?? 'A person is asked'
  return null
}
