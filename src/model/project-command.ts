/**
 * The commands that projects have in words of their own. A runbook looks them up as `${run.test}` and the like, and a
 * run keeps them as they were when it started.
 */
import type { Program } from './program.ts'
import type { LookUp } from './template.ts'

export const PROJECT_COMMANDS = ['setup', 'test', 'build', 'lint', 'check'] as const
export type ProjectCommand = (typeof PROJECT_COMMANDS)[number]
export type ProjectCommands = Readonly<Partial<Record<ProjectCommand, string>>>

export const COMMAND_MEANING: Readonly<Record<ProjectCommand, string>> = {
  setup: 'makes a fresh checkout usable',
  test: 'runs the tests',
  build: 'builds it',
  lint: 'looks for what is bad style',
  check: 'looks at types and the like, and runs nothing',
}

export const isProjectCommand = (name: string): name is ProjectCommand =>
  PROJECT_COMMANDS.some((each) => each === name)

/** The command that a look-up names; null where it names something else. */
export const commandOf = ({ ref }: Pick<LookUp, 'ref'>): ProjectCommand | null =>
  ref.kind === 'run' && isProjectCommand(ref.field) ? ref.field : null

export interface CommandUse {
  readonly command: ProjectCommand
  /** There is nothing to say instead. */
  readonly isNeeded: boolean
}

/** Each command that a program looks up, once. */
export function commandsIn(program: Program): CommandUse[] {
  const found = new Map<ProjectCommand, CommandUse>()
  for (const lookUp of lookUpsAnywhere(program)) {
    const command = commandOf(lookUp)
    if (command === null) continue
    const isNeeded = lookUp.fallback === null || found.get(command)?.isNeeded === true
    found.set(command, { command, isNeeded })
  }
  return [...found.values()]
}

/** A program is plain data: whatever part of it holds a text, the look-ups in it look alike. */
function lookUpsAnywhere(part: unknown): LookUp[] {
  if (typeof part !== 'object' || part === null) return []
  const inside = Object.values(part).flatMap(lookUpsAnywhere)
  return isLookUp(part) ? [part, ...inside] : inside
}

const isLookUp = (part: object): part is LookUp => 'ref' in part && 'fallback' in part && 'quote' in part
