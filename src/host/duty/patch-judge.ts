/**
 * The judges of a step's agents: commands that are given the patch and may call it out of bounds in their own words. They
 * run on a clean checkout of the commit before it, so no patch changes its own judge. The members of a panel share a
 * worktree: what one of them wrote is put to the judge of each.
 */
import { lastCharacters } from '../../model/characters.ts'
import { stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { lookupOf } from '../runs/world.ts'
import type { Judges } from '../workspace/collect-work.ts'
import type { Problem } from '../workspace/problem.ts'
import { type CommandNeeds, runCommand } from './command.ts'
import { onCleanCheckout, placeOf } from './judgement.ts'

const TIME_LIMIT_MS = 5 * 60_000
const LONGEST = 2000

/** Null where nobody in this step has one. */
export function judgesAt(
  needs: CommandNeeds,
  loaded: LoadedRun,
  { step, visit, signal }: { readonly step: string; readonly visit: number; readonly signal: AbortSignal },
): Judges | null {
  const found = stepOf(loaded.program, step)
  if (found.kind !== 'agent' && found.kind !== 'panel') return null
  const commands = new Set(
    found.members.flatMap(({ agent }) => {
      const judge = loaded.program.agents[agent]?.judge
      return judge === undefined ? [] : [renderCommand(judge, lookupOf(loaded))]
    }),
  )
  if (commands.size === 0) return null
  const hear = async (command: string, patch: string): Promise<Verdict> => {
    const about = { loaded, step, visit, who: 'judge', command, timeLimitMs: TIME_LIMIT_MS, signal }
    const judged = await onCleanCheckout(needs, about, (checkout) =>
      runCommand(needs, { ...about, place: placeOf(checkout), input: patch }),
    )
    if ('problem' in judged) return judged
    // Without what setup makes a judge fails as well, and that says nothing of the patch.
    if ('unprepared' in judged) return unheard(command, `setup failed. ${judged.unprepared.output}`)
    const { exitCode, output } = judged
    if (exitCode === null || exitCode >= CANNOT_RUN) return unheard(command, output)
    if (exitCode === 0) return { words: null }
    return { words: lastCharacters(output.trim(), LONGEST) || `exit code ${exitCode}` }
  }
  return async (patch) => {
    for (const command of commands) {
      const verdict = await hear(command, patch)
      if ('problem' in verdict || verdict.words !== null) return verdict
    }
    return { words: null }
  }
}

type Verdict = Awaited<ReturnType<Judges>>

/** From there on a shell says that a command is not there, may not be executed, or was killed. */
const CANNOT_RUN = 126

const unheard = (command: string, why: string): Problem => ({
  problem: `The judge could not judge (${command}): ${lastCharacters(why, LONGEST)}`,
})
