/** A flow's setup: run once for the files it depends on, and what it made is laid into the run's worktree. */
import type { ShellResult } from '../../drivers/index.ts'
import { type CheckStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { type CommandPlace, holdCommand } from '../confinement/hold.ts'
import { setupNeeds } from '../project/setup-needs.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { lookupOf } from '../runs/world.ts'
import type { Prepared } from '../workspace/prepared.ts'
import type { Problem } from '../workspace/problem.ts'
import { type CommandNeeds, type CommandRun, runCommand } from './command.ts'

/** The step that makes the run's files usable; null where the flow has none. */
export function setupOf({ program }: LoadedRun): CheckStep | null {
  return program.setup === undefined ? null : (stepOf(program, program.start) as CheckStep)
}

export type SetupRun = Pick<CommandRun, 'loaded' | 'step' | 'visit' | 'signal'>

/** What setup makes of the run's last commit: as it was made before, or made now. */
export async function prepared(
  needs: CommandNeeds,
  { loaded, step, visit, signal }: SetupRun,
): Promise<Prepared | Problem> {
  // Nothing else of whoever asks: setup is the flow's, and has the network that the user gives it.
  const about = { loaded, step, visit, signal }
  return needs.workplaces.prepare(loaded, {
    command: commandOf(loaded),
    needs: setupNeeds(loaded),
    run: async ({ files, home }) => {
      const place = { files, writable: [], home }
      const hold = holdCommand(needs.processEnvironment, { loaded, place })
      const at = 'problem' in hold ? files : hold.cwd
      return { result: await runSetup(needs, { ...about, place }), at }
    },
  })
}

/** Its commands themselves, in a place; the worktree by default. */
export const runSetup = (
  needs: CommandNeeds,
  about: SetupRun & { readonly place?: CommandPlace },
): Promise<ShellResult> =>
  runCommand(needs, {
    ...about,
    who: 'setup',
    command: commandOf(about.loaded),
    timeLimitMs: setupOf(about.loaded)?.timeLimitMs ?? null,
  })

const commandOf = (loaded: LoadedRun): string => renderCommand(setupOf(loaded)!.run, lookupOf(loaded))

/** Into the worktree; what came of it, as of any command. */
export async function setUp(needs: CommandNeeds, about: SetupRun): Promise<ShellResult | Problem> {
  const made = await prepared(needs, about)
  if ('problem' in made) return made
  if (made.kind === 'failed') return made.result
  if (made.kind === 'in place') return runSetup(needs, about)
  const problem = await needs.workplaces.layPrepared(about.loaded, made.files)
  if (problem !== null) return problem
  const output = made.output ?? 'Made before, of the same files; taken from there.\n'
  return { exitCode: 0, output, stdout: output, timedOut: false, aborted: false }
}
