/** What differs between two commits of a run, for as long as its store is there. */
import { patchBetween } from './changes.ts'
import { problemOf } from './git.ts'
import type { Ground } from './ground.ts'
import type { Problem } from './problem.ts'
import { hasStore } from './store.ts'

export interface Between {
  readonly from: string
  readonly to: string
}

export async function keptPatch(
  ground: Ground,
  between: Between,
): Promise<{ readonly patch: string } | Problem> {
  if (!hasStore(ground)) return GONE
  return patchBetween({ ground, ...between, files: null }).then((patch) => ({ patch }), problemOf)
}

const GONE: Problem = { problem: 'What the run changed is not kept any more: its place was cleared away.' }
