/** The commands that an outcome has run at once, as a person is shown them before they pick it. */
import type { ShownCommand } from '../../model/decision-record.ts'
import { type Program, type Step, stepOf } from '../../model/program.ts'
import type { Route, Target } from '../../model/route.ts'
import { type Lookup, type Reference, renderKnown, type Template } from '../../model/template.ts'

/** Every arm of its route counts: which one is taken may change until somebody answers. */
export function commandsAfter(
  program: Program,
  { step, outcome, lookup }: { readonly step: Step; readonly outcome: string; readonly lookup: Lookup },
): ShownCommand[] {
  const known = knownBefore(step.name, lookup)
  return stepsAfter(program, step.routes[outcome], new Set()).flatMap((name) =>
    commandsAt(program, stepOf(program, name)).map((command) => ({
      command: renderKnown(command, known),
      step: name,
      folder: '',
      held: 'run' as const,
    })),
  )
}

/** The steps that its arms lead to, each once, out of flows and into them. */
function stepsAfter(program: Program, route: Route | undefined, seen: Set<string>): string[] {
  return (route?.arms ?? []).flatMap(({ to }) => stepsAt(program, to, seen))
}

function stepsAt(program: Program, to: Target, seen: Set<string>): string[] {
  switch (to.kind) {
    case 'step': {
      if (seen.has(to.step)) return []
      seen.add(to.step)
      const step = stepOf(program, to.step)
      return step.kind === 'flow' ? stepsAt(program, { kind: 'step', step: step.entry }, seen) : [to.step]
    }
    case 'leave': {
      const left = `${to.flow}:${to.end}`
      if (seen.has(left)) return []
      seen.add(left)
      return stepsAfter(program, stepOf(program, to.flow).routes[to.end], seen)
    }
    case 'end':
    case 'ask':
      return []
  }
}

/** What is run when it begins. What its agent does, and a gate after that, come later. */
function commandsAt({ agents }: Program, step: Step): Template[] {
  switch (step.kind) {
    case 'check':
      return [step.run]
    case 'decide':
      return step.context.flatMap(({ kind, source }) => (kind === 'command' ? [source] : []))
    case 'agent':
    case 'panel':
      return step.members.flatMap(({ agent }) => {
        const startup = agents[agent]?.prime.startup
        return startup === undefined ? [] : [startup]
      })
    case 'flow':
      return []
  }
}

/** Longer values, and those that would not be seen as they are, stand by their names. */
const LONGEST_VALUE = 200
const ODD = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/u

/** What the step itself says, its answer will still change; what another said is known. */
function knownBefore(step: string, lookup: Lookup): Lookup {
  const isOwn = (ref: Reference): boolean =>
    ref.kind === 'step' && (ref.step === step || step.startsWith(`${ref.step}/`))
  return (ref) => {
    const value = isOwn(ref) ? undefined : lookup(ref)
    return value === undefined || value.length > LONGEST_VALUE || ODD.test(value) ? undefined : value
  }
}
