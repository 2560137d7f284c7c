/** How a run's work stands to the branch it came from, as people are told it. */
import type { RunWork } from '../../model/api/runs.ts'
import type { Home } from '../machine/home.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { problemOf } from '../workspace/git.ts'
import { groundAt } from '../workspace/ground.ts'
import { standOf } from '../workspace/stand.ts'

export async function workOf(home: Home, { placed, commit, discarded }: LoadedRun): Promise<RunWork | null> {
  if (discarded) return null
  const { base: into } = placed.placement
  const stand = await standOf({ ground: groundAt(home, placed.placement), branch: into, commit }).catch(
    problemOf,
  )
  return stand === null || 'problem' in stand ? null : { commit, into, ...stand }
}
