/** How a run's work stands to the branch it came from. */
import { gitLine } from './git.ts'
import type { Ground } from './ground.ts'
import { isIn } from './merged.ts'
import { userTip } from './publish.ts'
import { hasCommit, hasStore, inStore } from './store.ts'

export interface Stand {
  /** Where the branch is now. */
  readonly tip: string
  /** Commits that only the run has. */
  readonly ahead: number
  /** Commits that the branch got since, and the run has not. */
  readonly behind: number
  /** The branch has all of it. */
  readonly merged: boolean
}

export interface Standing {
  readonly ground: Ground
  /** Of the user's. */
  readonly branch: string
  /** The run's last. */
  readonly commit: string
}

/** Null where it cannot be told: there is no such branch, or nothing of the run's any more. */
export async function standOf({ ground, branch, commit }: Standing): Promise<Stand | null> {
  if (!hasStore(ground)) return null
  const tip = await userTip({ ground, branch })
  if (tip === null || !(await hasCommit(ground, tip)) || !(await hasCommit(ground, commit))) return null
  const counted = await gitLine(
    ['rev-list', '--left-right', '--count', `${tip}...${commit}`, '--'],
    inStore(ground),
  )
  const [behind = 0, ahead = 0] = counted.split(/\s+/).map(Number)
  return { tip, ahead, behind, merged: await isIn({ ground, tip, commit }) }
}
