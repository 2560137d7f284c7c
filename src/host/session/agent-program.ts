/** Which program serves an agent's `use: NAME`. The user's config says it; the common ones are known. */

import type { Keeps } from '../confinement/keeps/keeps.ts'
import type { ScriptedSetup } from '../ready-agents/scripted-setup.ts'

/** What can make a program work, and an entry of the config names it with. */
export const DRIVER_NAMES = ['acp', 'command', 'scripted'] as const
export type DriverName = (typeof DRIVER_NAMES)[number]

/** Whether its program is one of Signalbox's own, and what the user names only what it is given. */
export const HAS_OWN_PROGRAM: Readonly<Record<DriverName, boolean>> = {
  acp: false,
  command: false,
  scripted: true,
}

export interface AgentProgram {
  readonly name: string
  readonly driver: DriverName
  /** The program and its arguments. */
  readonly argv: readonly string[]
  /** How a plain command gets its prompt. */
  readonly prompt: 'stdin' | 'file'
  readonly env: Readonly<Record<string, string>>
  /** Variables of the user's that it gets beside those that everybody does: its keys. `NAME_*` for all that begin so. */
  readonly passes?: readonly string[]
  /** What it keeps in the user's home. In the sandbox it writes to none of it. */
  readonly keeps: Keeps
  /** What it is made of, where the sandbox would otherwise not show it: programs under /tmp, say. */
  readonly reads?: readonly string[]
  /** Places that it may write to, granted by Signalbox and never by a config. */
  readonly writes?: readonly string[]
  /** What a request for permission is answered with. `auto`: allowed inside the sandbox, else a person is asked. */
  readonly permissions: 'auto' | 'ask' | 'allow' | 'reject'
  /** How to get it, for whoever lacks it. */
  readonly install: string
  /** How to log in, for whoever must. */
  readonly login?: string
  /** More variables for when it works in our sandbox. */
  readonly boxed?: Readonly<Record<string, string>>
  /** What is known not to work with it, and it does not tell. */
  readonly lacks?: readonly string[]
  /** Words near the end of its last message where its model failed and it ends its turn all the same; `*` is anything between them. */
  readonly failures?: readonly string[]
  /** How it is tried without an account. */
  readonly scripted?: ScriptedSetup
  /** The model it works with where a runbook does not say. */
  readonly model?: string
  /** How it is told which model to work with. Left out: over its protocol, where it offers that. */
  readonly modelBy?: { readonly variable: string } | { readonly argument: string }
  /** How it names tools in its requests, beside the usual ways, with `{tool}` for the name. */
  readonly toolCalls?: readonly string[]
  /** Named by a project's config: whoever can write to the repository says what it is. */
  readonly ofProject?: true
}

/** The name that `use: default` stands for where the config does not say: the first of the common ones that is there. */
export const DEFAULT_USE = 'default'
