/**
 * Commands that only judge: a gate and its trial, a check that writes nothing, what people are shown. They run on a
 * clean checkout of the run's last commit, with what setup made, and leave nothing.
 *
 * Where a flow has no setup and the worktree holds files that git ignores, a command may need them (installed
 * dependencies). So it runs there, beside them, and that is told with what it found: an agent could have written them.
 */
import type { ShellResult } from '../../drivers/index.ts'
import type { Fact } from '../../model/fact.ts'
import { gateFiles, isGateFile } from '../../model/gate-files.ts'
import { stepOf } from '../../model/program.ts'
import { sharedPlaces } from '../confinement/private-copies.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { CleanCheckout } from '../workspace/clean-checkout.ts'
import { shown } from '../workspace/file-name.ts'
import type { Problem } from '../workspace/problem.ts'
import { boundaryNow } from './boundary.ts'
import { type CommandNeeds, type CommandRun, runCommand } from './command.ts'
import { prepared, runSetup, type SetupRun, setupOf } from './setup.ts'

export type Judging = Omit<CommandRun, 'place'>

export interface Judgement {
  readonly result: ShellResult
  /** What agents can change and the command could read: files that git ignores, shared folders. */
  readonly beside: readonly string[]
  /** Files that say what the command runs, and that the run has changed. */
  readonly redefined: readonly string[]
  readonly facts: readonly Fact[]
}

export async function judge(needs: CommandNeeds, judging: Judging): Promise<Judgement | Problem> {
  const { loaded } = judging
  const beside = setupOf(loaded) === null ? await needs.workplaces.ignored(loaded) : []
  if ('problem' in beside) return beside
  const judged =
    beside.length > 0
      ? await inWorktree(needs, judging)
      : await onCleanCheckout(needs, judging, (checkout) => inCheckout(needs, judging, checkout))
  if ('problem' in judged) return judged
  if ('unprepared' in judged) return failedBy(judged.unprepared)
  const changed = await needs.workplaces.changedFiles(loaded)
  return {
    ...judged,
    beside: [...beside, ...sharedPlaces(needs.processEnvironment, loaded)],
    redefined: redefinedBy(judging.command, changed),
  }
}

/**
 * On a checkout with what setup made, which is gone afterwards. For one command: what it runs is the agent's, and could
 * change what the next one is shown.
 */
export async function onCleanCheckout<T>(
  needs: CommandNeeds,
  about: SetupRun & Pick<CommandRun, 'command'>,
  act: (checkout: CleanCheckout) => Promise<T>,
): Promise<T | Problem | { readonly unprepared: ShellResult }> {
  const { loaded, command } = about
  const made = setupOf(loaded) === null ? null : await prepared(needs, about)
  if (made !== null && 'problem' in made) return made
  if (made?.kind === 'failed') return { unprepared: made.result }
  const files = made?.kind === 'ready' ? made.files : null
  const checkout = await needs.workplaces.checkOut(loaded, { prepared: files, command })
  if ('problem' in checkout) return checkout
  try {
    if (made?.kind === 'in place') {
      const { step, visit, signal } = about
      const result = await runSetup(needs, { loaded, step, visit, signal, place: placeOf(checkout) })
      if (result.exitCode !== 0) return { unprepared: result }
    }
    return await act(checkout)
  } finally {
    await checkout.remove()
  }
}

export const placeOf = ({ files, repository, home }: CleanCheckout) => ({
  files,
  writable: [repository],
  home,
})

/** What cannot be set up cannot pass: whoever changed what setup needs is told so. */
export function failedBy(setup: ShellResult): Judgement {
  const output = `The setup of the flow failed on this commit.\n\n${setup.output}`
  return { result: { ...setup, output, stdout: output }, beside: [], redefined: [], facts: [] }
}

/** Of what a run changed, the files that say what a command runs. */
export function redefinedBy(command: string, changed: readonly string[]): string[] {
  const files = gateFiles(command)
  return changed.filter((name) => isGateFile(name, files)).map(shown)
}

async function inCheckout(
  needs: CommandNeeds,
  judging: Judging,
  checkout: CleanCheckout,
): Promise<Omit<Judgement, 'beside' | 'redefined'>> {
  const result = await runCommand(needs, { ...judging, place: placeOf(checkout) })
  const facts = result.aborted ? [] : await needs.workplaces.keepFrom(checkout, judging)
  return { result, facts }
}

async function inWorktree(
  needs: CommandNeeds,
  judging: Judging,
): Promise<Omit<Judgement, 'beside' | 'redefined'> | Problem> {
  const result = await runCommand(needs, judging)
  if (result.aborted) return { result, facts: [] }
  const { loaded, step, visit, who } = judging
  const left = await needs.workplaces.collectWork({
    loaded,
    step,
    visit,
    member: 0,
    // Members of a panel may be at work there: what lies there may be theirs, and is held to what they may write.
    boundary: isPanel(loaded, step) ? boundaryNow(loaded) : [[]],
    message: `${step}: ${who}`,
  })
  return 'problem' in left ? left : { result, facts: left.facts }
}

const isPanel = ({ program }: LoadedRun, step: string): boolean => stepOf(program, step).kind === 'panel'
