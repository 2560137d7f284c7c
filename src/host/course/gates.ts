/** The gates of a flow, put to a commit outside of any visit: on a clean checkout, as they always are. */
import type { ShellResult } from '../../drivers/index.ts'
import type { RunEvent } from '../../model/event.ts'
import { renderCommand } from '../../model/template.ts'
import { runCommand } from '../duty/command.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import { onCleanCheckout, placeOf } from '../duty/judgement.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { lookupOf } from '../runs/world.ts'
import type { Problem } from '../workspace/problem.ts'

export interface GateToPut {
  readonly step: string
  readonly visit: number
  readonly member: number
  /** Whose network and files it is held to. */
  readonly agent: string
  readonly command: string
  readonly timeLimitMs: number | null
}

/** Of the steps that the run has been at, once for equal commands of one agent; or of one step, each member's. */
export function gatesOf(loaded: LoadedRun, only: string | null = null): GateToPut[] {
  const { program, state } = loaded
  const found = new Map<string, GateToPut>()
  for (const step of Object.values(program.steps)) {
    const visit = state.visits[step.name] ?? 0
    if (only !== null && step.name !== only) continue
    if (visit === 0 || (step.kind !== 'agent' && step.kind !== 'panel')) continue
    for (const [member, { gate, agent }] of step.members.entries()) {
      if (gate === null) continue
      const command = renderCommand(gate.run, lookupOf(loaded))
      const key = JSON.stringify([agent, command, only === null ? null : member])
      if (!found.has(key))
        found.set(key, { step: step.name, visit, member, agent, command, timeLimitMs: gate.timeLimitMs })
    }
  }
  return [...found.values()]
}

/** The steps whose gate passed at this very commit already. */
export function passedAt(events: readonly RunEvent[], commit: string): ReadonlySet<string> {
  const passed = new Set<string>()
  let here = ''
  for (const event of events) {
    if (event.type === 'visit.entered') here = event.step
    else if (event.type === 'gate.passed' && event.evidence.commit === commit) passed.add(here)
  }
  return passed
}

export async function putGate(
  needs: DutyNeeds,
  { loaded, gate }: { readonly loaded: LoadedRun; readonly gate: GateToPut },
): Promise<ShellResult | Problem> {
  const { step, visit, command, timeLimitMs, agent } = gate
  const { signal } = new AbortController()
  const judged = await onCleanCheckout(needs, { loaded, step, visit, signal, command }, (checkout) =>
    runCommand(needs, {
      loaded,
      step,
      visit,
      who: 'gate',
      command,
      timeLimitMs,
      signal,
      agent,
      place: placeOf(checkout),
    }),
  )
  return 'unprepared' in judged ? judged.unprepared : judged
}
