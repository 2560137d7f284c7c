/**
 * What the processes of a run may see and reach, as people said it. The user's own config says all of it; a project and
 * a role may take away from that, and can add nothing.
 */
import { tightestNetwork } from '../../model/network.ts'
import type { Network } from '../../model/program.ts'

export interface SandboxRules {
  /** `auto`: where there is one. `required`: else nothing starts. */
  readonly use: 'auto' | 'off' | 'required'
  readonly network: Network
  /** More places that may be read; `~/` is the user's home, here and below. */
  readonly readable: readonly string[]
  /** Of these each agent of a run, and each command, gets a copy of its own: see private-copies.ts. */
  readonly writable: readonly string[]
  /** These are written by all agents and commands together: what one leaves in them, another runs. */
  readonly shared: readonly string[]
  /** Unix sockets that may be spoken to. */
  readonly sockets: readonly string[]
  /** More variables that are passed on: names, or beginnings with a star. */
  readonly env: readonly string[]
  /** Files of the user's checkout that git does not have, and runs get a copy of. */
  readonly brings: readonly string[]
  readonly limits: ProcessLimits
}

/** Of one agent, or one command, with all that it starts; null: as much as the machine gives. */
export interface ProcessLimits {
  readonly processes: number | null
  readonly memoryBytes: number | null
  readonly openFiles: number | null
}

export const DEFAULT_RULES: SandboxRules = {
  use: 'auto',
  network: 'on',
  readable: [],
  writable: [],
  shared: [],
  sockets: [],
  env: [],
  brings: [],
  limits: { processes: 4096, memoryBytes: null, openFiles: 65_536 },
}

/** All that a project's config may say. */
export interface Tightening {
  readonly use?: 'required' | undefined
  readonly network?: Network | undefined
  readonly limits?: Partial<ProcessLimits> | undefined
}

export const tightened = (rules: SandboxRules, { use, network, limits = {} }: Tightening): SandboxRules => ({
  ...rules,
  use: use ?? rules.use,
  network: tightestNetwork([rules.network, network]),
  limits: {
    processes: least(rules.limits.processes, limits.processes),
    memoryBytes: least(rules.limits.memoryBytes, limits.memoryBytes),
    openFiles: least(rules.limits.openFiles, limits.openFiles),
  },
})

const least = (one: number | null, other: number | null | undefined): number | null =>
  other == null ? one : Math.min(one ?? other, other)
