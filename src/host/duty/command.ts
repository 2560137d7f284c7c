/** A command of the runbook, run in the worktree as everything of a run is: in its sandbox, with its environment. */
import { runShell, type ShellResult } from '../../drivers/index.ts'
import type { LoadedRun } from '../loaded-run.ts'
import { environmentFor, sandboxFor } from '../surroundings.ts'
import type { Tools } from './duty.ts'

export interface CommandRun {
  readonly loaded: LoadedRun
  readonly step: string
  readonly visit: number
  /** For the log: `gate`, `check`, `prime startup`. */
  readonly who: string
  readonly command: string
  readonly timeLimitMs: number | null
  readonly signal: AbortSignal
}

export async function runCommand(tools: Tools, about: CommandRun): Promise<ShellResult> {
  const { loaded, step, visit, who, command, timeLimitMs, signal } = about
  const { run, placed } = loaded
  const say = (text: string): void => tools.log.write(run, { step, visit, who, kind: 'output', text })
  tools.log.write(run, { step, visit, who, kind: 'note', text: `$ ${command}` })
  return runShell({
    command,
    cwd: placed.placement.worktree,
    env: environmentFor(tools.surroundings, {
      SIGNALBOX_RUN: run,
      SIGNALBOX_STEP: step,
      SIGNALBOX_VISIT: `${visit}`,
    }),
    sandbox: sandboxFor(tools.surroundings, loaded),
    timeLimitMs: timeLimitMs ?? Number.MAX_SAFE_INTEGER,
    signal,
    registry: tools.registry,
    onLines: say,
  })
}
