/** The project's commands that a run begins with and keeps: as its base and the config have them when it starts. */
import type { Program } from '../../model/program.ts'
import {
  COMMAND_MEANING,
  commandsIn,
  type ProjectCommand,
  type ProjectCommands,
} from '../../model/project-command.ts'
import { filesOfCommit } from './commit-files.ts'
import { type DetectedCommands, detectCommands, type MachinePrograms } from './project-commands.ts'

/** A command as a config says it. */
export interface SaidCommand {
  readonly run: string
  /** Of setup: the files it depends on; empty: any of them. */
  readonly needs: readonly string[]
}

export type SaidCommands = Readonly<Partial<Record<ProjectCommand, SaidCommand>>>

/** What is written down where a run works. */
export interface KeptCommands {
  readonly commands?: ProjectCommands
  readonly setupNeeds?: readonly string[]
}

export interface CommandsRequest {
  readonly program: Program
  readonly repo: string
  readonly commit: string
  readonly said: SaidCommands
}

/** Only those that the program looks up; a project is not looked at for the sake of none. */
export async function commandsOfRun(
  { program, repo, commit, said }: CommandsRequest,
  machine: MachinePrograms,
): Promise<KeptCommands | { readonly problems: readonly string[] }> {
  const uses = commandsIn(program)
  if (uses.length === 0) return {}
  const detected = detectCommands(await filesOfCommit({ repo, commit }), machine)
  const commandFor = (name: ProjectCommand): SaidCommand | undefined => said[name] ?? detected.commands[name]
  const problems = uses.flatMap(({ command, isNeeded }) =>
    isNeeded && commandFor(command) === undefined ? [missingCommand(command, detected)] : [],
  )
  if (problems.length > 0) return { problems }
  const kept = uses.flatMap(({ command }) => {
    const one = commandFor(command)
    return one === undefined ? [] : [[command, one] as const]
  })
  const setup = kept.find(([name]) => name === 'setup')?.[1]
  return {
    commands: Object.fromEntries(kept.map(([name, { run }]) => [name, run])),
    ...(setup === undefined ? {} : { setupNeeds: setup.needs }),
  }
}

function missingCommand(command: ProjectCommand, { manifests }: DetectedCommands): string {
  const where =
    manifests.length === 0
      ? 'no file here says what it would be'
      : `${manifests.join(', ')} ${manifests.length === 1 ? 'says' : 'say'} of none`
  return `The flow looks up \${run.${command}}, what ${COMMAND_MEANING[command]}, and ${where}. Say it in .signalbox/config.yaml: commands: { ${command}: "…" }`
}
