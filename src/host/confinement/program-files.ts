/** The files that an agent's program is made of, so that it can be started where nothing else of the disk is there. */
import { isAbsolute } from 'node:path'
import { findProgram } from '../machine/find-program.ts'
import { type AgentProgram, HAS_OWN_PROGRAM } from '../session/agent-program.ts'
import { isInside, realPath } from './grant.ts'
import { packageOf } from './own-packages.ts'
import type { ProcessEnvironment } from './process-environment.ts'
import { partsOfProgram } from './toolchains.ts'

export function programFiles(
  { argv, writes = [], ofProject, driver }: AgentProgram,
  { environment, userHome }: ProcessEnvironment,
  repo: string,
): readonly string[] {
  const [name = '', ...args] = argv
  const program = HAS_OWN_PROGRAM[driver] ? null : findProgram(name, environment['PATH'] ?? '')
  const words = HAS_OWN_PROGRAM[driver] ? argv : args
  const named = [
    ...(program === null ? [] : [program]),
    ...words.filter((word) => isAbsolute(word) && !writes.includes(word)),
  ]
  const machine = { userHome, variables: environment }
  return named.flatMap((path) => {
    const real = realPath(path)
    if (real === null) return []
    if (ofProject !== true) return [path, ...partsOfProgram(real, machine), ...packageAround(real, userHome)]
    // What the project names is shown only where it is the project's.
    return isInside(path, repo) && isInside(real, realPath(repo) ?? repo) && !/\/\.git(?:\/|$)/.test(real)
      ? [path, ...partsOfProgram(real, machine)]
      : []
  })
}

const packageAround = (file: string, userHome: string): string[] =>
  packageOf(file).filter((folder) => !isInside(userHome, folder) && folder !== userHome)
