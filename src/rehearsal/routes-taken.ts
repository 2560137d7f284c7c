/** Which arm of which route was taken, and by which state and act first. */
import type { Program } from '../model/program.ts'
import { RETRY } from '../model/route.ts'
import type { Act } from './act.ts'
import { faultsByRoute } from './fault-routes.ts'
import type { FaultWalks } from './move.ts'
import type { Begun } from './play.ts'

/** Null: the start itself. */
export interface Taken {
  readonly state: number
  readonly act: Act | null
}

export interface RoutesTaken {
  note(after: Begun, by: Taken): void
  /** By arm; holes where one was never taken. */
  of(step: string, outcome: string): readonly (Taken | undefined)[]
}

export function createRoutesTaken(program: Program, faults: FaultWalks): RoutesTaken {
  const taken = new Map<string, Map<string, Taken[]>>()

  const note = (step: string, outcome: string, arm: number, by: Taken): void => {
    let outcomes = taken.get(step)
    if (outcomes === undefined) {
      outcomes = new Map()
      taken.set(step, outcomes)
    }
    const arms = outcomes.get(outcome)
    if (arms === undefined) {
      const first: Taken[] = []
      first[arm] = by
      outcomes.set(outcome, first)
    } else arms[arm] ??= by
  }

  return {
    note: ({ events, state }, by) => {
      for (const event of events)
        if (event.type === 'visit.left') note(event.step, event.outcome, event.arm, by)
        // A step that a person is asked about is not left, so the run stands there.
        else if (event.type === 'question.opened' && event.route !== null)
          note(state.current!.step, event.route.outcome, event.route.arm, by)
    },
    of: (step, outcome) => {
      const walked = faults === 'each' ? outcome : walkedFor(program, step, outcome)
      return taken.get(step)?.get(outcome) ?? taken.get(step)?.get(walked) ?? []
    },
  }
}

/** The fault that was walked for all that lead the same way. */
function walkedFor(program: Program, step: string, outcome: string): string {
  const known = program.steps[step]
  const group =
    known === undefined ? undefined : faultsByRoute(known).find((one) => one.some((f) => f === outcome))
  return group?.[0] ?? outcome
}

/** Every arm a run could take. That a retry finds no intervention left is not one: it is not offered then. */
export function armsOf(program: Program): { step: string; outcome: string; arm: number }[] {
  return Object.values(program.steps).flatMap((step) =>
    Object.entries(step.routes).flatMap(([outcome, { arms }]) =>
      arms.flatMap((_, arm) => (outcome === RETRY && arm > 0 ? [] : [{ step: step.name, outcome, arm }])),
    ),
  )
}
