/** Every look-up names something that exists, and commands get only values that fit into one word. */
import type { FieldType } from '../../model/contract.ts'
import { didYouMean } from '../../model/nearest.ts'
import { own } from '../../model/own.ts'
import type { Step } from '../../model/program.ts'
import { COMMAND_MEANING, commandOf, type ProjectCommand } from '../../model/project-command.ts'
import { lookUpsIn } from '../../model/template.ts'
import type { Spot } from '../compile/scope.ts'
import type { Checked } from './checked.ts'

/** What a step leaves behind, whatever came of it. */
export const alwaysGiven = (step: Step): readonly string[] =>
  step.kind === 'panel' && step.members.some(({ advisory }) => advisory)
    ? ['outcome', 'notes', ADVICE]
    : ['outcome', 'notes']

/** The words of a panel's advisers. */
const ADVICE = 'advice'

export function checkLookUps({ program, scope }: Pick<Checked, 'program' | 'scope'>): void {
  for (const use of scope.uses)
    for (const [index, lookUp] of lookUpsIn(use.template).entries()) {
      const spot = use.spots[index]!
      const wrong = (code: string, message: string, help?: string) =>
        scope.report.add({ code, ...spot, message, help })
      const { ref } = lookUp
      if (ref.kind === 'var' && !scope.vars.has(ref.name))
        wrong(
          'unknown-name',
          `There is no variable "${ref.name}".`,
          didYouMean(ref.name, scope.vars) ??
            `Declare it: ${scope.report.spell({ vars: { [ref.name]: { required: true } } })}.`,
        )
      if (ref.kind === 'agent' && use.owner.kind === 'step' && !use.owner.hasAgent)
        wrong(
          'unknown-name',
          `\`agent.${ref.field}\` means nothing here: no agent is at work.`,
          'Use it in prompts, primes and gates of agents.',
        )
      if (lookUp.fallback === null) {
        if (ref.kind === 'file') checkFile(scope, ref.path, spot)
        const command = commandOf(lookUp)
        if (command !== null) checkCommand(scope, command, spot)
      }
      if (ref.kind !== 'step') continue
      const step = own(program.steps, ref.step)
      if (step === undefined) {
        wrong(
          'unknown-name',
          `There is no step "${ref.step}" to look up.`,
          didYouMean(ref.step, Object.keys(program.steps)),
        )
        continue
      }
      const type = typeOfField(step, ref.field)
      if (type === undefined)
        wrong(
          'unknown-name',
          `"${ref.step}" gives no "${ref.field}".`,
          didYouMean(ref.field, fieldNames(step)),
        )
      else if (use.kind === 'command' && (type === 'list' || type === 'findings'))
        wrong(
          'unfit-type',
          `"${ref.step}.${ref.field}" is of type ${type}, and a command takes one word.`,
          'Use it in a prompt, or hand a text over.',
        )
    }
}

/** Where the project is known, as it is now; a run is refused without it. */
function checkCommand({ project, report }: Checked['scope'], command: ProjectCommand, spot: Spot): void {
  if (project === null || project.commands.has(command)) return
  report.add({
    code: 'no-command',
    severity: 'warning',
    ...spot,
    message: `This project has no command for \${run.${command}}, what ${COMMAND_MEANING[command]}, so no run of this flow starts here.`,
    help: `Say it in .signalbox/config.yaml, \`commands: { ${command}: "…" }\`, or give a fallback: \${run.${command} ?? "true"}.`,
  })
}

function checkFile({ readFile, report }: Checked['scope'], path: string, spot: Spot): void {
  const file = readFile(path, report.file)
  if (file.kind === 'unreadable')
    report.add({
      code: 'missing-file',
      severity: 'warning',
      ...spot,
      message: `file("${path}") ${file.why} now. It is read when the step begins.`,
      help: 'Write the file, or give a fallback: ${file("…") ?? "none"}.',
    })
}

export function typeOfField(step: Step, field: string): FieldType | undefined {
  const { contract } = step
  if (alwaysGiven(step).includes(field) || contract.variables.some((v) => v.name === field)) return 'text'
  return [...contract.fields, ...(contract.handoff?.fields ?? [])].find(
    (candidate) => candidate.name === field,
  )?.type
}

const fieldNames = (step: Step): string[] => [...alwaysGiven(step), ...answerNames(step)]

const answerNames = ({ contract }: Step): string[] => [
  ...contract.variables.map((variable) => variable.name),
  ...contract.fields.map((field) => field.name),
  ...(contract.handoff?.fields ?? []).map((field) => field.name),
]
