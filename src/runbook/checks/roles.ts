/** What an agent may write is looked up only where it is known when a step begins, and gives names of files. */
import type { FieldType } from '../../model/contract.ts'
import { own } from '../../model/own.ts'
import { lookUpsIn, type Template } from '../../model/template.ts'
import { type Spot, spotOf } from '../compile/scope.ts'
import { stepSpot } from '../compile/steps.ts'
import type { Checked } from './checked.ts'
import { typeOfField } from './names.ts'

const FIT: readonly FieldType[] = ['text', 'file', 'list', 'choice']

export function checkRoles({ program, scope }: Checked): void {
  for (const [agent, { writes }] of Object.entries(program.agents))
    for (const grant of writes ?? []) {
      if (typeof grant === 'string') continue
      const spot = spotIn(scope, agent, grant)
      for (const { ref } of lookUpsIn(grant)) {
        if (ref.kind === 'var') continue
        if (ref.kind !== 'step') {
          scope.report.add({
            code: 'unfit-look-up',
            ...spot,
            message: `What "${agent}" may write cannot come from ${ref.kind === 'file' ? 'a file' : `\`${ref.kind}\``}.`,
            help: 'Look up `${var.NAME}` or `${steps.NAME.FIELD}`: the record of the run alone says what an agent may do.',
          })
          continue
        }
        const step = own(program.steps, ref.step)
        const type = step === undefined ? undefined : typeOfField(step, ref.field)
        if (type === undefined) continue
        if (!FIT.includes(type))
          scope.report.add({
            code: 'unfit-type',
            ...spot,
            message: `"${ref.step}.${ref.field}" is of type ${type}, and \`writes\` takes patterns of files.`,
            help: 'Look up a list, a text or a file.',
          })
        else if (type === 'list' && !standsAlone(grant))
          scope.report.add({
            code: 'unfit-type',
            ...spot,
            message: `"${ref.step}.${ref.field}" is a list, and stands inside other text.`,
            help: `Let it stand alone: \`${scope.report.spell({ writes: [`\${steps.${ref.step}.${ref.field}}`] })}\`.`,
          })
      }
    }
}

function standsAlone([only, ...more]: Template): boolean {
  if (only === undefined || typeof only === 'string' || more.length > 0) return false
  return only.ref.kind === 'text' ? standsAlone(only.ref.text) : true
}

/** Where it is written, or the flow step that holds it: what is inlined stands in another file. */
function spotIn({ uses, spots, root }: Checked['scope'], agent: string, grant: Template): Spot {
  const [outermost = ''] = agent.split('/')
  return (
    uses.find(({ template }) => template === grant)?.spots[0] ??
    spots.get(stepSpot(outermost)) ??
    spotOf(root)
  )
}
