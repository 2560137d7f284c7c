/** A command of the runbook, in its sandbox and with its environment: in the worktree, or in another folder of the host's. */
import { delimiter } from 'node:path'
import { type ProcessRegistry, runShell, type ShellResult } from '../../drivers/index.ts'
import { type CommandPlace, holdCommand } from '../confinement/hold.ts'
import { makePrivateCopies } from '../confinement/private-copies.ts'
import type { ProcessEnvironment } from '../confinement/process-environment.ts'
import { tellingRefused } from '../confinement/refused.ts'
import type { Log } from '../machine/log.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { placeOwnRun } from '../runs/own-run-file.ts'
import type { Runs } from '../runs/runs.ts'
import { groundAt } from '../workspace/ground.ts'
import type { Workplaces } from '../workspace/workplaces.ts'

export interface CommandNeeds {
  readonly runs: Runs
  readonly processEnvironment: ProcessEnvironment
  readonly registry: ProcessRegistry
  readonly log: Log
  readonly workplaces: Workplaces
}

export interface CommandRun {
  readonly loaded: LoadedRun
  readonly step: string
  readonly visit: number
  /** For the log: `gate`, `check`, `prime startup`. */
  readonly who: string
  readonly command: string
  readonly timeLimitMs: number | null
  readonly signal: AbortSignal
  /** What it can read; nothing by default. */
  readonly input?: string
  /** Where it works; the worktree by default. */
  readonly place?: CommandPlace
  /** Where it finds the issues as they are now: in a folder that it can only read by default. */
  readonly issues?: 'in place'
  /** For whom it runs, where it is for an agent. */
  readonly agent?: string
}

export async function runCommand(needs: CommandNeeds, about: CommandRun): Promise<ShellResult> {
  const copies = await makePrivateCopies(needs.processEnvironment, about.loaded, null)
  try {
    if (copies !== null && copies.tookMs > SLOW_MS) tellSlow(needs, about, copies.tookMs)
    return await runHeld(needs, about, copies?.dir ?? null)
  } finally {
    await copies?.remove()
  }
}

const SLOW_MS = 10_000

function tellSlow({ log }: CommandNeeds, { loaded, step, visit, who }: CommandRun, tookMs: number): void {
  const text = `Copying what the config names under \`writable\` took ${Math.round(tookMs / 1000)} s. Name less, or use \`shared\`.`
  log.write(loaded.run, { step, visit, who, kind: 'note', text })
}

async function runHeld(needs: CommandNeeds, about: CommandRun, copies: string | null): Promise<ShellResult> {
  const { loaded, step, visit, who, command, timeLimitMs, signal } = about
  const { run } = loaded
  const own = await ownRunOf(needs, about)
  const hold = holdCommand(needs.processEnvironment, { ...about, copies })
  if ('problem' in hold) return notRun(hold.problem)
  const say = (text: string): void => needs.log.write(run, { step, visit, who, kind: 'output', text })
  needs.log.write(run, { step, visit, who, kind: 'note', text: `$ ${command}` })
  return runShell({
    command,
    cwd: hold.cwd,
    env: {
      ...hold.env,
      ...own(hold.env['PATH'] ?? ''),
      SIGNALBOX_RUN: run,
      SIGNALBOX_STEP: step,
      SIGNALBOX_VISIT: `${visit}`,
    },
    sandbox: tellingRefused(hold.sandbox, (text) =>
      needs.log.write(run, { step, visit, who, kind: 'note', text }),
    ),
    timeLimitMs: timeLimitMs ?? Number.MAX_SAFE_INTEGER,
    signal,
    ...(about.input === undefined ? {} : { input: about.input }),
    registry: needs.registry,
    onLines: say,
  })
}

/** First on its path: another Signalbox of the user's may not understand what this one tells. */
async function ownRunOf(
  { processEnvironment, runs, workplaces }: CommandNeeds,
  { loaded, issues }: CommandRun,
): Promise<(path: string) => Readonly<Record<string, string>>> {
  const { ownCommand, home } = processEnvironment
  if (ownCommand === null) return () => ({})
  const { own: folder } = groundAt(home, loaded.placed.placement)
  const { searched, file } = await placeOwnRun(runs, loaded, {
    folder,
    command: [process.execPath, ownCommand],
  })
  const tracker = issues === 'in place' ? null : await workplaces.issues.readable(loaded)
  return (path) => ({
    ...(tracker === null ? {} : { SIGNALBOX_ISSUES: tracker }),
    // The config that stands in the run's commit is an agent's to change.
    SIGNALBOX_ISSUE_FOLDER: workplaces.issues.folder(loaded) ?? '',
    PATH: [searched, path].filter((part) => part !== '').join(delimiter),
    SIGNALBOX_RUN_FILE: file,
  })
}

const notRun = (output: string): ShellResult => ({
  exitCode: null,
  output,
  stdout: '',
  timedOut: false,
  aborted: false,
})
