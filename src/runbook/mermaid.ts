/** The flow as a Mermaid chart: written routes as solid lines, faults dotted; what is built in would only clutter. */
import { isFault } from '../model/fault.ts'
import type { Program, StepKind } from '../model/program.ts'
import { boundText, type Target } from '../model/route.ts'

export function mermaidOf(program: Program): string {
  const ids = new Map(Object.keys(program.steps).map((name, index) => [name, `s${index}`]))
  const ends = new Set<string>()
  const lines = ['flowchart TD']
  for (const step of Object.values(program.steps))
    lines.push(`  ${ids.get(step.name)}${box(step.kind, step.name)}`)
  const nodeOf = (to: Target, from: string): string => {
    if (to.kind === 'step') return ids.get(to.step)!
    if (to.kind === 'leave') return ids.get(to.flow)!
    const name = to.kind === 'ask' ? 'a person is asked' : to.end
    if (to.kind === 'ask') return `${ids.get(from)}ask(["${name}"])`
    ends.add(name)
    return `end_${name.replaceAll('-', '_')}`
  }
  for (const step of Object.values(program.steps)) {
    if (step.kind === 'flow') lines.push(`  ${ids.get(step.name)} -->|enter| ${ids.get(step.entry)}`)
    for (const [outcome, route] of Object.entries(step.routes)) {
      if (route.origin === 'built-in' && (isFault(outcome) || outcome.startsWith('@'))) continue
      route.arms.forEach((arm, index) => {
        const bound = arm.bound === null ? '' : ` (${boundText(arm.bound, program)})`
        const label = `${index === 0 ? outcome : `${outcome}, then`}${bound}`
        const line = isFault(outcome) || index > 0 ? '-.->' : '-->'
        lines.push(`  ${ids.get(step.name)} ${line}|"${label}"| ${nodeOf(arm.to, step.name)}`)
      })
    }
  }
  for (const end of ends) lines.push(`  end_${end.replaceAll('-', '_')}([${end}])`)
  return lines.join('\n')
}

function box(kind: StepKind, name: string): string {
  if (kind === 'decide') return `{"${name}"}`
  if (kind === 'check') return `[/"${name}"/]`
  return kind === 'flow' ? `[["${name}"]]` : `["${name}"]`
}
