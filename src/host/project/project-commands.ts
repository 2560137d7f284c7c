/**
 * The commands of a project, by its own files. Where several toolchains stand in one folder, the first that has a
 * command is taken for it, in the order of `PROJECT_KINDS`; setup is that of all of them. Every command is made of words of
 * ours: of the files only names that we chose ourselves count, so nobody who writes one writes a command line.
 */
import { PROJECT_COMMANDS, type ProjectCommand } from '../../model/project-command.ts'
import { cargo, go, gradle, make, maven } from './build-tools.ts'
import { javascript } from './javascript.ts'
import { type FoundCommand, type FoundCommands, found, type ProjectFiles } from './project-kind.ts'
import { python } from './python.ts'

const PROJECT_KINDS = [javascript, cargo, python, go, maven, gradle, make]

const FLAKE = 'flake.nix'

/** Everything that is looked at: nothing else of a project is read. */
export const PROBED: readonly string[] = [
  ...new Set([FLAKE, ...PROJECT_KINDS.flatMap(({ manifests, probes }) => [...manifests, ...probes])]),
]

export interface DetectedCommands {
  readonly commands: FoundCommands
  /** The manifests that are there, the one that counts most first. */
  readonly manifests: readonly string[]
}

export interface MachinePrograms {
  readonly hasProgram: (name: string) => boolean
}

export function detectCommands(files: ProjectFiles, { hasProgram }: MachinePrograms): DetectedCommands {
  const here = PROJECT_KINDS.flatMap(({ manifests, commands }) => {
    const manifest = manifests.find((name) => files.has(name))
    return manifest === undefined ? [] : [{ manifest, commands: commands(files, manifest) }]
  })
  const all = here.map(({ commands }) => commands)
  const inShell = /\bdevShells?\b/.test(files.text(FLAKE)) && hasProgram('nix') ? inNixShell : same
  const commands: Partial<Record<ProjectCommand, FoundCommand>> = {}
  for (const name of PROJECT_COMMANDS) {
    const one = name === 'setup' ? wholeSetup(all) : all.find((each) => each[name] !== undefined)?.[name]
    if (one !== undefined) commands[name] = inShell(one)
  }
  return { commands, manifests: here.map(({ manifest }) => manifest) }
}

function wholeSetup(all: readonly FoundCommands[]): FoundCommand | undefined {
  const setups = all.flatMap(({ setup }) => setup ?? [])
  const [first, ...more] = setups
  if (first === undefined || more.length === 0) return first
  return found(
    setups.map(({ run }) => run).join(' && '),
    setups.map(({ why }) => why).join('; '),
    setups.some(({ needs }) => needs.length === 0) ? [] : setups.flatMap(({ needs }) => needs),
  )
}

const same = (command: FoundCommand): FoundCommand => command

/** Words that mean the same without a shell. */
const PLAIN = /^[\w./-]+(?: [\w./:,@+-]+)*$/

function inNixShell({ run, why, needs }: FoundCommand): FoundCommand {
  const words = PLAIN.test(run) ? run : `sh -c '${run.replaceAll("'", `'\\''`)}'`
  const shellNeeds = needs.length === 0 ? [] : [...needs, FLAKE, 'flake.lock', '**/*.nix']
  return found(`nix develop -c ${words}`, `${why}, in the shell of ${FLAKE}`, shellNeeds)
}
