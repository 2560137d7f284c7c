/** The model that an agent is to work with: how its program is told, and what is said before a run where it cannot be. Pure. */
import type { AgentProgram } from './agent-program.ts'

const PLACE = '{model}'

export interface ModelledProgram {
  readonly program: AgentProgram
  /** What it is asked for over its protocol; null: nothing. */
  readonly asked: string | null
}

/** `wanted`: what the runbook says; null: as the config does. */
export function withModel(program: AgentProgram, wanted: string | null): ModelledProgram {
  const model = wanted ?? program.model ?? null
  if (model === null) return { program, asked: null }
  if (program.argv.some((word) => word.includes(PLACE))) {
    const argv = program.argv.map((word) => word.replaceAll(PLACE, () => model))
    return { program: { ...program, argv }, asked: null }
  }
  const { modelBy } = program
  if (modelBy === undefined) return { program, asked: program.driver === 'acp' ? model : null }
  if ('variable' in modelBy)
    return { program: { ...program, env: { ...program.env, [modelBy.variable]: model } }, asked: null }
  const argv = [...withoutOption(program.argv, modelBy.argument), modelBy.argument, model]
  return { program: { ...program, argv }, asked: null }
}

/** What keeps it from working with the model, as far as that is known before it is started. */
export function whyNoModel(program: AgentProgram, wanted: string | null): string | null {
  const hasPlace = program.argv.some((word) => word.includes(PLACE))
  const model = wanted ?? program.model ?? null
  if (hasPlace && model === null)
    return `The command of ${program.name} has ${PLACE} in it, and nothing says which: \`model:\` at the agent, or in the config.`
  if (model === null || hasPlace || program.driver !== 'command') return null
  return `${program.name} is to work with the model "${model}", and its command has no ${PLACE} to put it in.`
}

/** How it is told, for whoever lists agents. */
export function modelWay({ argv, driver, modelBy }: AgentProgram): string | null {
  if (argv.some((word) => word.includes(PLACE))) return PLACE
  if (modelBy !== undefined) return 'variable' in modelBy ? modelBy.variable : modelBy.argument
  return driver === 'acp' ? 'protocol' : null
}

function withoutOption(argv: readonly string[], option: string): readonly string[] {
  const at = argv.indexOf(option)
  return at === -1 ? argv : [...argv.slice(0, at), ...argv.slice(at + 2)]
}
