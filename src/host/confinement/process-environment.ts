/** What every process of every run is started from: the user's machine, and what people said may be had of it. */
import { isAbsolute, join } from 'node:path'
import type { SandboxEngine } from '../../drivers/index.ts'
import type { Home } from '../machine/home.ts'
import { createGuard, type Guard } from './grant.ts'
import { ownPackages } from './own-packages.ts'
import { DEFAULT_RULES, type SandboxRules } from './rules.ts'
import { findToolchains, type Toolchain } from './toolchains.ts'

export interface ProcessEnvironment {
  readonly home: Home
  /** The user's environment; of it a process gets what is listed. */
  readonly environment: Readonly<Record<string, string>>
  readonly userHome: string
  /** What can make a sandbox here; null: nothing can. */
  readonly engine: SandboxEngine | null
  /** The user's rules, as the project of this repository tightens them. */
  readonly rulesFor: (repo: string) => SandboxRules
  readonly guard: Guard
  readonly toolchains: readonly Toolchain[]
  /** What Signalbox is made of: parts of it work in the sandbox, too. */
  readonly ownProgram: readonly string[]
  /** The command that commands of runbooks find as `signalbox`; null: none. */
  readonly ownCommand: string | null
}

export interface ProcessEnvironmentOptions {
  readonly home: Home
  readonly environment: Readonly<Record<string, string>>
  readonly engine: SandboxEngine | null
  readonly rulesFor?: ProcessEnvironment['rulesFor']
  /** More that no process may see: the user's config. */
  readonly hidden?: readonly string[]
  /** What the user's config lets agents write to. */
  readonly writable?: readonly string[]
  /** Files of Signalbox that are started inside. */
  readonly programs?: readonly string[]
  readonly ownCommand?: string
}

export function createProcessEnvironment(options: ProcessEnvironmentOptions): ProcessEnvironment {
  const { home, environment, engine, rulesFor = () => DEFAULT_RULES, hidden = [], writable = [] } = options
  const told = environment['HOME'] ?? ''
  const userHome = isAbsolute(told) ? told : '/'
  const guard = createGuard({
    ours: [home.dir, ...hidden],
    agentsWrite: writable.map((place) => expanded(place, userHome)),
  })
  return {
    home,
    environment,
    userHome,
    engine,
    rulesFor,
    guard,
    toolchains: engine === null ? [] : findToolchains({ userHome, variables: environment }, guard),
    ownProgram: [
      process.execPath,
      ...(options.programs ?? []).flatMap((file) => [file, ...ownPackages(file)]),
    ],
    ownCommand: options.ownCommand ?? null,
  }
}

export const expanded = (path: string, userHome: string): string =>
  path.startsWith('~/') ? join(userHome, path.slice(2)) : path
