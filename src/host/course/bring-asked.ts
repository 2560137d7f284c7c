/** What the base got since, where a person wanted it while somebody was at work: brought in once nobody is. */
import type { Actor } from '../../model/answer.ts'
import type { RunCommand } from '../../model/command.ts'
import type { Fact } from '../../model/fact.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { shown, someNames } from '../workspace/file-name.ts'

export interface BroughtIn {
  readonly facts: readonly Fact[]
  /** Something that the agent must be told, in the name of whoever asked for it. */
  readonly commands: readonly RunCommand[]
}

const NOTHING: BroughtIn = { facts: [], commands: [] }

/** What was asked for while somebody was at work: now nobody is, and `commit` has all they did. */
export async function bringAsked(
  needs: DutyNeeds,
  loaded: LoadedRun,
  { commit, by = loaded.updateBy }: { readonly commit: string; readonly by?: Actor | null },
): Promise<BroughtIn> {
  const at = needs.clock.now()
  const how = { commit, by, conflicts: 'left' } as const
  const brought = await needs.workplaces.bringBase(loaded, how)
  // Only an earlier merge is left to record here: the next caller records it, so its failure is not reported.
  if (brought === null || (by === null && 'problem' in brought)) return NOTHING
  if ('problem' in brought || 'refused' in brought) {
    const why = 'problem' in brought ? brought.problem : ''
    return {
      ...NOTHING,
      facts: [
        { type: 'update.dropped', at },
        { type: 'host.noted', at, text: `The base could not be brought in. ${why}` },
      ],
    }
  }
  const { tip, conflicts, hasMore = false } = brought
  const fact: Fact = { type: 'base.merged', at, base: tip, commit: brought.commit, by: brought.by }
  // What was brought in before is told first, and is not what was asked for since.
  const still: Fact[] =
    hasMore && loaded.updateBy !== null ? [{ type: 'update.asked', at, by: loaded.updateBy }] : []
  if (conflicts.length === 0) return { facts: [fact, ...still], commands: [] }
  const names = conflicts.map(shown)
  const { base } = loaded.placed.placement
  const text = `I brought in what ${base} got since you began, and you both changed ${someNames(names, 20)}. Those files have git's conflict marks (<<<<<<<, >>>>>>>) in them: resolve each, keeping what both sides meant, then answer again.`
  return {
    facts: [{ ...fact, conflicts: names }, ...still],
    commands: [{ type: 'run.say', at, by: brought.by, text }],
  }
}

/** The same where nobody is at work: recorded at once, and said to whoever works there next. */
export async function bringNow(needs: DutyNeeds, loaded: LoadedRun): Promise<void> {
  await told(needs, loaded, await bringAsked(needs, loaded, { commit: loaded.commit }))
  const now = await needs.runs.load(loaded.run)
  const isAskedStill = loaded.updateBy !== null && now !== null && now.updateBy !== null
  if (isAskedStill) await told(needs, now, await bringAsked(needs, now, { commit: now.commit }))
}

async function told(
  needs: DutyNeeds,
  loaded: LoadedRun,
  { facts, commands }: BroughtIn,
  also: readonly Fact[] = [],
): Promise<boolean> {
  if (facts.length === 0) return false
  const at = needs.clock.now()
  // After its end there is nobody left to tell.
  const said = loaded.state.status === 'ended' ? [] : commands
  await needs.runs.execute(loaded.run, [{ type: 'run.record', at, facts: [...also, ...facts] }, ...said])
  return true
}

const commitAfter = ({ commit }: LoadedRun, facts: readonly Fact[]): string =>
  facts.findLast((fact) => fact.type === 'work.committed')?.commit ?? commit

/** The run, after recording a merge of its base that a killed host did not record. */
export const withBrought = async (needs: DutyNeeds, loaded: LoadedRun): Promise<LoadedRun> =>
  (await tellBrought(needs, loaded)) ? ((await needs.runs.load(loaded.run)) ?? loaded) : loaded

/** Records such a merge together with `also`; true if anything was recorded. */
export async function tellBrought(
  needs: DutyNeeds,
  loaded: LoadedRun,
  also: readonly Fact[] = [],
): Promise<boolean> {
  const brought = await bringAsked(needs, loaded, { commit: commitAfter(loaded, also), by: null })
  return told(needs, loaded, brought, also)
}
