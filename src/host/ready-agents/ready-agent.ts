/**
 * An agent that Signalbox knows by name, as one entry of data: how it is started, what it keeps, how it is given a scripted
 * model, which package it was tried with, and what is odd about it. The listing, the sandbox, `agents test --scripted`, the
 * conformance suite, its install step and the guide all read the same entry.
 */
import type { AgentProgram } from '../session/agent-program.ts'
import type { ScriptedSetup } from './scripted-setup.ts'

export interface ReadyAgent
  extends Pick<
    AgentProgram,
    'passes' | 'keeps' | 'install' | 'boxed' | 'lacks' | 'failures' | 'toolCalls' | 'modelBy'
  > {
  readonly name: string
  readonly argv: readonly string[]
  readonly login: string
  readonly scripted: ScriptedSetup
  readonly package: AgentPackage
  /** What it cannot do itself, by the name of the behaviour: the suite takes it as given, and fails when it is not true any more. */
  readonly cannot: Readonly<Record<string, string>>
  /** What it does not always do, by the name of the behaviour: whichever was seen is as it should be. */
  readonly sometimes?: Readonly<Record<string, string>>
  /** Worth knowing, and no hindrance. */
  readonly peculiar: readonly string[]
}

/** What of npm was tried. */
export interface AgentPackage {
  readonly name: string
  readonly version: string
  /** The file within it that is started. */
  readonly start: string
  /** What starts it: nothing, the Node that we run on, or a later one of npm. */
  readonly by: 'itself' | 'node' | { readonly name: string; readonly version: string; readonly start: string }
}

/** As a program; what only the suite and the guide read stays behind. */
export function programOf(ready: ReadyAgent): AgentProgram {
  const { package: _p, cannot: _c, sometimes: _t, peculiar: _o, ...program } = ready
  return { ...program, driver: 'acp', prompt: 'stdin', env: {}, permissions: 'auto' }
}
