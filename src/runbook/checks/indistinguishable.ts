/** Two answers to one question that lead the same way, that no field and no look-up tells apart afterwards. */
import { type Program, type Step, stepOf } from '../../model/program.ts'
import { routeText } from '../../model/route.ts'
import { lookUpsIn, type Template } from '../../model/template.ts'
import { routeSpot } from '../compile/routes.ts'
import type { Checked } from './checked.ts'

export function checkIndistinguishable({ program, own, scope }: Checked): void {
  const lookedUp = namesLookedUp(
    program,
    scope.uses.map((use) => use.template),
  )
  for (const step of own) {
    const [variable, ...others] = step.contract.variables
    if (variable === undefined || others.length > 0 || step.contract.rows.length > 0 || step.kind === 'flow')
      continue
    if (lookedUp.has(`${step.name}.outcome`) || lookedUp.has(`${step.name}.${variable.name}`)) continue
    const seen = new Map<string, string>()
    for (const { value, confirm } of variable.options) {
      const spot = scope.spots.get(routeSpot(step.name, value))
      const route = step.routes[value]
      if (route === undefined || spot === undefined || route.origin === 'built-in') continue
      const fields = step.contract.fields.filter((field) => field.requiredFor.includes(value))
      const key = [routeText(route, program), confirm, ...fields.map((field) => field.name)].join('\0')
      const other = seen.get(key)
      // The next agent is told which answer was given, so two answers to the same agent step do differ.
      if (other !== undefined && !isTold(program, step, value))
        scope.report.add({
          code: 'indistinguishable',
          severity: 'warning',
          ...spot,
          message: `Nobody can tell "${value}" from "${other}" after "${step.name}": both lead to ${routeText(route, program)} and carry the same.`,
          help: 'Lead one of them elsewhere, or make them one option.',
        })
      else seen.set(key, value)
    }
  }
}

/** Whether some arm of the route leads to somebody who is told the answer. */
function isTold(program: Program, step: Step, outcome: string): boolean {
  return step.routes[outcome]!.arms.some(({ to }) => {
    if (to.kind !== 'step') return to.kind === 'ask'
    const { kind } = stepOf(program, to.step)
    return kind === 'agent' || kind === 'panel'
  })
}

function namesLookedUp(program: Program, templates: readonly Template[]): Set<string> {
  return new Set(
    templates
      .flatMap(lookUpsIn)
      .flatMap(({ ref }) =>
        ref.kind === 'step' && Object.hasOwn(program.steps, ref.step) ? [`${ref.step}.${ref.field}`] : [],
      ),
  )
}
