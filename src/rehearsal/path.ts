/** A shortest way to an end, a step, or an outcome or fault of a step. */
import { nearest } from '../model/nearest.ts'
import { own } from '../model/own.ts'
import type { Program } from '../model/program.ts'
import { actText } from './act.ts'
import type { Rehearsal } from './rehearse.ts'
import { wayTo } from './report.ts'

export type Path =
  /** As lines of a scenario, with the end they lead to, if any. */
  | { readonly kind: 'way'; readonly lines: readonly string[]; readonly end: string | null }
  | { readonly kind: 'none'; readonly message: string }
  /** The runbook has no such place. */
  | { readonly kind: 'unknown'; readonly message: string }

/** `target`: `done`, `review`, `review:reject`, `develop:stalled`. */
export function pathTo(rehearsal: Rehearsal, target: string): Path {
  const colon = target.lastIndexOf(':')
  if (colon > 0) return wayThrough(rehearsal, target.slice(0, colon), target.slice(colon + 1))
  const { program, states } = rehearsal
  const place = placeOf(program, target)
  for (let id = 0; id < states.length; id++)
    if (states.place(id) === place)
      return { kind: 'way', lines: wayTo(rehearsal, id), end: states.isEnd(id) ? place : null }
  if (Object.hasOwn(program.steps, target) || Object.hasOwn(program.ends, target))
    return none(rehearsal, `No run of ${program.name} reaches "${target}".`)
  return unknown(target, [...Object.keys(program.steps), ...Object.keys(program.ends)], 'step or end')
}

/** A run never stands at a flow step, but at the first step inside it. */
function placeOf(program: Program, target: string): string {
  const step = own(program.steps, target)
  return step?.kind === 'flow' ? placeOf(program, step.entry) : target
}

function wayThrough(rehearsal: Rehearsal, step: string, outcome: string): Path {
  const { program, states, taken } = rehearsal
  const known = own(program.steps, step)
  if (known === undefined) return unknown(step, Object.keys(program.steps), 'step')
  if (own(known.routes, outcome) === undefined)
    return unknown(outcome, Object.keys(known.routes), `outcome of "${step}"`)
  // States are numbered by their distance, so the lowest is the nearest.
  const [found] = taken
    .of(step, outcome)
    .filter((one) => one !== undefined)
    .sort((a, b) => a.state - b.state)
  if (found === undefined) return none(rehearsal, `No run of ${program.name} leaves "${step}" as ${outcome}.`)
  const { state, act } = found
  const last = act === null ? [] : [`${states.place(state)}: ${actText(act)}`]
  return { kind: 'way', lines: [...wayTo(rehearsal, state), ...last], end: null }
}

/** What was not walked may well lead there. */
const none = ({ stopped, states }: Rehearsal, message: string): Path => ({
  kind: 'none',
  message:
    stopped === null
      ? message
      : `None of the ${states.length.toLocaleString('en')} states that were met leads there, and not all were: ${stopped === 'memory' ? 'memory ran out' : 'allow more states'}.`,
})

function unknown(given: string, known: readonly string[], noun: string): Path {
  const near = nearest(given, known)
  const help = near === undefined ? `There are ${known.join(', ')}.` : `Did you mean "${near}"?`
  return { kind: 'unknown', message: `There is no ${noun} "${given}". ${help}` }
}
