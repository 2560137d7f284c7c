/** The commands of the project that the user stands in: what the config says, else what its files do. */
import { findProgram } from '../../host/machine/find-program.ts'
import { detectCommands } from '../../host/project/project-commands.ts'
import type { FoundCommands } from '../../host/project/project-kind.ts'
import { PROJECT_COMMANDS } from '../../model/project-command.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { filesOfFolder } from './folder-files.ts'

export interface CommandsHere {
  readonly commands: FoundCommands
  /** The manifests of toolchains that are there, the one that counts most first. */
  readonly manifests: readonly string[]
}

export function commandsHere(
  repo: string,
  { configDir, searchPath }: Pick<Environment, 'configDir' | 'searchPath'>,
): CommandsHere {
  const hasProgram = (name: string): boolean => findProgram(name, searchPath) !== null
  const { commands: found, manifests } = detectCommands(filesOfFolder(repo), { hasProgram })
  const { commands: said } = readConfig({ configDir, repo }).config
  const commands = PROJECT_COMMANDS.flatMap((name) => {
    const own = said[name]
    const one = own === undefined ? found[name] : { ...own, why: '`commands` in the config' }
    return one === undefined ? [] : [[name, one] as const]
  })
  return { commands: Object.fromEntries(commands), manifests }
}
