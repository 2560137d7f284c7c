/**
 * The decision templates of a runbook, and of those inside it. Every runbook has all that are built in, and no step
 * asks for those of another one, so they get their names in the whole once, when the outermost is put together.
 */
import type { DecisionTemplate, Program } from '../../model/program.ts'

export interface TemplateTree {
  readonly own: Readonly<Record<string, DecisionTemplate>>
  /** Flow step → those of its runbook. */
  readonly inside: ReadonlyMap<string, TemplateTree>
}

export function templatesIn(tree: TemplateTree): Program['templates'] {
  const all: Record<string, DecisionTemplate> = {}
  const add = ({ own, inside }: TemplateTree, prefix: string): void => {
    for (const name of Object.keys(own)) all[prefix + name] = own[name]!
    for (const [flow, more] of inside) add(more, `${prefix}${flow}/`)
  }
  add(tree, '')
  return all
}
